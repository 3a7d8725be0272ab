# Writes OUTPUT: a C++ file that holds FILES as the table of src/doc/embedded.h.
set(text "#include \"doc/embedded.h\"\nnamespace gfxisa {\nstatic const EmbeddedFile files[] = {\n")
foreach(file ${FILES})
  get_filename_component(short ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "{\"${short}\", R\"~embedded~(${content})~embedded~\"},\n")
endforeach()
string(APPEND text "};\nstd::span<const EmbeddedFile> embedded_${NAME}() { return files; }\n}  // namespace gfxisa\n")
file(WRITE ${OUTPUT} "${text}")
