# Installs the program, the public headers, the C runtime of generated code, and a CMake package for
# find_package(lathe).
include(CMakePackageConfigHelpers)

install(TARGETS lathe EXPORT lathe-targets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lathe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime-c/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lathe/runtime-c
  FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "README.md" PATTERN "CMakeLists.txt"
  PATTERN "emulation" EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lathe)
install(EXPORT lathe-targets NAMESPACE lathe:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/lathe-config.cmake.in
  ${PROJECT_BINARY_DIR}/lathe-config.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lathe-config-version.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT) # the program runs on the build machine, also in cross builds
install(FILES ${PROJECT_BINARY_DIR}/lathe-config.cmake ${PROJECT_BINARY_DIR}/lathe-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/lathe-add-model.cmake
  DESTINATION ${package_dir})
