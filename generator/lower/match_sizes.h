// Derives the size variables of a callee from the sizes of the arguments.
#ifndef LATHE_LOWER_MATCH_SIZES_H_
#define LATHE_LOWER_MATCH_SIZES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Collects pairs of formal and actual sizes and resolves them at the end. A variable is bound by
// the first pair whose formal size is that variable alone; pairs before it may use the variable
// too.
class SizeMatch {
 public:
  explicit SizeMatch(ir::Context& context) : context_(context) {}

  // Adds a pair. Binds `formal` if it is an unbound variable; otherwise Checks compares the two
  // sizes. `what` names the size in a failed check.
  void Add(ir::PrimRef formal, ir::PrimRef actual, absl::string_view what);
  // Checks that `actual` is nonnegative if the variable `formal` is a size.
  void NeedSizeFor(ir::PrimRef formal, ir::PrimRef actual, absl::string_view what);
  void NeedSize(ir::PrimRef actual, absl::string_view what);
  // Binds `formal` to `actual` without a comparison.
  void Set(ir::PrimRef formal, ir::PrimRef actual) { mapping_.try_emplace(formal, actual); }

  const analysis::ShapeVarMap& mapping() const { return mapping_; }
  // Returns checks for sizes that are not proved nonnegative or equal, and checks that are known to
  // fail: the program fails where the interpreter does.
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
