// Tensors put together along an axis and taken apart again: concat, stack, split.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/attributes.h"
#include "generator/ops/broadcast.h"
#include "generator/ops/ir_names.h"
#include "generator/ops/operands.h"
#include "generator/ops/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// What all tensors of the tuple agree on.
struct Pieces {
  std::vector<const TensorInfo*> tensors;
  int ndim = ir::kUnknownRank;
  ir::DType dtype;
  ir::VDeviceRef device = nullptr;
};

absl::StatusOr<Pieces> PiecesOf(InferContext& c, const Call& call) {
  Pieces pieces;
  LATHE_ASSIGN_OR_RETURN(pieces.tensors, TensorTupleArg(c, call, 0));
  if (pieces.tensors.empty()) {
    return c.Error("op-argument-count") << SurfaceName(call) << " needs at least one tensor";
  }
  for (const TensorInfo* tensor : pieces.tensors) {
    if (pieces.ndim == ir::kUnknownRank) pieces.ndim = tensor->ndim;
    if (tensor->ndim != ir::kUnknownRank && tensor->ndim != pieces.ndim) {
      return c.Error("op-argument-rank")
             << "the tensors of " << SurfaceName(call) << " must have as many dimensions, got "
             << pieces.ndim << " and " << tensor->ndim;
    }
  }
  LATHE_ASSIGN_OR_RETURN(pieces.dtype, SameDType(c, call, pieces.tensors));
  LATHE_ASSIGN_OR_RETURN(pieces.device, SameVDevice(c, call, pieces.tensors));
  return pieces;
}

// Every dimension but `axis` (-1: every one) must agree; nothing when that is not certain.
absl::StatusOr<std::optional<Dims>> Agreed(InferContext& c, const Call& call, const Pieces& pieces,
                                           int axis) {
  const Dims* first = nullptr;
  bool certain = true;
  for (const TensorInfo* tensor : pieces.tensors) {
    const Dims* dims = DimsOf(c, *tensor);
    if (dims == nullptr) {
      certain = false;
      continue;
    }
    if (first == nullptr) first = dims;
    for (int i = 0; i < pieces.ndim; ++i) {
      if (i == axis) continue;
      const ir::Tri same = c.ProveEqual((*first)[i], (*dims)[i]);
      if (same == ir::Tri::kNo) {
        return c.Error("op-argument-shape")
               << "the tensors of " << SurfaceName(call) << " must agree in dimension " << i
               << ", got " << ToString((*first)[i]) << " and " << ToString((*dims)[i]);
      }
      certain &= same == ir::Tri::kYes;
    }
  }
  if (!certain) return std::optional<Dims>();
  return std::optional<Dims>(*first);
}

// Where the pieces of split start: sections of one length, the last one shorter, or the indices
// written. Lengths follow from the starts.
absl::StatusOr<Dims> SplitStarts(ir::Context& context, const Call& call, PrimRef extent) {
  ScalarMath m(context);
  Dims starts = {m.Int(0)};
  if (const std::optional<int64_t> sections = FindInt(call, "indices_or_sections")) {
    PrimRef length = m.FloorDiv(m.Add(extent, m.Int(*sections - 1)), m.Int(*sections));
    const bool known = AsInt(extent) != nullptr;
    for (int64_t i = 1; i < *sections; ++i) {
      const PrimRef start = m.Mul(length, m.Int(i));
      starts.push_back(known ? m.Min(start, extent) : start);
    }
    return starts;
  }
  const std::optional<std::vector<int64_t>> indices = FindInts(call, "indices_or_sections");
  if (!indices.has_value()) return absl::InvalidArgumentError("no indices");
  for (int64_t index : *indices) {
    starts.push_back(m.Min(m.Int(std::max<int64_t>(index, 0)), extent));
  }
  return starts;
}

// More pieces than anybody splits into; a limit against programs made to exhaust memory.
constexpr int64_t kMaxSections = 1 << 16;

}  // namespace

Result InferConcat(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const Pieces pieces, PiecesOf(c, call));
  int64_t written = 0;
  if (!IsNone(call, "axis")) {
    LATHE_ASSIGN_OR_RETURN(written, NeedInt(c, call, "axis"));
  }
  if (IsNone(call, "axis") && pieces.ndim > 1) {
    return c.Error("op-argument-rank")
           << "the tensors of " << SurfaceName(call)
           << " without an axis must have 1 dimension, got " << pieces.ndim;
  }
  const bool single = pieces.tensors.size() == 1;
  if (pieces.ndim == ir::kUnknownRank && !single) {
    return c.ir().Tensor(ir::kUnknownRank, pieces.dtype, pieces.device);
  }
  int axis = 0;
  if (pieces.ndim != ir::kUnknownRank) {
    LATHE_ASSIGN_OR_RETURN(axis, NormalAxis(c, call, "axis", written, pieces.ndim));
  }
  if (single) return c.InfoOf(call.args[0])->As<ir::TupleInfo>()->fields.front();
  LATHE_ASSIGN_OR_RETURN(std::optional<Dims> dims, Agreed(c, call, pieces, axis));
  if (!dims.has_value()) return c.ir().Tensor(pieces.ndim, pieces.dtype, pieces.device);
  PrimRef sum = c.ir().Int(0);
  for (const TensorInfo* tensor : pieces.tensors) {
    sum = c.ir().Make(ir::BinaryOp::kAdd, sum, (*DimsOf(c, *tensor))[axis]);
  }
  (*dims)[axis] = c.Simplify(sum);
  return c.ir().Tensor(*std::move(dims), pieces.dtype, pieces.device);
}

Result InferStack(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const Pieces pieces, PiecesOf(c, call));
  if (pieces.ndim == ir::kUnknownRank) {
    return c.ir().Tensor(ir::kUnknownRank, pieces.dtype, pieces.device);
  }
  int64_t written = 0;
  if (!IsNone(call, "axis")) {
    LATHE_ASSIGN_OR_RETURN(written, NeedInt(c, call, "axis"));
  }
  LATHE_ASSIGN_OR_RETURN(const int axis, NormalAxis(c, call, "axis", written, pieces.ndim + 1));
  LATHE_ASSIGN_OR_RETURN(std::optional<Dims> dims, Agreed(c, call, pieces, -1));
  if (!dims.has_value()) return c.ir().Tensor(pieces.ndim + 1, pieces.dtype, pieces.device);
  dims->insert(dims->begin() + axis, c.ir().Int(static_cast<int64_t>(pieces.tensors.size())));
  return c.ir().Tensor(*std::move(dims), pieces.dtype, pieces.device);
}

// One piece is the tensor itself, no tuple.
Result InferSplit(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  const std::optional<int64_t> sections = FindInt(call, "indices_or_sections");
  size_t count = 0;
  if (sections.has_value() && *sections > 0 && *sections <= kMaxSections) {
    count = static_cast<size_t>(*sections);
  } else if (const auto indices = FindInts(call, "indices_or_sections")) {
    count = indices->size() + 1;
  } else {
    return c.Error("op-attribute")
           << "'indices_or_sections' of " << SurfaceName(call)
           << " must be a list of integers, or a number from 1 to " << kMaxSections;
  }
  int axis = 0;
  if (x->ndim != ir::kUnknownRank) {
    LATHE_ASSIGN_OR_RETURN(axis, NormalAxis(c, call, "axis", written, x->ndim));
  }
  if (count == 1) return c.InfoOf(call.args[0]);
  if (x->dims() == nullptr) {
    StructInfoRef piece = c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
    return c.ir().Tuple(std::vector<StructInfoRef>(count, piece));
  }
  PrimRef extent = (*x->dims())[axis];
  LATHE_ASSIGN_OR_RETURN(Dims starts, SplitStarts(c.ir(), call, extent));
  starts.push_back(extent);
  ScalarMath m(c.ir());
  std::vector<StructInfoRef> pieces;
  for (size_t i = 0; i < count; ++i) {
    PrimRef length = m.Sub(starts[i + 1], starts[i]);
    // Written indices need not ascend.
    if (!sections.has_value()) length = m.Max(length, m.Int(0));
    length = c.Simplify(length);
    // 5 elements in 4 sections are 2, 2, 1 and 0.
    if (const int64_t* known = AsInt(length); known != nullptr && *known < 0) length = m.Int(0);
    Dims dims = *x->dims();
    dims[axis] = length;
    pieces.push_back(c.ir().Tensor(std::move(dims), x->dtype, x->vdevice));
  }
  return c.ir().Tuple(std::move(pieces));
}

absl::StatusOr<ir::PrimFunc> ComputeConcat(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  const Dims& dims = te.result_dims();
  const bool stacks = call.op()->name == "relax.stack";
  const int axis = FromFront(FindInt(call, "axis").value_or(0), static_cast<int>(dims.size()));
  ir::BufferRef out = te.Allocate("out", dims, te.result_dtype());
  PrimRef start = te.math().Int(0);
  for (ir::BufferRef piece : te.Inputs(0)) {
    te.Assign(piece->name, out, piece->shape, [&](const Indices& at) {
      Indices to = at;
      if (stacks) {
        to.insert(to.begin() + axis, start);
      } else {
        to[axis] = te.math().Add(to[axis], start);
      }
      return Te::Store{to, te.At(piece, at)};
    });
    start = te.math().Add(start, stacks ? te.math().Int(1) : piece->shape[axis]);
  }
  return te.Finish({out});
}

absl::StatusOr<ir::PrimFunc> ComputeSplit(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const int axis = FromFront(FindInt(call, "axis").value_or(0), static_cast<int>(x->shape.size()));
  LATHE_ASSIGN_OR_RETURN(const Dims starts, SplitStarts(c.ir(), call, x->shape[axis]));
  std::vector<ir::BufferRef> outputs;
  for (size_t i = 0; i < te.results().size(); ++i) {
    const Dims& dims = te.result_dims(static_cast<int>(i));
    outputs.push_back(te.Compute("out", dims, x->dtype, [&](const Indices& at) {
      Indices from = at;
      from[axis] = te.math().Add(from[axis], starts[i]);
      return te.At(x, from);
    }));
  }
  return te.Finish(outputs);
}

}  // namespace lathe::ops
