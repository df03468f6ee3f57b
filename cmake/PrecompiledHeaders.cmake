# What nearly every file includes, parsed once: it halves the time a file takes. Files still include
# what they use, since a build without precompiled headers has to work (LATHE_PCH=OFF).
option(LATHE_PCH "Precompile the standard and Abseil headers" ON)
set(LATHE_HEAVY_HEADERS
  <algorithm> <functional> <map> <memory> <optional> <string> <utility> <variant> <vector>
  <absl/container/flat_hash_map.h> <absl/container/flat_hash_set.h> <absl/status/statusor.h>
  <absl/strings/str_cat.h> <absl/strings/str_format.h> <absl/strings/str_join.h>
  <absl/strings/str_split.h> <absl/types/span.h>)

function(precompile_heavy_headers target)
  if(LATHE_PCH)
    target_precompile_headers(${target} PRIVATE ${LATHE_HEAVY_HEADERS} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -fpch-preprocess)  # so that ccache sees through it
    else()
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
endfunction()
