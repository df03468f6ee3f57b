#include "generator/analysis/arithmetic/simplify.h"

#include "generator/analysis/arithmetic/arithmetic.h"

namespace lathe::analysis {

ir::PrimRef Simplify(ir::Context& context, ir::PrimRef e, const Assumptions& known) {
  return Arithmetic(context, known, Arithmetic::Goal::kReading).Simplify(e);
}

}  // namespace lathe::analysis
