#include "generator/transform/quantize/emit_operation.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;

bool IsOfInt8(const IntegerProduct& p, DType weight_dtype, const RequiredResult& wanted) {
  const DType small = DType::Int(8);
  return p.x.affine.dtype == small && weight_dtype == small && wanted.affine &&
         wanted.dtype() == small && !p.channels_first;
}

int64_t BoundOfSums(const IntegerProduct& p, const std::vector<int64_t>& bias) {
  constexpr int64_t kMaxInput = 128;
  int64_t most = 0;
  for (int64_t c = 0; c < p.columns; ++c) {
    int64_t bound = std::abs(bias[static_cast<size_t>(c)]);
    for (int64_t k = 0; k < p.depth; ++k) {
      bound += kMaxInput * std::abs(p.weights[static_cast<size_t>(c * p.depth + k)]);
    }
    most = std::max(most, bound);
  }
  return most;
}

std::vector<int64_t> ScalePairs(const std::vector<ops::FixedFactor>& factors, int64_t count) {
  std::vector<int64_t> scales;
  for (int64_t c = 0; c < count; ++c) {
    const ops::FixedFactor& factor = factors[std::min(static_cast<size_t>(c), factors.size() - 1)];
    scales.push_back(factor.mantissa);
    scales.push_back(-factor.shift - 1);
  }
  return scales;
}

MaybeOperand EmitOperation(IntegerGraph& graph, const IntegerProduct& p,
                           const RequiredResult& wanted,
                           const std::vector<StoredConstant>& constants,
                           absl::FunctionRef<WriteOperation> write) {
  KernelBuilder k(graph.ir(), p.name);
  const BufferRef x = k.Input("x", p.x.dims, p.x.affine.dtype);
  std::vector<BufferRef> buffers;
  std::vector<ir::Operand> args = {p.x.data};
  for (const StoredConstant& constant : constants) {
    const std::vector<int64_t> dims = {std::ssize(constant.values)};
    buffers.push_back(k.Input(constant.name, dims, constant.dtype));
    args.push_back(graph.Constant(constant.dtype, dims, constant.values));
  }
  const BufferRef out = k.Output(p.dims, wanted.dtype());
  write(k, x, buffers, out);
  return graph.Kernel(p.name, k.Finish(), std::move(args), p.dims, wanted.dtype());
}

}  // namespace lathe::transform
