# The public library: the functions of include/gfxisa/gfxisa.h, shared and static, and what finds it when it is installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

gfxisa_library(api query text codec inst base)
target_compile_definitions(gfxisa_api PRIVATE GFXISA_VERSION="${PROJECT_VERSION}")

# Nothing of it is replaced from outside, which lets the compiler inline and address constants directly.
foreach(part api query text codec inst base)
  set_target_properties(gfxisa_${part} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endforeach()

add_library(gfxisa_shared SHARED $<TARGET_OBJECTS:gfxisa_api>)
target_link_libraries(gfxisa_shared PRIVATE gfxisa_query gfxisa_text gfxisa_codec gfxisa_inst gfxisa_base)
# Only what the header declares is visible outside.
set(symbols ${CMAKE_SOURCE_DIR}/cmake/gfxisa.map)
target_link_options(gfxisa_shared PRIVATE LINKER:--version-script=${symbols})
if(NOT GFXISA_SANITIZE) # whose runtime comes with the program
  target_link_options(gfxisa_shared PRIVATE LINKER:--no-undefined)
endif()
set_target_properties(gfxisa_shared PROPERTIES OUTPUT_NAME gfxisa EXPORT_NAME gfxisa LINK_DEPENDS ${symbols}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

set(objects)
foreach(part api query text codec inst base)
  list(APPEND objects $<TARGET_OBJECTS:gfxisa_${part}>)
endforeach()
add_library(gfxisa_static STATIC ${objects})
target_link_libraries(gfxisa_static PUBLIC fmt::fmt)
set_target_properties(gfxisa_static PROPERTIES OUTPUT_NAME gfxisa EXPORT_NAME static LINKER_LANGUAGE CXX)

foreach(library gfxisa_shared gfxisa_static)
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${library} INTERFACE cxx_std_20)
endforeach()

# Components: `library` is what a program needs that uses it; the command is the rest.
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gfxisa)
install(TARGETS gfxisa_shared gfxisa_static EXPORT gfxisa COMPONENT library)
install(DIRECTORY include/gfxisa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT gfxisa NAMESPACE gfxisa:: FILE gfxisa-targets.cmake DESTINATION ${config_dir} COMPONENT library)
configure_package_config_file(cmake/gfxisa-config.cmake.in gfxisa-config.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(gfxisa-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gfxisa-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/gfxisa-config-version.cmake
  DESTINATION ${config_dir} COMPONENT library)
# Relative to itself, so that an installed tree may be moved.
file(RELATIVE_PATH GFXISA_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/gfxisa.pc.in gfxisa.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gfxisa.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
install(TARGETS gfxisa COMPONENT command)
