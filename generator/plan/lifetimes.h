// When each tensor of a routine is in use.
#ifndef LATHE_PLAN_LIFETIMES_H_
#define LATHE_PLAN_LIFETIMES_H_

#include <vector>

#include "generator/ir/program.h"

namespace lathe::plan {

// Steps are numbered in the order of the text, those of branches after the branch itself. A tensor
// that is used in a branch and after it is alive through the other branch too.
struct Life {
  ir::TensorId tensor;
  int first = 0;
  int last = 0;
};
// Of the arena tensors, views counted as what they are views of, in the order of their first use.
std::vector<Life> Lifetimes(const ir::Program& program, const ir::Routine& routine);

// The calls of a routine with the number of their step.
struct CallAt {
  const ir::CallStep* call;
  int step;
};
std::vector<CallAt> CallsOf(const ir::Routine& routine);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_LIFETIMES_H_
