# gfxisa_embed(TARGET NAME FILE...): text files as functions' data: `embedded_NAME()` gives their names and contents. Written
# anew when one of them changes.
function(gfxisa_embed target name)
  set(output ${CMAKE_BINARY_DIR}/gen/embedded_${name}.cc)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} "-DFILES=${ARGN}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
