#include "generator/transform/quantize/integer_operator.h"

namespace lathe::transform {
namespace {

struct IntegerRow {
  absl::string_view op;
  EmitInteger make;
};
constexpr IntegerRow kIntegerRows[] = {
    {"relax.add", IntegerSum},
    {"relax.concat", IntegerConcat},
    {"relax.matmul", IntegerMatMul},
    {"relax.mean", IntegerMean},
    {"relax.multiply", IntegerMultiply},
    {"relax.nn.avg_pool2d", IntegerAveragePool},
    {"relax.nn.conv1d", IntegerConv},
    {"relax.nn.conv2d", IntegerConv},
    {"relax.nn.max_pool2d", IntegerMaxPool},
    {"relax.subtract", IntegerSum},
};

}  // namespace

EmitInteger FindIntegerOperator(absl::string_view op_name) {
  for (const IntegerRow& row : kIntegerRows) {
    if (row.op == op_name) return row.make;
  }
  return IntegerTable;
}

}  // namespace lathe::transform
