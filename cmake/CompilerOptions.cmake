# Defines the interface library lathe_options with the compiler options of all C++ targets.
add_library(lathe_options INTERFACE)
target_compile_options(lathe_options INTERFACE -Wall -Wextra -Wno-missing-field-initializers)
# Without fused multiply-add, the interpreter gives equal results on all machines.
target_compile_options(lathe_options INTERFACE -ffp-contract=off)
if(LATHE_WERROR)
  target_compile_options(lathe_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of gcc 12 for std::variant and std::string (GCC bugs 105562, 105651). clang and the
  # sanitizers find the real errors.
  target_compile_options(lathe_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()

# Releases name source files by their path in the source tree, so that the same source gives the same
# program in every folder.
target_compile_options(lathe_options INTERFACE $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g1")
# Debug builds stop at an index out of bounds.
target_compile_definitions(lathe_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(LATHE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
  target_compile_options(lathe_options INTERFACE ${sanitizers})
  target_link_options(lathe_options INTERFACE ${sanitizers})
endif()
if(LATHE_FUZZ)
  target_compile_options(lathe_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(LATHE_SANITIZE OR LATHE_FUZZ)
  target_compile_definitions(lathe_options INTERFACE LATHE_ABORT_ON_BUG)
endif()
