# normalize_tree(FOLDER): gives the files of a package permissions and time stamps that depend neither
# on the umask nor on the time of the build.
function(normalize_tree folder)
  foreach(words
      "-type;d;-exec;chmod;0755;{};+"
      "-type;f;-perm;/0111;-exec;chmod;0755;{};+"
      "-type;f;!;-perm;/0111;-exec;chmod;0644;{};+"
      "-depth;-exec;touch;-h;-d;@$ENV{SOURCE_DATE_EPOCH};{};+")
    execute_process(COMMAND find ${folder} ${words} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endfunction()
