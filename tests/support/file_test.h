// Runs tests that are text files: inputs, command lines and expected output in one file.
//
//   What the file is about.
//   -- input.py --
//   <the text of an input file>
//   -- args --
//   check input.py
//   -- stdout --
//   -- stderr --
//   input.py:1:1: error: ... [some-code]
//   -- exit --
//   2
//
// Each `args` section runs `lathe` once, in this process and in a new directory with the file's
// inputs. The words of its lines are the arguments (quoted as in response files). `stdin`,
// `stdout`, `stderr` and `exit` belong to the preceding `args`; a missing one means no output, or
// exit code 0. UPDATE_GOLDENS=1 rewrites the expected sections in place.
#ifndef LATHE_TESTS_SUPPORT_FILE_TEST_H_
#define LATHE_TESTS_SUPPORT_FILE_TEST_H_

#include <string>

namespace lathe {

// Registers one GoogleTest for every tests/**/*.txt outside of style/, fuzz/ and data/, except
// CMakeLists.txt. The folder and the stem name the test.
void RegisterFileTests();

// Runs every command line of `text`, and returns the text with the actual output.
std::string RunFileTest(const std::string& text);

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_FILE_TEST_H_
