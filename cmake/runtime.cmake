# libhsa-runtime64.so.1 above the machine. The interface is that of Debian's headers; without them there is no runtime.
find_path(HSA_INCLUDE hsa/hsa_ext_amd.h)
if(NOT HSA_INCLUDE)
  message(STATUS "hsa/hsa_ext_amd.h (libhsa-runtime-dev) not found: the HSA runtime is not built")
  return()
endif()

# Under sanitizers a library leaves their functions to the program.
set(no_undefined -Wl,--no-undefined)
if(GFXISA_SANITIZE)
  set(no_undefined)
  # Codes of AMD's extension lie beyond the enumeration as which the interface passes them.
  set(amd_status -fno-sanitize=enum)
endif()
set(exports ${CMAKE_SOURCE_DIR}/src/runtime/exports.map)
add_library(gfxisa_runtime SHARED)
gfxisa_glob_sources(gfxisa_runtime src/runtime)
target_link_libraries(gfxisa_runtime PRIVATE gfxisa_exec gfxisa_elf gfxisa_text)
target_compile_options(gfxisa_runtime PRIVATE ${amd_status})
# Never unloaded: threads of the runtime may still run when a program lets go of the library.
target_link_options(gfxisa_runtime PRIVATE -Wl,-z,nodelete -Wl,--version-script=${exports} ${no_undefined})
set_target_properties(gfxisa_runtime PROPERTIES
  OUTPUT_NAME hsa-runtime64 VERSION 1.1.0 SOVERSION 1 LINK_DEPENDS ${exports}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/runtime)

# What `gfxisa run -- PROGRAM` puts around a program besides: the driver's device file and its module.
add_library(gfxisa_preload SHARED ${CMAKE_SOURCE_DIR}/src/runtime/preload/open.cc)
target_link_libraries(gfxisa_preload PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(gfxisa_preload PROPERTIES OUTPUT_NAME gfxisa-preload LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/runtime)
configure_file(${CMAKE_SOURCE_DIR}/src/runtime/preload/lsmod ${CMAKE_BINARY_DIR}/runtime/bin/lsmod COPYONLY)
add_dependencies(gfxisa gfxisa_runtime gfxisa_preload)

# HIP for the targets that Debian's HIP does not know. In a folder of its own, so that a program finds it only where it
# is asked to.
find_path(HIP_INCLUDE hip/hip_runtime_api.h)
if(NOT HIP_INCLUDE)
  message(STATUS "hip/hip_runtime_api.h (libamdhip64-dev) not found: the HIP library is not built")
  return()
endif()
set(hip_exports ${CMAKE_SOURCE_DIR}/src/hip/exports.map)
add_library(gfxisa_hip SHARED)
gfxisa_glob_sources(gfxisa_hip src/hip)
target_compile_definitions(gfxisa_hip PRIVATE __HIP_PLATFORM_AMD__)
target_link_libraries(gfxisa_hip PRIVATE gfxisa_elf gfxisa_runtime Threads::Threads)
target_link_options(gfxisa_hip PRIVATE -Wl,-z,nodelete -Wl,--version-script=${hip_exports} ${no_undefined})
set_target_properties(gfxisa_hip PROPERTIES
  OUTPUT_NAME amdhip64 VERSION 5.2.0 SOVERSION 5 LINK_DEPENDS ${hip_exports}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/runtime/hip)
add_dependencies(gfxisa gfxisa_hip)
