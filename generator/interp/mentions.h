// Collects the variables that a function or a StructInfo refers to. A closure captures those that
// are bound outside.
#ifndef LATHE_INTERP_MENTIONS_H_
#define LATHE_INTERP_MENTIONS_H_

#include <vector>

#include "generator/interp/eval_scalar.h"
#include "generator/ir/module.h"

namespace lathe::interp {

struct Mentions {
  std::vector<ir::ValueId> values;  // each once, in order of appearance
  std::vector<ir::PrimRef> shape_vars;
};

// Return the variables. Those that are bound inside `f` are included; the caller skips them.
Mentions MentionsOf(const ir::Function& f, const ir::Module& module, ScalarEvaluator& scalars);

Mentions MentionsOf(ir::StructInfoRef info, ScalarEvaluator& scalars);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_MENTIONS_H_
