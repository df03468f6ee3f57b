# Selects faster build tools if they are installed, and a default build type.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

# Configures ccache to ignore the path of the source tree, so that several checkouts share objects.
find_program(LATHE_CCACHE ccache)
mark_as_advanced(LATHE_CCACHE)
if(LATHE_CCACHE AND (NOT CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER STREQUAL "ccache"))
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${LATHE_CCACHE})
endif()

# mold, else lld, else the compiler's own choice.
include(CheckLinkerFlag)
foreach(linker mold lld)
  find_program(LATHE_LINKER_${linker} ${linker})
  mark_as_advanced(LATHE_LINKER_${linker})
  if(LATHE_LINKER_${linker})
    check_linker_flag(CXX -fuse-ld=${linker} LATHE_LINKS_WITH_${linker})
    if(LATHE_LINKS_WITH_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endif()
endforeach()

# The commit, for --version. Only releases carry it: a build in daily use would relink at every
# commit, and a source archive has none.
set(LATHE_COMMIT "")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE LATHE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
