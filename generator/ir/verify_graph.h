// Verifies the invariants of a Module, which every reader and pass must preserve. Errors that a
// user can make are reported by analysis/well_formed/well_formed.
//
//   ids name what exists            each variable is bound once, and before its uses
//   no null where none may be       blocks are consolidated, dataflow variables stay in theirs
#ifndef LATHE_IR_VERIFY_GRAPH_H_
#define LATHE_IR_VERIFY_GRAPH_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::ir {

// Returns the first broken invariant with its location: "function 'main': 'lv0' is bound twice".
std::optional<std::string> BrokenInvariant(const Module& module);

// Ends the process with an internal error if an invariant is broken after `pass`.
void VerifyGraph(const Module& module, absl::string_view pass);

}  // namespace lathe::ir

#endif  // LATHE_IR_VERIFY_GRAPH_H_
