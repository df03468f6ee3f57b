# What nearly every file includes, parsed once. Files still include what they use, since a build
# without precompiled headers has to work.
#
#   external   the standard's and Abseil's headers: for editing, where ours change
#   all        ours too (the vocabulary of ir/): for building once
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

# So that ccache sees through a precompiled header.
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

# For a target that is compiled as `other` is. gcc takes no header of a target with other definitions.
function(reuse_heavy_headers target other)
  if(LATHE_PCH AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_precompile_headers(${target} REUSE_FROM ${other})
    _let_ccache_see(${target})
  endif()
endfunction()
