// Runs one program of the conformance corpus: reads, checks and prints it in each dialect, and
// reads the output back.
#ifndef LATHE_TESTS_CONFORMANCE_RUN_PROGRAM_H_
#define LATHE_TESTS_CONFORMANCE_RUN_PROGRAM_H_

#include <string>
#include <vector>

namespace lathe::conformance {

struct DialectResult {
  std::string dialect;
  std::string status;  // "same", "refused" (what was printed), "different", "unstable"
  std::string detail;
  std::string text;  // what was printed
};

struct ProgramResult {
  // "read", "refused"; the parent process adds "crashed" and "timeout".
  std::string status;
  std::vector<std::string> codes;        // of the diagnostics of reading
  std::string message;                   // the first of them
  std::vector<int> lines;                // where their errors are
  std::vector<std::string> check_codes;  // the errors of checking, when reading gave none
  std::string check_message;
  std::vector<DialectResult> dialects;
};

ProgramResult RunProgram(const std::string& path, std::string text);

}  // namespace lathe::conformance

#endif  // LATHE_TESTS_CONFORMANCE_RUN_PROGRAM_H_
