# lathe_add_model(TARGET MODEL FILE [NAME NAME] [TARGET_DEVICE TARGET] [ARGS ...])
#
# Adds a static library with the output of `lathe compile FILE`. Link it and include "NAME.h". It is generated
# again when the model changes. NAME is the C prefix of its symbols (default: TARGET). ARGS are further options
# of lathe compile: ARGS -D n=4 --max-ram 64K.
function(lathe_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL;NAME;TARGET_DEVICE" "ARGS")
  if(NOT arg_MODEL)
    message(FATAL_ERROR "lathe_add_model(${target}): MODEL FILE is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lathe_add_model(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT CMAKE_C_COMPILER_LOADED)
    message(FATAL_ERROR "lathe_add_model(${target}): the project has to enable the language C")
  endif()
  get_filename_component(model ${arg_MODEL} ABSOLUTE)
  string(MAKE_C_IDENTIFIER "${target}" name)
  if(arg_NAME)
    set(name ${arg_NAME})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/lathe/${target})
  set(words compile ${model} -n ${name} -o ${folder} ${arg_ARGS})
  if(arg_TARGET_DEVICE)
    list(APPEND words -t ${arg_TARGET_DEVICE})
  endif()

  # The list of files depends on the model. It is computed at configure time, and again when the model
  # changes.
  get_target_property(lathe lathe::lathe LOCATION)
  execute_process(COMMAND ${lathe} ${words} --list-outputs
    OUTPUT_VARIABLE outputs ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "lathe_add_model(${target}): lathe ended with ${failed}\n${said}")
  endif()
  string(REGEX REPLACE "\n$" "" outputs "${outputs}")
  string(REPLACE "\n" ";" outputs "${outputs}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${model})

  # Unchanged files keep their modification time, so a stamp file records the last run.
  set(stamp ${folder}.stamp)
  add_custom_command(
    OUTPUT ${stamp} ${outputs}
    COMMAND ${lathe} ${words} -MF ${folder}.d -MT ${stamp}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${model} ${lathe}
    DEPFILE ${folder}.d
    COMMENT "Compiling ${arg_MODEL} to C"
    VERBATIM)
  set(sources ${outputs})
  list(FILTER sources INCLUDE REGEX "\\.[chS]$")
  add_library(${target} STATIC ${stamp} ${sources})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC ${folder})
  target_compile_features(${target} PUBLIC c_std_99)
  # Bare-metal toolchains have libm too. In Microsoft's it is part of the C library.
  if(NOT MSVC)
    target_link_libraries(${target} PUBLIC m)
  endif()
endfunction()
