# Run by cpack first: sets SOURCE_DATE_EPOCH, the time stamp of all files of a package, to the time
# of the last commit unless the environment has it.
if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  execute_process(COMMAND git -C ${CPACK_LATHE_SOURCE_DIR} log -1 --format=%ct
    OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "Set SOURCE_DATE_EPOCH to the time stamp of the files: this source tree is no clone")
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
