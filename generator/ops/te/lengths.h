// Sums lengths, folding all constants into one, so that the expression stays small for any number
// of lengths.
#ifndef LATHE_OPS_TE_LENGTHS_H_
#define LATHE_OPS_TE_LENGTHS_H_

#include "generator/ops/args/operands.h"
#include "generator/ops/te/scalar_math.h"

namespace lathe::ops {

class Lengths {
 public:
  explicit Lengths(ir::Context& context)
      : math_(context), numbers_(math_.Int(0)), sizes_(math_.Int(0)) {}

  void Add(ir::PrimRef length) {
    ir::PrimRef& sum = AsInt(length) != nullptr ? numbers_ : sizes_;
    sum = math_.Add(sum, length);
  }
  ir::PrimRef Sum() { return math_.Add(sizes_, numbers_); }

 private:
  ScalarMath math_;
  ir::PrimRef numbers_, sizes_;
};

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_LENGTHS_H_
