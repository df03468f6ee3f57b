// What the relations between two StructInfos ask of their surroundings, and the questions about
// dimensions that they all share.
#ifndef LATHE_ANALYSIS_FACTS_H_
#define LATHE_ANALYSIS_FACTS_H_

#include <string>
#include <vector>

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/analysis/shape_scope.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::analysis {

struct Facts {
  ir::Context& ir;
  const ir::Module& module;  // for what is known of a variable that stands as a shape
  const ShapeScope& scope;   // Σ: other variables in a function info's parameters are its own
  const Assumptions& assumptions;  // of the shape variables
};

// The weakest of two answers to "do both hold".
inline ir::Tri Both(ir::Tri a, ir::Tri b) { return a < b ? a : b; }

ir::Tri Equal(const Facts& facts, ir::PrimRef a, ir::PrimRef b);

// Lists of different lengths differ. When the answer is not yes, `why` (may be null) says which
// dimension, with `what` for the word: "dimension 1 is n, not 4"; null for
// the one value of a scalar.
ir::Tri Equal(const Facts& facts, const std::vector<ir::PrimRef>& a,
              const std::vector<ir::PrimRef>& b, const char* what, std::string* why);

// The dimensions of `t`: as written, or those known of the variable that stands for them; null
// when there are none.
const std::vector<ir::PrimRef>* KnownDims(const Facts& facts, const ir::TensorInfo& t);

// Whether two shapes, both given, are the same.
ir::Tri EqualShapes(const Facts& facts, const ir::TensorInfo& a, const ir::TensorInfo& b,
                    std::string* why);

// "a tensor", "an object", ... as messages say it.
const char* KindOf(ir::StructInfoRef info);

// For messages: spells the variables of the facts' module.
std::string Show(const Facts& facts, ir::StructInfoRef info);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_FACTS_H_
