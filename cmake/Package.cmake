# Describes the packages of cpack: a tarball and a Debian package (docs/install.md). Equal sources
# give equal bytes, with the time stamp of SOURCE_DATE_EPOCH or of the last commit.
set(CPACK_PACKAGE_NAME lathe)
set(CPACK_PACKAGE_VENDOR Lathe)
set(CPACK_PACKAGE_CONTACT "The authors of Lathe <lathe@lathe.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ahead-of-time compiler for neural networks to C and CUDA")
set(CPACK_PACKAGE_DESCRIPTION
  "Lathe reads ONNX, TFLite, Relax and Relay programs and writes plain C99 or CUDA source code,
without a framework, an interpreter or an allocator. The program is linked statically.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TXZ DEB)
set(CPACK_SYSTEM_NAME linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_FILE_NAME lathe-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/normalize_package.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/sort_package.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_epoch.cmake)
set(CPACK_LATHE_SOURCE_DIR ${PROJECT_SOURCE_DIR})

set(CPACK_PACKAGING_INSTALL_PREFIX "")
set(CPACK_DEBIAN_PACKAGE_NAME lathe)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Of the processor that the program is for, which may not be that of this machine.
set(debian_architecture_x86_64 amd64)
set(debian_architecture_aarch64 arm64)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${debian_architecture_${CMAKE_SYSTEM_PROCESSOR}})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, cmake, gcc-arm-none-eabi, gcc-riscv64-unknown-elf, qemu-system-arm")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
