#include "generator/ops/te/index_tensors.h"

#include <algorithm>
#include <vector>

#include "generator/ops/args/ir_names.h"

namespace lathe::ops {

PrimRef WrapIndex(ScalarMath& m, PrimRef index, PrimRef extent) {
  index = m.Cast(index, DType::Int(64));
  return m.Select(m.Lt(index, m.Int(0)), m.Add(index, extent), index);
}

absl::Status NeedIndexShape(InferContext& c, const Call& call, const TensorInfo& data,
                            const TensorInfo& places, int axis) {
  if (data.dims() == nullptr || places.dims() == nullptr) return absl::OkStatus();
  for (int i = 0; i < data.ndim; ++i) {
    PrimRef most = (*data.dims())[i], got = (*places.dims())[i];
    if (i == axis || c.CanBeAtMost(got, most)) continue;
    return c.Error("op-argument-shape")
           << "dimension " << i << " of " << DescribeArg(c, call, 1) << " must be at most "
           << ToString(most) << ", as long as that of the data, got " << ToString(got);
  }
  return absl::OkStatus();
}

absl::Status NeedBroadcast(InferContext& c, const Call& call, const TensorInfo& a,
                           const TensorInfo& b) {
  if (a.dims() == nullptr || b.dims() == nullptr) return absl::OkStatus();
  const std::vector<PrimRef>&x = *a.dims(), &y = *b.dims();
  for (size_t i = 1; i <= std::min(x.size(), y.size()); ++i) {
    PrimRef p = x[x.size() - i], q = y[y.size() - i];
    if (c.CanBroadcast(p, q)) continue;
    return c.Error("op-argument-shape") << "the indices and values of " << SurfaceName(call)
                                        << " do not broadcast: " << ToString(p) << " and "
                                        << ToString(q) << " are dimension " << i << " from the end";
  }
  return absl::OkStatus();
}

}  // namespace lathe::ops
