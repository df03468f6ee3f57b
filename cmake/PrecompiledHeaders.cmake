# Precompiles headers that nearly every file includes. Files still include what they use, because builds
# without precompiled headers have to work.
#
#   external   standard and Abseil headers: for editing, when the project's headers change
#   all        also headers of ir/ and support/: for a single build
#   OFF        none
set(LATHE_PCH all CACHE STRING "Headers to precompile: all, external or OFF")
set_property(CACHE LATHE_PCH PROPERTY STRINGS all external OFF)
set(LATHE_HEAVY_HEADERS
  <algorithm> <functional> <map> <memory> <optional> <string> <utility> <variant> <vector>
  <absl/container/flat_hash_map.h> <absl/container/flat_hash_set.h> <absl/status/statusor.h>
  <absl/strings/str_cat.h> <absl/strings/str_format.h> <absl/strings/str_join.h>
  <absl/strings/str_split.h> <absl/types/span.h>)
if(LATHE_PCH STREQUAL "all")
  list(APPEND LATHE_HEAVY_HEADERS
    <generator/ir/context.h> <generator/ir/op.h>
    <generator/support/diagnostics.h>
    <generator/support/match.h>)
endif()

# Sets the flags that ccache needs to handle precompiled headers.
function(_let_ccache_see target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

function(precompile_heavy_headers target)
  if(LATHE_PCH)
    target_precompile_headers(${target} PRIVATE ${LATHE_HEAVY_HEADERS} ${ARGN})
    _let_ccache_see(${target})
  endif()
endfunction()

# Reuses the headers of the target `other` for a target with the same options. gcc rejects headers of a target
# with other definitions, so this is only for clang.
function(reuse_heavy_headers target other)
  if(LATHE_PCH AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_precompile_headers(${target} REUSE_FROM ${other})
    _let_ccache_see(${target})
  endif()
endfunction()
