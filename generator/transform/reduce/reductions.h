// Lists the reductions of a program at one place: leave out a binding, take one branch of two, use
// an operand in place of a call, and so on.
#ifndef LATHE_TRANSFORM_REDUCE_REDUCTIONS_H_
#define LATHE_TRANSFORM_REDUCE_REDUCTIONS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

enum class Reduced {
  kChanged,
  kUnchanged,    // the reduction does not apply at this place
  kNoSuchPlace,  // all places were visited
};

struct Reduction {
  absl::string_view name;
  // Changes `module` at the place with this number, from 0. The result is smaller, so that no
  // sequence of reductions is endless, but it may break invariants and rules of the language: a
  // binding that is left out may have uses. `module` may break rules, too.
  Reduced (*apply)(ir::Context& context, ir::Module& module, int place);
};

// Returns all reductions, those that remove most first.
absl::Span<const Reduction> Reductions();

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_REDUCTIONS_H_
