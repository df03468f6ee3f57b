// Computes the first and last step that use each tensor of a routine.
#ifndef LATHE_IR_LIFETIMES_H_
#define LATHE_IR_LIFETIMES_H_

#include <vector>

#include "generator/ir/program.h"

namespace lathe::ir {

// Steps are numbered in textual order; a branch precedes the steps inside it. A tensor that is used
// in one branch and after the branch is also alive in the other one.
struct Life {
  TensorId tensor;
  int first = 0;
  int last = 0;
};
// Returns the lifetimes of arena tensors in the order of their first use. A use of a view counts as
// a use of the viewed tensor.
std::vector<Life> Lifetimes(const Program& program, const Routine& routine);

// A call step of a routine with its step number.
struct CallAt {
  const CallStep* call;
  int step;
};
std::vector<CallAt> CallsOf(const Routine& routine);

}  // namespace lathe::ir

#endif  // LATHE_IR_LIFETIMES_H_
