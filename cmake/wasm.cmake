# The live decoder of the site: the library compiled by Debian's emscripten to one script, gfxisa-wasm.js, beside the program.
# Without emscripten the site goes without it, and says so.
find_program(GFXISA_EMXX em++)
if(GFXISA_EMXX)
  get_target_property(fmt_includes fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  list(GET fmt_includes 0 fmt_include)
  # fmt's headers alone: the rest of the host's include folder is not for WebAssembly.
  set(wasm ${CMAKE_BINARY_DIR}/wasm)
  file(MAKE_DIRECTORY ${wasm}/include)
  file(CREATE_LINK ${fmt_include}/fmt ${wasm}/include/fmt SYMBOLIC)
  set(wasm_flags -std=gnu++20 -Os -DNDEBUG -DFMT_HEADER_ONLY -DGFXISA_VERSION="${PROJECT_VERSION}"
    -include ${CMAKE_SOURCE_DIR}/site/wasm/missing_std.h -I${wasm}/include -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}/include)
  file(GLOB wasm_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/base/*.cc ${CMAKE_SOURCE_DIR}/src/inst/*.cc
    ${CMAKE_SOURCE_DIR}/src/codec/*.cc ${CMAKE_SOURCE_DIR}/src/text/*.cc ${CMAKE_SOURCE_DIR}/src/query/*.cc
    ${CMAKE_SOURCE_DIR}/src/api/*.cc ${CMAKE_SOURCE_DIR}/site/wasm/*.cc)
  foreach(source ${wasm_sources} ${GFXISA_TABLE_SOURCES})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    get_filename_component(name ${source} NAME_WE)
    set(object ${wasm}/${folder}_${name}.o)
    add_custom_command(OUTPUT ${object} COMMAND ${GFXISA_EMXX} ${wasm_flags} -MMD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${CMAKE_SOURCE_DIR}/site/wasm/missing_std.h DEPFILE ${object}.d
      COMMENT "emscripten: ${folder}/${name}" VERBATIM)
    list(APPEND wasm_objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/gfxisa-wasm.js
    # A node that is not Debian's does not look where Debian puts the modules that emscripten's tools need.
    COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs ${GFXISA_EMXX} -Os ${wasm_objects} -o ${CMAKE_BINARY_DIR}/gfxisa-wasm.js -sSINGLE_FILE=1 -sMODULARIZE=1
      -sEXPORT_NAME=gfxisaModule -sALLOW_MEMORY_GROWTH=1 -sEXPORTED_RUNTIME_METHODS=ccall -sEXPORTED_FUNCTIONS=_malloc,_free
      -sENVIRONMENT=web,worker,node
    DEPENDS ${wasm_objects} COMMENT "emscripten: gfxisa-wasm.js" VERBATIM)
  add_custom_target(gfxisa_decoder ALL DEPENDS ${CMAKE_BINARY_DIR}/gfxisa-wasm.js)
  add_dependencies(gfxisa_decoder gfxisa_generate)
  install(FILES ${CMAKE_BINARY_DIR}/gfxisa-wasm.js DESTINATION ${CMAKE_INSTALL_DATADIR}/gfxisa)
else()
  message(STATUS "em++ not found: the site goes without the live decoder")
endif()
