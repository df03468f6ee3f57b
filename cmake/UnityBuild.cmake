# Compiles sources in groups. Headers are parsed and templates instantiated once for each group, which takes a
# tenth of the time. File-local names therefore have to be unique in a layer
# (tests/style/check_local_names.py). Builds without groups check that each file includes what it uses.
option(LATHE_UNITY "Compile the sources of a folder in groups" ON)
# Larger groups slow down builds after an edit; smaller groups slow down full builds.
set(LATHE_UNITY_GROUP 16 CACHE STRING "How many sources a group has at most")

# compile_in_groups(TARGET): divides the sources of each folder into groups of similar size. A source with
# its own definitions is compiled alone.
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
    # Copies with faults (Mutants.cmake) belong to the folder of the original.
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
