# Fails unless a file that a project keeps equals the output of lathe: cmake -DKEPT=FILE -DMADE=FILE -DTARGET=NAME -P
# compare-kept.cmake
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${KEPT} ${MADE} RESULT_VARIABLE differ OUTPUT_QUIET ERROR_QUIET)
if(differ)
  message(FATAL_ERROR "${KEPT} differs from the output of lathe, ${MADE}; build the target ${TARGET}_update")
endif()
