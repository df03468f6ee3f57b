#include "generator/analysis/arithmetic/bounds.h"

#include "generator/analysis/arithmetic/arithmetic.h"

namespace lathe::analysis {

Interval BoundsOf(ir::Context& context, ir::PrimRef e, const Assumptions& known) {
  if (!IsSignedScalar(e->dtype())) return {};
  Arithmetic arithmetic(context, known, Arithmetic::Goal::kReading);
  return arithmetic.BoundsOf(arithmetic.AsSum(e));
}

}  // namespace lathe::analysis
