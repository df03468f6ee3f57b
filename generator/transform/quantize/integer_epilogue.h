// What a kernel makes of the sum of an element: small integers by multiplier and shift, or real
// numbers.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_EPILOGUE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_EPILOGUE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/real_operator.h"

namespace lathe::transform {

class IntegerEpilogue {
 public:
  // A unit of the sums of column i is `factors`[i] in reality, and their magnitude is at most
  // `bounds`[i]. Nothing when no multiplier is good enough.
  static std::optional<IntegerEpilogue> Make(std::vector<double> factors,
                                             const std::vector<int64_t>& bounds,
                                             const RealOperator& op, const WantedResult& wanted);

  // The parameter that it needs, if any, after those that the kernel has: a factor for each column.
  struct Parameter {
    const char* name;
    int64_t columns;
    ir::DType dtype;
  };
  std::optional<Parameter> parameter() const;
  void Declare(KernelBuilder& k);
  void AddArgument(IntegerGraph& graph, std::vector<ir::Operand>& args) const;
  // The result of `acc` in `column`.
  ir::PrimRef Of(KernelBuilder& k, ir::PrimRef acc, ir::PrimRef column) const;
  // The same where `factor` is what the parameter says of the column; null where there is none.
  ir::PrimRef Of(ops::Statements& s, ops::ScalarMath& m, ir::PrimRef acc, ir::PrimRef factor) const;

 private:
  bool real_ = false;
  std::vector<double> factors_;  // one for all, or each column's
  double lo_ = 0, hi_ = 0;       // of real results
  FixedPoint fixed_;
  IntegerResult range_;
  ir::BufferRef parameter_ = nullptr;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_EPILOGUE_H_
