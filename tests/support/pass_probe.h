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

// The errors, one or more lines each.
std::string Errors(const Diagnostics& diags);

// Describes violated rules of well-formed modules; empty if there are none.
std::string FormProblems(ir::Context& context, const ir::Module& module);

// Explains why the printed module does not read back as an equal one; empty if it does.
std::string PrintingProblems(const ir::Module& module);

// Describes errors after the passes "a,b" have run over the program `text`; empty if there are
// none. Adds to `compared`, which may be null, the number of functions whose values were compared:
// exported functions that succeed on random inputs before the passes.
std::string PassProblems(const std::string& text, const std::string& passes, int* compared);

// Describes where two values differ, floats by more than passes may change them; empty if nowhere.
std::string ValueDifference(const interp::Value& want, const interp::Value& got);

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_PASS_PROBE_H_
