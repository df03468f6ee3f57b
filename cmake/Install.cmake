# Installs the program, the public headers, the C runtime of generated code, a CMake package for
# find_package(lathe), manual pages, shell completion, documentation and samples.
include(CMakePackageConfigHelpers)

# The table of verbs is in the program, which therefore prints its manual pages.
set(verbs ${generator_sources})
list(FILTER verbs INCLUDE REGEX "/driver/cli/verb_[a-z]+\\.cc$")
list(TRANSFORM verbs REPLACE ".*/verb_([a-z]+)\\.cc$" "\\1")
list(JOIN verbs "," verbs)
set(pages ${PROJECT_BINARY_DIR}/pages)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Manual pages and shell completion need CMAKE_CROSSCOMPILING_EMULATOR, which runs lathe")
else()
  set(lathe_command $<TARGET_FILE:lathe>)
  if(CMAKE_CROSSCOMPILING)
    set(lathe_command "${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:lathe>")
  endif()
  add_custom_command(TARGET lathe POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} "-Dlathe=${lathe_command}" -Dverbs=${verbs} -Dfolder=${pages}
      -P ${PROJECT_SOURCE_DIR}/cmake/write_pages.cmake)
  install(DIRECTORY ${pages}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()

install(TARGETS lathe EXPORT lathe-targets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lathe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime-c/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lathe/runtime-c
  FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "README.md" PATTERN "emulation" EXCLUDE)

# In share/, because the program runs on the build machine: projects for other processors, and 32-bit
# ones, search share/ too, but not the lib/ of another machine.
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/lathe)
install(EXPORT lathe-targets NAMESPACE lathe:: DESTINATION ${package_dir})
set(headers ${CMAKE_INSTALL_INCLUDEDIR})
set(runtime ${CMAKE_INSTALL_DATADIR}/lathe/runtime-c)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/lathe-config.cmake.in
  ${PROJECT_BINARY_DIR}/installed/lathe-config.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS headers runtime)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lathe-config-version.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT) # the program runs on the build machine, also in cross builds
install(FILES ${PROJECT_BINARY_DIR}/installed/lathe-config.cmake ${PROJECT_BINARY_DIR}/lathe-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/lathe-add-model.cmake
  ${PROJECT_SOURCE_DIR}/cmake/compare-kept.cmake
  DESTINATION ${package_dir})

# The package of the build folder, which find_package(lathe) finds if its bin/ is on the PATH.
export(EXPORT lathe-targets NAMESPACE lathe:: FILE ${PROJECT_BINARY_DIR}/lathe-targets.cmake)
configure_file(${PROJECT_SOURCE_DIR}/cmake/lathe-add-model.cmake ${PROJECT_BINARY_DIR}/lathe-add-model.cmake COPYONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/compare-kept.cmake ${PROJECT_BINARY_DIR}/compare-kept.cmake COPYONLY)
set(headers ${PROJECT_SOURCE_DIR}/include)
set(runtime ${PROJECT_SOURCE_DIR}/runtime-c)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/lathe-config.cmake.in
  ${PROJECT_BINARY_DIR}/lathe-config.cmake
  INSTALL_DESTINATION ${PROJECT_BINARY_DIR}
  PATH_VARS headers runtime)

# The pages link each other.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md
  ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/samples
  PATTERN "build" EXCLUDE)

# The same texts as a site, with a page per operator; the program prints what is on these.
if(LATHE_SITE AND CMAKE_CROSSCOMPILING)
  message(STATUS "The site is not built: that runs lathe")
elseif(LATHE_SITE)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # Texts and samples that pages show, and the tables of tests from which examples come.
  file(GLOB_RECURSE site_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/* ${PROJECT_SOURCE_DIR}/tools/site/*
    ${PROJECT_SOURCE_DIR}/samples/* ${PROJECT_SOURCE_DIR}/*.md ${PROJECT_SOURCE_DIR}/tests/docs/*
    ${PROJECT_SOURCE_DIR}/tests/kernel_kinds/*.table ${PROJECT_SOURCE_DIR}/tests/relay/*.txt
    ${PROJECT_SOURCE_DIR}/tests/tflite/*.py ${PROJECT_SOURCE_DIR}/tests/tflite/grid/*.py
    ${PROJECT_SOURCE_DIR}/tests/hostile/*.py ${PROJECT_SOURCE_DIR}/tests/report/*.py)
  set(site ${PROJECT_BINARY_DIR}/site)
  add_custom_command(OUTPUT ${site}/index.html VERBATIM
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${site}
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/site/build.py $<TARGET_FILE:lathe> ${site}
    DEPENDS lathe ${site_sources} ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
  add_custom_target(site ALL DEPENDS ${site}/index.html)
  install(DIRECTORY ${site}/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html)
endif()
