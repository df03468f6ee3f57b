# Run by cpack on the files of a package: gives them permissions and time stamps that depend neither
# on the umask nor on the time of the build.
set(folder ${CPACK_TEMPORARY_DIRECTORY})
foreach(words
    "-type;d;-exec;chmod;0755;{};+"
    "-type;f;-perm;/0111;-exec;chmod;0755;{};+"
    "-type;f;!;-perm;/0111;-exec;chmod;0644;{};+"
    "-depth;-exec;touch;-h;-d;@$ENV{SOURCE_DATE_EPOCH};{};+")
  execute_process(COMMAND find ${folder} ${words} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
