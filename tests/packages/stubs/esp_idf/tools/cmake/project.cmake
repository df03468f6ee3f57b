# The part of ESP-IDF's build that a component and an example use, for the host: components from
# EXTRA_COMPONENT_DIRS and main/, and a program that calls app_main.
enable_language(C ASM)
set(IDF_STUB ${CMAKE_CURRENT_LIST_DIR})
macro(idf_component_register)
  cmake_parse_arguments(idf "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
  get_filename_component(component ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(COMPONENT_LIB idf_${component})
  add_library(${COMPONENT_LIB} STATIC ${idf_SRCS})
  target_include_directories(${COMPONENT_LIB} PUBLIC ${idf_INCLUDE_DIRS})
  target_link_libraries(${COMPONENT_LIB} PUBLIC m)
  set_property(GLOBAL APPEND PROPERTY IDF_LIBRARIES ${COMPONENT_LIB})
endmacro()

# The macro of ESP-IDF has the name of CMake's command, which is then called with an underscore.
macro(project name)
  _project(${name} C ASM)
  foreach(folder IN LISTS EXTRA_COMPONENT_DIRS)
    get_filename_component(component ${folder} ABSOLUTE)
    get_filename_component(component ${component} NAME)
    add_subdirectory(${folder} ${CMAKE_BINARY_DIR}/components/${component})
  endforeach()
  get_property(libraries GLOBAL PROPERTY IDF_LIBRARIES)
  add_subdirectory(main)
  target_link_libraries(idf_main PRIVATE ${libraries}) # main requires all components
  add_executable(${name} ${IDF_STUB}/start.c)
  target_link_libraries(${name} PRIVATE idf_main)
endmacro()
