// What the variables in the declared sizes of a callee are, from the sizes of what it is given.
#ifndef LATHE_LOWER_MATCH_SIZES_H_
#define LATHE_LOWER_MATCH_SIZES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Formal sizes beside actual ones, collected pair by pair and settled at the end: a variable that
// stands alone takes the value of its first place, whatever else is in the pairs.
class SizeMatch {
 public:
  explicit SizeMatch(ir::Context& context) : context_(context) {}

  // A variable alone on the formal side is bound; `what` names the place in a failed check.
  void Add(ir::PrimRef formal, ir::PrimRef actual, absl::string_view what);
  // Where the variable `formal` is a size, `actual` has to be one.
  void NeedSizeFor(ir::PrimRef formal, ir::PrimRef actual, absl::string_view what);
  void NeedSize(ir::PrimRef actual, absl::string_view what);
  // `formal` is `actual`, without being compared.
  void Set(ir::PrimRef formal, ir::PrimRef actual) { mapping_.try_emplace(formal, actual); }

  const analysis::ShapeVarMap& mapping() const { return mapping_; }
  // The checks of what is not proven a size, or equal. A check that can never hold is among them:
  // the program fails where the interpreter does.
  std::vector<ir::CheckStep> Checks();

 private:
  struct Pair {
    ir::PrimRef formal;
    ir::PrimRef actual;
    std::string what;
  };
  ir::Context& context_;
  std::vector<Pair> pairs_;
  std::vector<ir::CheckStep> sizes_;
  analysis::ShapeVarMap mapping_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_MATCH_SIZES_H_
