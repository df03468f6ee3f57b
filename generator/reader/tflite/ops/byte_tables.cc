#include "generator/reader/tflite/ops/byte_tables.h"

#include <algorithm>
#include <vector>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

bool IsByteOperator(OpCall& c) {
  const DType dtype = c.TypeOf(c.Arg(0));
  return dtype.is_integer() && dtype.bits == 8 && c.IsQuantized(0);
}
bool IsInt16Operator(OpCall& c) { return c.TypeOf(c.Arg(0)) == DType::Int(16) && c.IsQuantized(0); }

absl::Status RequireScaledPair(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneScale(c));
  if (c.In(0).type != c.Out().type) {
    return c.Error() << "its input is " << TypeName(c.In(0).type) << ", and its result is "
                     << TypeName(c.Out().type);
  }
  if (!(c.InAffine(0).scale > 0) || !(c.OutAffine().scale > 0)) {
    return c.Error() << "a scale is not positive";
  }
  return absl::OkStatus();
}

absl::StatusOr<Results> Tabulated(OpCall& c, const std::function<int64_t(int32_t q)>& value) {
  LATHE_RETURN_IF_ERROR(RequireScaledPair(c));
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  const IntegerRange range = RangeOf(dtype);
  std::vector<double> values;
  bool same = true;
  for (int64_t q = range.low; q <= range.high; ++q) {
    const int64_t made = std::clamp(value(static_cast<int32_t>(q)), range.low, range.high);
    values.push_back(static_cast<double>(made));
    same = same && made == q;
  }
  if (same) return x;
  return LookedUp(c, x, values);
}

absl::StatusOr<Results> FloatOnly(OpCall& c, const std::function<Results(const Operand&)>& make) {
  const DType dtype = c.TypeOf(c.Arg(0));
  if (dtype.is_floating()) return make(c.Arg(0));
  return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type);
}

}  // namespace lathe::tflite
