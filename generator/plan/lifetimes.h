// Computes the first and last step that use each tensor of a routine.
#ifndef LATHE_PLAN_LIFETIMES_H_
#define LATHE_PLAN_LIFETIMES_H_

#include <vector>

#include "generator/ir/program.h"

namespace lathe::plan {

// Steps are numbered in textual order; a branch precedes the steps inside it. A tensor that is used
// in one branch and after the branch is also alive in the other one.
struct Life {
  ir::TensorId tensor;
  int first = 0;
  int last = 0;
};
// Returns the lifetimes of arena tensors in the order of their first use. A use of a view counts as
// a use of the viewed tensor.
std::vector<Life> Lifetimes(const ir::Program& program, const ir::Routine& routine);

// A call step of a routine with its step number.
struct CallAt {
  const ir::CallStep* call;
  int step;
};
std::vector<CallAt> CallsOf(const ir::Routine& routine);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_LIFETIMES_H_
