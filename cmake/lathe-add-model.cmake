# lathe_add_model(TARGET MODEL FILE [NAME NAME] [TARGET_DEVICE TARGET] [MAX_RAM SIZE] [MAX_FLASH SIZE]
#                 [MAX_STACK SIZE] [PREGENERATED FOLDER] [ARGS ...])
# lathe_add_model(TARGET MODEL FILE... SHARE_ARENA ARENA [NAME NAME...] ...)
#
# Adds a static library with the output of `lathe compile FILE`. Link it and include "NAME.h". It is generated
# again when the model changes. NAME is the C prefix of its symbols (default: TARGET). The build fails if the
# model needs more than MAX_RAM, MAX_FLASH or MAX_STACK bytes (64K, 2M), as the compiler of the project and its
# flags measure them. ARGS are further options of lathe compile: ARGS -D n=4.
#
# With SHARE_ARENA, the library has several models, of which one runs at a time. "ARENA.h" includes their headers and
# declares the size of their one arena, ARENA_ARENA_SIZE. The names are those of the files unless NAME has one for
# each. MAX_RAM counts the arena once.
#
# With PREGENERATED, the library is compiled from the files in FOLDER, which the project keeps in its repository.
# The target TARGET_check fails if they differ from the output of lathe, and TARGET_update writes them.
function(lathe_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARE_ARENA;TARGET_DEVICE;MAX_RAM;MAX_FLASH;MAX_STACK;PREGENERATED" "MODEL;NAME;ARGS")
  if(NOT arg_MODEL)
    message(FATAL_ERROR "lathe_add_model(${target}): MODEL FILE is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lathe_add_model(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT CMAKE_C_COMPILER_LOADED)
    message(FATAL_ERROR "lathe_add_model(${target}): the project has to enable the language C")
  endif()
  list(LENGTH arg_MODEL count)
  if(count GREATER 1 AND NOT arg_SHARE_ARENA)
    message(FATAL_ERROR "lathe_add_model(${target}): several models need SHARE_ARENA NAME")
  endif()
  set(models "")
  foreach(file IN LISTS arg_MODEL)
    get_filename_component(model ${file} ABSOLUTE)
    list(APPEND models ${model})
  endforeach()
  if(NOT arg_NAME AND NOT arg_SHARE_ARENA)
    string(MAKE_C_IDENTIFIER "${target}" arg_NAME)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/lathe/${target})
  set(words compile ${models} ${arg_ARGS})
  foreach(name IN LISTS arg_NAME)
    list(APPEND words -n ${name})
  endforeach()
  if(arg_SHARE_ARENA)
    list(APPEND words --share-arena ${arg_SHARE_ARENA})
  endif()
  if(arg_TARGET_DEVICE)
    list(APPEND words -t ${arg_TARGET_DEVICE})
  endif()
  set(budgets "")
  if(arg_MAX_RAM)
    list(APPEND budgets --max-ram ${arg_MAX_RAM})
  endif()
  if(arg_MAX_FLASH OR arg_MAX_STACK)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_INTERPROCEDURAL_OPTIMIZATION_${type})
      list(JOIN CMAKE_C_COMPILE_OPTIONS_IPO " " ipo)
      string(APPEND flags " ${ipo}")
    endif()
    list(APPEND budgets --cc ${CMAKE_C_COMPILER} "--cflags-only=${flags}")
  endif()
  if(arg_MAX_FLASH)
    list(APPEND budgets --max-flash ${arg_MAX_FLASH})
  endif()
  if(arg_MAX_STACK)
    list(APPEND budgets --max-stack ${arg_MAX_STACK})
  endif()

  # The list of files depends on the model. It is computed at configure time, and again when the model, the
  # compiler or the options change: a project may have hundreds of models.
  get_target_property(lathe lathe::lathe LOCATION)
  set(list ${folder}.outputs)
  set(known "")
  string(MD5 key "${lathe};${words}")
  set(is_old FALSE)
  foreach(input IN LISTS models lathe)
    if(${input} IS_NEWER_THAN ${list})
      set(is_old TRUE)
    endif()
  endforeach()
  if(EXISTS ${list} AND NOT is_old)
    file(STRINGS ${list} outputs)
    list(POP_FRONT outputs known)
  endif()
  if(NOT known STREQUAL key)
    execute_process(COMMAND ${lathe} ${words} -o ${folder} --list-outputs
      OUTPUT_VARIABLE outputs ERROR_VARIABLE said RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "lathe_add_model(${target}): lathe ended with ${failed}\n${said}")
    endif()
    file(WRITE ${list} "${key}\n${outputs}")
    file(STRINGS ${list} outputs)
    list(POP_FRONT outputs)
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${models})
  if("${outputs}" MATCHES "\\.S(;|$)" AND NOT CMAKE_ASM_COMPILER_LOADED)
    message(FATAL_ERROR "lathe_add_model(${target}): --weights incbin needs the language ASM: project(... LANGUAGES C ASM)")
  endif()

  list(JOIN arg_MODEL " " shown)
  # Unchanged files keep their modification time, so a stamp file records the last run.
  set(stamp ${folder}.stamp)
  add_custom_command(
    OUTPUT ${stamp} ${outputs}
    COMMAND ${lathe} ${words} ${budgets} -o ${folder} -MF ${folder}.d -MT ${stamp}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${models} ${lathe}
    DEPFILE ${folder}.d
    COMMENT "Compiling ${shown} to C"
    VERBATIM)
  set(sources ${stamp} ${outputs})
  if(arg_PREGENERATED)
    get_filename_component(kept ${arg_PREGENERATED} ABSOLUTE)
    set(update ${lathe} ${words} ${budgets} -o ${kept})
    set(sources "")
    set(compare "")
    foreach(output IN LISTS outputs)
      file(RELATIVE_PATH name ${folder} ${output})
      if(NOT EXISTS ${kept}/${name})
        # For a shell, which reads a word with a blank only in quotes.
        list(TRANSFORM update REPLACE "^(.* .*)$" "'\\1'" OUTPUT_VARIABLE line)
        list(JOIN line " " line)
        # CMake breaks no line that is indented.
        message(FATAL_ERROR "lathe_add_model(${target}): ${kept}/${name} does not exist; this writes it:\n  ${line}")
      endif()
      list(APPEND sources ${kept}/${name})
      list(APPEND compare COMMAND ${CMAKE_COMMAND} -DKEPT=${kept}/${name} -DMADE=${output} -DTARGET=${target}
        -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compare-kept.cmake)
    endforeach()
    add_custom_target(${target}_check ${compare} DEPENDS ${stamp} VERBATIM
      COMMENT "Comparing ${arg_PREGENERATED} with the output of lathe")
    add_custom_target(${target}_update COMMAND ${update} VERBATIM)
    set(folder ${kept})
  endif()
  list(FILTER sources INCLUDE REGEX "\\.([chS]|stamp)$")
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC ${folder})
  target_compile_features(${target} PUBLIC c_std_99)
  # Bare-metal toolchains have libm too. In Microsoft's it is part of the C library.
  if(NOT MSVC)
    target_link_libraries(${target} PUBLIC m)
  endif()
endfunction()
