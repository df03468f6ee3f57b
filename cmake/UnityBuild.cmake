# Sources compiled a group at a time: what their headers hold is parsed and instantiated once a group, which
# takes a tenth of the time. Names that are local to a file are unique in its layer for that
# (tests/style/check_local_names.py). Built without it, each file has to include what it uses.
option(LATHE_UNITY "Compile the sources of a folder in groups" ON)
# Of more, the edit of one takes longer to build; of fewer, all of them do.
set(LATHE_UNITY_GROUP 16 CACHE STRING "How many sources a group has at most")

# compile_in_groups(TARGET): the groups are of one folder each, as equal as they can be. A source with
# definitions of its own stays alone.
function(compile_in_groups target)
  if(NOT LATHE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(home ${target} SOURCE_DIR)
  set(folders "")
  foreach(source IN LISTS sources)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(definitions OR alone OR NOT source MATCHES "\\.cc$")
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${home})
    # Copies with faults switched in (Mutants.cmake) go with the folder they come from.
    string(REPLACE "${PROJECT_BINARY_DIR}/mutants/" "${PROJECT_SOURCE_DIR}/" origin ${path})
    file(RELATIVE_PATH origin ${PROJECT_SOURCE_DIR} ${origin})
    get_filename_component(folder ${origin} DIRECTORY)
    string(MAKE_C_IDENTIFIER ${folder} folder)
    list(APPEND folders ${folder})
    list(APPEND in_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH in_${folder} count)
    math(EXPR groups "(${count} + ${LATHE_UNITY_GROUP} - 1) / ${LATHE_UNITY_GROUP}")
    set(index 0)
    foreach(source IN LISTS in_${folder})
      math(EXPR group "${index} * ${groups} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
