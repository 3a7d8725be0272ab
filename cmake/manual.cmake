# The manual page and the completions of shells, written by the program itself.
set(manual_files)
foreach(output "man gfxisa.1 ${CMAKE_INSTALL_MANDIR}/man1" "bash gfxisa ${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
    "zsh _gfxisa ${CMAKE_INSTALL_DATADIR}/zsh/site-functions" "fish gfxisa.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  separate_arguments(output)
  list(GET output 0 format)
  list(GET output 1 name)
  list(GET output 2 folder)
  set(file ${CMAKE_BINARY_DIR}/manual/${format}/${name})
  add_custom_command(OUTPUT ${file} COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/manual/${format}
    COMMAND gfxisa manual ${format} > ${file} DEPENDS gfxisa VERBATIM)
  list(APPEND manual_files ${file})
  install(FILES ${file} DESTINATION ${folder} COMPONENT command)
endforeach()
add_custom_target(gfxisa_manual ALL DEPENDS ${manual_files})
