#include "tests/support/expect_op.h"

#include <cmath>
#include <utility>

#include "tests/reference/number.h"
#include "tests/support/op_sweep.h"

namespace lathe::testing {

ir::AttrList Ints(const std::vector<int64_t>& values) { return {values.begin(), values.end()}; }
ir::AttrList Floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

TypedArray ExactArray(reference::Shape shape, const std::string& dtype, uint32_t seed) {
  TypedArray x = RandomArray(std::move(shape), dtype, seed);
  if (dtype != "float16" && dtype != "bfloat16") return x;
  for (double& value : x.array.data) value = std::nearbyint(value / 2);
  return x;
}

double InDType(const std::string& dtype, double exact) {
  if (reference::FormatOf(dtype).is_float()) {
    return static_cast<double>(reference::Rounded(exact, dtype));
  }
  return static_cast<double>(reference::Wrapped(static_cast<reference::Wide>(exact), dtype));
}

void ExpectOp(const std::string& op, const std::vector<OpArg>& args, const ir::AttrMap& attrs,
              std::vector<TypedArray> want, double roundings) {
  for (TypedArray& result : want) {
    for (double& value : result.array.data) value = InDType(result.dtype, value);
  }
  OpSweep(op).Expect(args, attrs, want, {roundings, 1});
}

}  // namespace lathe::testing
