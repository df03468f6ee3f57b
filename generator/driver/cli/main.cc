// The program: hands the process's arguments and streams to RunLathe.
#include <string>
#include <vector>

#include "generator/driver/cli/command_line.h"

int main(int argc, char** argv) {
  std::vector<std::string> args;
  for (int i = 1; i < argc; ++i) args.emplace_back(argv[i]);
  return lathe::driver::RunLathe(args, {stdin, stdout, stderr});
}
