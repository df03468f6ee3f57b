// Converts the integer sum of an element to its result: a small integer by multiplier and shift, or
// a real number.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_EPILOGUE_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_EPILOGUE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ops/te/fixed_point_math.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/real_operator.h"

namespace lathe::transform {

class IntegerEpilogue {
 public:
  // Creates the epilogue for sums whose unit in column i is `factors`[i] and whose magnitude is at
  // most `bounds`[i]. Returns nullopt if no multiplier is accurate enough.
  static std::optional<IntegerEpilogue> Make(std::vector<double> factors,
                                             const std::vector<int64_t>& bounds,
                                             const RealOperator& op, const RequiredResult& wanted);

  // Returns the epilogue that multiplies by mantissas and shifts, with two roundings
  // (ops/te/fixed_point_math.h: ScaledTwice). `factors` has one factor for all columns, or one per
  // column.
  static IntegerEpilogue MakeTwice(std::vector<ops::FixedFactor> factors,
                                   const IntegerResult& range);

  // Returns true if sums are multiplied by one factor and shifted once, or become real numbers.
  bool rounds_once() const { return twice_.empty(); }

  // twice() returns the factors of an epilogue with two roundings. fixed() returns the multipliers
  // and the shift of one with one rounding, and start() what it adds before the shift.
  const std::vector<ops::FixedFactor>& twice() const { return twice_; }
  const FixedPoint& fixed() const { return fixed_; }
  int64_t start() const { return RoundingOf(fixed_.shift, range_); }
  const IntegerResult& range() const { return range_; }
  // Returns true if the shifts of all columns go to the right.
  bool GoesRight() const;

  // Returns the result of a sum with two roundings, which never decreases as the sum grows. Returns
  // nullopt if the epilogue rounds once, if the shift of the column goes to the left, or if the sum
  // exceeds 32 bits.
  std::optional<int64_t> ResultOf(int64_t sum, int64_t column) const;
  // Keeps only the factors of these columns, for an epilogue that rounds twice.
  void Keep(const std::vector<int64_t>& columns);

  // The extra kernel parameter of an epilogue that rounds once, if any: a factor per column.
  struct Parameter {
    const char* name;
    int64_t columns;
    ir::DType dtype;
  };
  std::optional<Parameter> parameter() const;
  // Declare adds the inputs of the epilogue to the kernel: one or two arrays if the factors of the
  // columns differ. AddArgument appends the matching constants.
  void Declare(KernelBuilder& k);
  void AddArgument(IntegerGraph& graph, std::vector<ir::Operand>& args) const;
  // Emits the result of `acc` in `column`.
  ir::PrimRef Of(KernelBuilder& k, ir::PrimRef acc, ir::PrimRef column) const;
  // Emits it with the factor of the column; `factor` is null if there is no parameter.
  ir::PrimRef Of(ops::Statements& s, ops::ScalarMath& m, ir::PrimRef acc, ir::PrimRef factor) const;

 private:
  ir::PrimRef Twice(KernelBuilder& k, ir::PrimRef acc, ir::PrimRef column) const;

  bool real_ = false;
  std::vector<double> factors_;  // one for all, or each column's
  double lo_ = 0, hi_ = 0;       // of real results
  FixedPoint fixed_;
  IntegerResult range_;
  ir::BufferRef parameter_ = nullptr;
  std::vector<ops::FixedFactor> twice_;  // empty: one rounding
  ir::BufferRef shifts_ = nullptr;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_EPILOGUE_H_
