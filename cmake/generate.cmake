# Runs specc over spec/ into build/gen. specc writes a file only when its text changed, so an edit of one spec file
# recompiles that file's kernels and the tables.
file(GLOB_RECURSE GFXISA_SPEC_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/spec/*.isa)
set(gen ${CMAKE_BINARY_DIR}/gen)
set(GFXISA_TABLE_SOURCES ${gen}/tables.cc)
set(GFXISA_KERNEL_SOURCES ${gen}/kernels.cc) # the table of all kernels of a level
foreach(file ${GFXISA_SPEC_FILES})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/spec ${file})
  string(REGEX REPLACE "[/.]" "_" name ${name})
  list(APPEND GFXISA_KERNEL_SOURCES ${gen}/kernels_${name}.cc)
endforeach()
add_custom_command(
  OUTPUT ${gen}/stamp
  BYPRODUCTS ${GFXISA_TABLE_SOURCES} ${GFXISA_KERNEL_SOURCES}
  COMMAND specc generate ${CMAKE_SOURCE_DIR}/spec ${gen}
  COMMAND ${CMAKE_COMMAND} -E touch ${gen}/stamp
  DEPENDS specc ${GFXISA_SPEC_FILES}
  COMMENT "specc: spec/ -> gen/"
  VERBATIM)
add_custom_target(gfxisa_generate DEPENDS ${gen}/stamp)

# The kernels, once a SIMD level of the host. Floating point must not be contracted or reordered, since the MODE register
# decides rounding through MXCSR. -frounding-math is not among the flags: with it g++ vectorises neither sqrt nor fma, and
# what it would keep from being folded, arithmetic on constants alone, the checker has folded already.
set(GFXISA_KERNEL_LEVELS baseline avx2 avx512 CACHE STRING "SIMD levels to build kernels for; the best one the host has is used")
set(GFXISA_KERNEL_OPTIMISATION -O3 CACHE STRING "Optimisation of kernels, in every build type")

# The kernels' header is precompiled: reading it is most of the work for a small file of kernels. The handlers do without.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/exec/level/lane_handlers.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

function(gfxisa_kernels target)
  set(flags ${GFXISA_KERNEL_OPTIMISATION} -ffp-contract=off -fno-trapping-math -fno-math-errno -Wno-unused-parameter -Wno-unused-variable -Wno-tautological-compare)
  set(baseline_flags)
  set(avx2_flags -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
  set(avx512_flags ${avx2_flags} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
  foreach(level ${GFXISA_KERNEL_LEVELS})
    add_library(gfxisa_kernels_${level} OBJECT ${GFXISA_KERNEL_SOURCES} ${CMAKE_SOURCE_DIR}/src/exec/level/lane_handlers.cc)
    target_compile_options(gfxisa_kernels_${level} PRIVATE ${flags} ${${level}_flags})
    target_compile_definitions(gfxisa_kernels_${level} PRIVATE GFXISA_LEVEL=${level})
    target_include_directories(gfxisa_kernels_${level} PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_precompile_headers(gfxisa_kernels_${level} PRIVATE ${CMAKE_SOURCE_DIR}/src/exec/kernel_support.h)
    add_dependencies(gfxisa_kernels_${level} gfxisa_generate)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:gfxisa_kernels_${level}>)
    target_compile_definitions(${target} PRIVATE GFXISA_HAS_${level})
  endforeach()
endfunction()
