# Writes the manual pages and the completion scripts that the program prints.
#
#   cmake -Dlathe=PROGRAM -Dverbs=A,B -Dfolder=FOLDER -P write_pages.cmake
#
# FOLDER gets the layout of a prefix: share/man/man1, share/bash-completion, ...
cmake_minimum_required(VERSION 3.25)

function(write_page file)
  get_filename_component(parent ${folder}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  execute_process(COMMAND ${lathe} ${ARGN} OUTPUT_FILE ${folder}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${folder}/share)
write_page(share/man/man1/lathe.1 help --man)
string(REPLACE "," ";" verbs "${verbs}")
foreach(verb IN LISTS verbs)
  write_page(share/man/man1/lathe-${verb}.1 help --man ${verb})
endforeach()
write_page(share/bash-completion/completions/lathe completion bash)
write_page(share/zsh/vendor-completions/_lathe completion zsh)
write_page(share/fish/vendor_completions.d/lathe.fish completion fish)
