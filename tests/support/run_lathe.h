// Runs `lathe` in this process and captures its output.
#ifndef LATHE_TESTS_SUPPORT_RUN_LATHE_H_
#define LATHE_TESTS_SUPPORT_RUN_LATHE_H_

#include <string>
#include <vector>

namespace lathe {

struct LatheRun {
  int exit = 0;
  std::string out;
  std::string err;
};

LatheRun RunLatheOn(const std::vector<std::string>& args, const std::string& typed = "");

// The same with the arguments as one text, separated by blanks; quotes protect blanks.
LatheRun RunLatheWords(const std::string& args, const std::string& typed = "");

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_RUN_LATHE_H_
