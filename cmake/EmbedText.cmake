# embed_text(<target> <function> <dir> <pattern> [<excluded>]): compiles every file under <dir> that matches
# <pattern>, but for those whose names match the regular expression <excluded>, into a static library, which
# defines lathe::<function>() (generator/support/embedded_text.h).
function(embed_text target function dir pattern)
  file(GLOB_RECURSE names CONFIGURE_DEPENDS RELATIVE ${dir} ${dir}/${pattern})
  if(ARGC GREATER 4)
    list(FILTER names EXCLUDE REGEX ${ARGV4})
  endif()
  # By bytes, so that a program can search the table and no file system decides the order.
  list(SORT names COMPARE STRING)
  list(TRANSFORM names PREPEND ${dir}/ OUTPUT_VARIABLE inputs)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.list)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_text_script.cmake)
  # A file, not an argument: the list may outgrow a command line, and a name that is gone must
  # re-run the command too.
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
