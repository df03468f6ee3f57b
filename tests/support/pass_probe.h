// Checks that graph passes preserve a program: the module is well-formed, printable and readable,
// and its functions return the same values.
#ifndef LATHE_TESTS_SUPPORT_PASS_PROBE_H_
#define LATHE_TESTS_SUPPORT_PASS_PROBE_H_

#include <string>

#include "generator/interp/values.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::testing {

// The errors among them, a line and more each.
std::string Errors(const Diagnostics& diags);

// What breaks a rule of well-formed modules; empty when nothing does.
std::string FormProblems(ir::Context& context, const ir::Module& module);

// Why what is printed of it does not read back as the same module; empty when it does.
std::string PrintingProblems(const ir::Module& module);

// What is wrong after the passes "a,b" have run over the program `text`; empty when nothing is.
// `compared`, which may be null, is raised by the number of functions whose values were compared:
// the exported ones that can be given made-up inputs and do not fail on them before the passes.
std::string PassProblems(const std::string& text, const std::string& passes, int* compared);

// Where two values differ, floats by more than the passes may make them; empty when they do not.
std::string ValueDifference(const interp::Value& want, const interp::Value& got);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_PASS_PROBE_H_
