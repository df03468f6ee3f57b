// The invariants of a Module itself, which every reader and pass must leave true. What a user may
// get wrong is not here: that is analysis/well_formed/well_formed.
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

// The first invariant that does not hold, with its place: "function 'main': 'lv0' is bound twice".
std::optional<std::string> BrokenInvariant(const Module& module);

// Ends the program with an internal error when an invariant is broken after `pass`.
void VerifyGraph(const Module& module, absl::string_view pass);

}  // namespace lathe::ir

#endif  // LATHE_IR_VERIFY_GRAPH_H_
