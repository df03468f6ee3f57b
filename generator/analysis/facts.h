// Holds the context that the relations between two infos share, and answers queries that they
// share.
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
  const ir::Module& module;  // for infos of variables used as shapes
  const ShapeScope&
      scope;  // Σ: other variables in the parameters of a function info are bound by it
  const Assumptions& assumptions;  // ranges of the shape variables
};

// Returns the conjunction of two answers.
inline ir::Tri Both(ir::Tri a, ir::Tri b) { return a < b ? a : b; }

ir::Tri Equal(const Facts& facts, ir::PrimRef a, ir::PrimRef b);

// Lists of different lengths differ. If the answer is not yes, `why` (may be null) names the
// dimension, called `what`: "dimension 1 is n, not 4"; `what` is null for the value of a scalar.
ir::Tri Equal(const Facts& facts, const std::vector<ir::PrimRef>& a,
              const std::vector<ir::PrimRef>& b, const char* what, std::string* why);

// Returns the dimensions of `t`: as written, or those known for the variable that is its shape;
// null if unknown.
const std::vector<ir::PrimRef>* KnownDims(const Facts& facts, const ir::TensorInfo& t);

// Returns whether two shapes, both known, are equal.
ir::Tri EqualShapes(const Facts& facts, const ir::TensorInfo& a, const ir::TensorInfo& b,
                    std::string* why);

// "a tensor", "an object", ...: for messages.
const char* KindOf(ir::StructInfoRef info);

// For messages: prints Relax variables by name.
std::string Show(const Facts& facts, ir::StructInfoRef info);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_FACTS_H_
