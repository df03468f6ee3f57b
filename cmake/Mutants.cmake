# switch_in_mutants(LIST): replaces the sources of LIST that tests/mutants/mutants.table lists by copies with
# faults, which the environment variable LATHE_MUTANT enables.
function(switch_in_mutants list)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(script ${PROJECT_SOURCE_DIR}/tests/mutants/mutate.py)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} ${PROJECT_BINARY_DIR}/mutants
    OUTPUT_VARIABLE names RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${script} fails")
  endif()
  string(REGEX REPLACE "\n$" "" names "${names}")
  string(REPLACE "\n" ";" names "${names}")
  foreach(name ${names})
    list(REMOVE_ITEM ${list} ${PROJECT_SOURCE_DIR}/${name})
    list(APPEND ${list} ${PROJECT_BINARY_DIR}/mutants/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name})
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${script} ${PROJECT_SOURCE_DIR}/tests/mutants/mutants.table)
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
