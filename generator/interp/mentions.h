// The variables that a piece of program refers to: what a closure may have to capture.
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

// Everything in `f`, what it binds itself included: that has no value outside.
Mentions MentionsOf(const ir::Function& f, const ir::Module& module, ScalarEvaluator& scalars);

Mentions MentionsOf(ir::StructInfoRef info, ScalarEvaluator& scalars);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_MENTIONS_H_
