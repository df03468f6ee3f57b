// Whether graph passes leave a program what it is: the module well-formed, printable and readable,
// and its functions giving the same values.
#ifndef LATHE_TESTS_SUPPORT_PASS_PROBE_H_
#define LATHE_TESTS_SUPPORT_PASS_PROBE_H_

#include <string>

#include "generator/interp/values.h"

namespace lathe::testing {

// What is wrong after the passes "a,b" have run over the program `text`; empty when nothing is.
// `compared`, which may be null, is raised by the number of functions whose values were compared:
// the exported ones that can be given made-up inputs and do not fail on them before the passes.
std::string PassProblems(const std::string& text, const std::string& passes, int* compared);

// Where two values differ, floats by more than the passes may make them; empty when they do not.
std::string ValueDifference(const interp::Value& want, const interp::Value& got);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_PASS_PROBE_H_
