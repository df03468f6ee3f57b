// Implements bucketize, multinomial_from_uniform, reverse_sequence, meshgrid.
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

// The bucket of each element between ascending boundaries.
Result InferBucketize(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *x[1], 1));
  const DType dtype = FindBool(call, "out_int32") ? DType::Int(32) : DType::Int(64);
  if (x[0]->dims() == nullptr) return c.ir().Tensor(x[0]->ndim, dtype, x[0]->vdevice);
  return c.ir().Tensor(*x[0]->dims(), dtype, x[0]->vdevice);
}

// The number of boundaries below the element or, with `right`, not above it.
absl::StatusOr<ir::PrimFunc> ComputeBucketize(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0), bounds = te.Input(1);
  const bool right = FindBool(call, "right");
  return te.Finish({te.Reduce("bucket", x->shape, {bounds->shape[0]}, te.Sum(te.result_dtype()),
                              [&](const Indices& at, const Indices& r) {
                                const PrimRef value = te.At(x, at), bound = te.At(bounds, r);
                                return m.Cast(right ? m.Le(bound, value) : m.Lt(bound, value),
                                              te.result_dtype());
                              })});
}

// Draws a class for each uniform sample from the row of probabilities that its index selects.
Result InferMultinomial(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  const DType dtype = FindDType(call, "dtype");
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 0, *x[0]));
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 1, *x[1]));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 2, *x[2]));
  bool known = true;
  for (int i = 0; i < 3; ++i) {
    if (x[i]->ndim == ir::kUnknownRank) {
      return c.ir().Tensor(ir::kUnknownRank, dtype, x[0]->vdevice);
    }
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x[i], 2));
    known &= x[i]->dims() != nullptr;
  }
  if (!known) return c.ir().Tensor(2, dtype, x[0]->vdevice);
  const PrimRef wanted[] = {x[1]->dims()->front(), c.ir().Int(1)};
  for (int i : {1, 2}) {
    for (int d : {0, 1}) {
      PrimRef got = (*x[i]->dims())[d];
      if (c.CanEqual(wanted[d], got)) continue;
      return c.Error("op-argument-shape")
             << "dimension " << d << " of " << DescribeArg(c, call, i) << " must be "
             << ToString(wanted[d]) << ", got " << ToString(got);
    }
  }
  return c.ir().Tensor(Dims{wanted[0], wanted[1]}, dtype, x[0]->vdevice);
}

// The first class whose cumulative probability exceeds the sample.
absl::StatusOr<ir::PrimFunc> ComputeMultinomial(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef probability = te.Input(0), samples = te.Input(1), rows = te.Input(2);
  const DType dtype = te.result_dtype();
  ir::BufferRef sums = te.Scan("so_far", probability->shape, 1, te.Sum(probability->dtype),
                               [&](const Indices& at) { return te.At(probability, at); });
  PrimRef classes = probability->shape[1];
  ir::BufferRef passed = te.Reduce(
      "passed", te.result_dims(), {classes}, te.Sum(DType::Int(64)),
      [&](const Indices& at, const Indices& r) {
        const PrimRef row = m.Cast(te.At(rows, {at[0], m.Int(0)}), DType::Int(64));
        const PrimRef sample = m.Cast(te.At(samples, {at[0], m.Int(0)}), probability->dtype);
        return m.Cast(m.Le(te.At(sums, {row, r[0]}), sample), DType::Int(64));
      });
  // When rounding makes the sum less than 1, larger samples get the last class.
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& at) {
    return m.Cast(m.Min(te.At(passed, at), m.Sub(classes, m.Int(1))), dtype);
  })});
}

// Reverses the first elements of each row, up to its length.
Result InferReverseSequence(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorArgs(c, call));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *x[1], 1));
  const DType lengths = x[1]->dtype;
  if (!lengths.is_void() && lengths != DType::Int(32) && lengths != DType::Int(64)) {
    return c.Error("op-argument-dtype")
           << DescribeArg(c, call, 1) << " must be int32 or int64, got " << ToString(lengths);
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t seq, NeedInt(c, call, "seq_axis"));
  LATHE_ASSIGN_OR_RETURN(const int64_t batch, NeedInt(c, call, "batch_axis"));
  if (x[0]->ndim == ir::kUnknownRank) return c.InfoOf(call.args[0]);
  LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "seq_axis", seq, x[0]->ndim).status());
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "batch_axis", batch, x[0]->ndim));
  const Dims *data = DimsOf(c, *x[0]), *rows = DimsOf(c, *x[1]);
  if (data != nullptr && rows != nullptr && !c.CanEqual((*data)[axis], rows->front())) {
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 1) << " must have a length for each of "
           << ToString((*data)[axis]) << " rows, got " << ToString(rows->front());
  }
  return c.InfoOf(call.args[0]);
}

absl::StatusOr<ir::PrimFunc> ComputeReverseSequence(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const int seq = FromFront(IntAttr(call, "seq_axis"), ndim);
  const int batch = FromFront(IntAttr(call, "batch_axis"), ndim);
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    const PrimRef length = m.Cast(te.At(te.Input(1), {at[batch]}), DType::Int(64));
    Indices from = at;
    const PrimRef reversed = m.Sub(m.Sub(length, m.Int(1)), at[seq]);
    from[seq] = m.Select(m.Lt(at[seq], length), reversed, at[seq]);
    return te.At(x, from);
  })});
}

namespace {

// The axis of the grid that input `i` of `count` varies along: "xy" has columns before rows.
size_t GridAxis(const Call& call, size_t i, size_t count) {
  const bool swapped = FindString(call, "indexing") == "xy" && count > 1 && i < 2;
  return swapped ? 1 - i : i;
}

}  // namespace

// One tensor per input, which varies along the axis of that input only.
Result InferMeshgrid(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<const TensorInfo*> x, TensorTupleArg(c, call, 0));
  if (x.empty()) {
    return c.Error("op-argument-count") << SurfaceName(call) << " needs at least one tensor";
  }
  if (!IsNone(call, "indexing")) {
    LATHE_RETURN_IF_ERROR(NeedOneOf(c, call, "indexing", {"ij", "xy"}).status());
  }
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SameDType(c, call, x));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, x));
  Dims dims;
  for (const TensorInfo* t : x) {
    if (t->ndim != 1) {
      return c.Error("op-argument-rank")
             << "the tensors of " << SurfaceName(call) << " must have 1 dimension, got " << t->ndim;
    }
    if (t->dims() != nullptr) dims.push_back(t->dims()->front());
  }
  const bool known = dims.size() == x.size();
  if (known && GridAxis(call, 0, x.size()) == 1) std::swap(dims[0], dims[1]);
  StructInfoRef grid = known ? c.ir().Tensor(dims, dtype, device)
                             : c.ir().Tensor(static_cast<int>(x.size()), dtype, device);
  return c.ir().Tuple(std::vector<StructInfoRef>(x.size(), grid));
}

absl::StatusOr<ir::PrimFunc> ComputeMeshgrid(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  std::vector<ir::BufferRef> outputs;
  for (size_t i = 0; i < te.Inputs(0).size(); ++i) {
    ir::BufferRef x = te.Inputs(0)[i];
    const size_t axis = GridAxis(call, i, te.Inputs(0).size());
    outputs.push_back(te.Compute("grid", te.result_dims(), x->dtype,
                                 [&](const Indices& at) { return te.At(x, {at[axis]}); }));
  }
  return te.Finish(outputs);
}

}  // namespace lathe::ops
