# Run by cpack on the files of a package, before it packs them.
include(${CMAKE_CURRENT_LIST_DIR}/normalize_tree.cmake)
normalize_tree(${CPACK_TEMPORARY_DIRECTORY})
