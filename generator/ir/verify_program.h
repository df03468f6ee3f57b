// Verifies the invariants of a Program, which lowering and every program pass must preserve.
//
//   ids name existing kernels, tensors, routines, constants and devices
//   a kernel is called with one tensor for each buffer, of the buffer's dtype, and one scalar for
//   each scalar parameter
//   a view has a base, and a chain of views ends
//   a routine is called with as many inputs, sizes and outputs as it declares
//   a routine reads a scalar only after its definition
#ifndef LATHE_IR_VERIFY_PROGRAM_H_
#define LATHE_IR_VERIFY_PROGRAM_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/program.h"

namespace lathe::ir {

// Returns the first broken invariant with its place: "routine 'main', step 3: kernel 'add' takes 3
// tensors, 2 are given".
std::optional<std::string> BrokenInvariant(const Program& program);

// Ends the process with an internal error when `pass` has broken an invariant.
void VerifyProgram(const Program& program, absl::string_view pass);

}  // namespace lathe::ir

#endif  // LATHE_IR_VERIFY_PROGRAM_H_
