# embed_text(<target> <function> <dir> <pattern> [<excluded>]): embeds every file under <dir> that matches
# <pattern>, except names that match the regular expression <excluded>, into a static library that defines
# lathe::<function>() (generator/support/embedded_text.h).
function(embed_text target function dir pattern)
  file(GLOB_RECURSE names CONFIGURE_DEPENDS RELATIVE ${dir} ${dir}/${pattern})
  if(ARGC GREATER 4)
    list(FILTER names EXCLUDE REGEX ${ARGV4})
  endif()
  # Sorted by bytes for binary search, and independent of the file system.
  list(SORT names COMPARE STRING)
  list(TRANSFORM names PREPEND ${dir}/ OUTPUT_VARIABLE inputs)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.list)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_text_script.cmake)
  # A file, because the list may exceed the length of a command line, and because removed names have to
  # re-run the command.
  file(CONFIGURE OUTPUT ${list} CONTENT "${names}" @ONLY)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -Ddir=${dir} -Doutput=${output} -Dlist=${list} -Dfunction=${function} -P ${script}
    DEPENDS ${inputs} ${list} ${script}
    COMMENT "Embedding ${pattern} of ${dir}"
    VERBATIM)
  add_library(${target} STATIC ${output})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC lathe_options absl::strings absl::span)
endfunction()
