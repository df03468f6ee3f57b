// Implements concat, stack and split.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/lengths.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// The properties that all tensors of the tuple share.
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
      return c.Error("op-argument-rank") << "the tensors of " << SurfaceName(call)
                                         << " must have equal numbers of dimensions, got "
                                         << pieces.ndim << " and " << tensor->ndim;
    }
  }
  LATHE_ASSIGN_OR_RETURN(pieces.dtype, SameDType(c, call, pieces.tensors));
  LATHE_ASSIGN_OR_RETURN(pieces.device, SameVDevice(c, call, pieces.tensors));
  return pieces;
}

// Checks that every dimension except `axis` (-1: every one) is equal; nullopt when that is
// uncertain.
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
               << "the tensors of " << SurfaceName(call) << " must have equal sizes in dimension "
               << i << ", got " << ToString((*first)[i]) << " and " << ToString((*dims)[i]);
      }
      certain &= same == ir::Tri::kYes;
    }
  }
  if (!certain) return std::optional<Dims>();
  return std::optional<Dims>(*first);
}

struct Piece {
  PrimRef start = nullptr;
  PrimRef length = nullptr;
};

// The pieces of split: sections of equal length, of which the last may be shorter or empty, or the
// ranges between the given indices.
absl::StatusOr<std::vector<Piece>> PiecesOfSplit(ir::Context& context, const Call& call,
                                                 PrimRef extent) {
  ScalarMath m(context);
  std::vector<Piece> pieces;
  if (const std::optional<int64_t> sections = FindInt(call, "indices_or_sections")) {
    const int64_t* known = AsInt(extent);
    PrimRef length = known != nullptr
                         ? m.Int(*known / *sections + (*known % *sections != 0 ? 1 : 0))
                         : m.FloorDiv(m.Add(extent, m.Int(*sections - 1)), m.Int(*sections));
    for (int64_t i = 0; i < *sections; ++i) {
      if (known != nullptr) {
        const int64_t start = std::min(*AsInt(length) * i, *known);
        pieces.push_back({m.Int(start), m.Int(std::min(*AsInt(length), *known - start))});
        continue;
      }
      const PrimRef start = m.Mul(length, m.Int(i));
      // The first section has full length; the last is neither negative nor longer than the others.
      PrimRef own = i == 0 ? length : m.Sub(extent, start);
      if (i > 1) own = m.Max(own, m.Int(0));
      if (i > 0 && i + 1 < *sections) own = m.Min(length, own);
      pieces.push_back({start, own});
    }
    return pieces;
  }
  const std::optional<std::vector<int64_t>> indices = FindInts(call, "indices_or_sections");
  if (!indices.has_value()) return absl::InvalidArgumentError("no indices");
  PrimRef start = m.Int(0);
  for (size_t i = 0; i <= indices->size(); ++i) {
    const PrimRef end =
        i == indices->size() ? extent : m.Min(m.Int(std::max<int64_t>((*indices)[i], 0)), extent);
    // The given indices need not be sorted.
    pieces.push_back({start, m.Max(m.Sub(end, start), m.Int(0))});
    start = end;
  }
  return pieces;
}

// Bounds the memory that a hostile program can use.
constexpr int64_t kMaxSections = 1 << 12;

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
  Lengths lengths(c.ir());
  for (const TensorInfo* tensor : pieces.tensors) lengths.Add((*DimsOf(c, *tensor))[axis]);
  (*dims)[axis] = c.Simplify(lengths.Sum());
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

// A single piece is the tensor itself, not a tuple.
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
  LATHE_ASSIGN_OR_RETURN(const std::vector<Piece> pieces,
                         PiecesOfSplit(c.ir(), call, (*x->dims())[axis]));
  std::vector<StructInfoRef> fields;
  for (const Piece& piece : pieces) {
    Dims dims = *x->dims();
    dims[axis] = c.Simplify(piece.length);
    fields.push_back(c.ir().Tensor(std::move(dims), x->dtype, x->vdevice));
  }
  return c.ir().Tuple(std::move(fields));
}

absl::StatusOr<ir::PrimFunc> ComputeConcat(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  const Dims& dims = te.result_dims();
  const bool stacks = call.op()->name == "relax.stack";
  const int axis = FromFront(FindInt(call, "axis").value_or(0), static_cast<int>(dims.size()));
  ir::BufferRef out = te.Allocate("out", dims, te.result_dtype());
  Lengths before(c.ir());
  for (ir::BufferRef piece : te.Inputs(0)) {
    const PrimRef start = before.Sum();
    te.Assign(piece->name, out, piece->shape, [&](const Indices& at) {
      Indices to = at;
      if (stacks) {
        to.insert(to.begin() + axis, start);
      } else {
        to[axis] = te.math().Add(to[axis], start);
      }
      return Te::Store{to, te.At(piece, at)};
    });
    before.Add(stacks ? te.math().Int(1) : piece->shape[axis]);
  }
  return te.Finish({out});
}

absl::StatusOr<ir::PrimFunc> ComputeSplit(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  const int axis = FromFront(FindInt(call, "axis").value_or(0), static_cast<int>(x->shape.size()));
  LATHE_ASSIGN_OR_RETURN(const std::vector<Piece> pieces,
                         PiecesOfSplit(c.ir(), call, x->shape[axis]));
  std::vector<ir::BufferRef> outputs;
  for (size_t i = 0; i < te.results().size(); ++i) {
    const Dims& dims = te.result_dims(static_cast<int>(i));
    outputs.push_back(te.Compute("out", dims, x->dtype, [&](const Indices& at) {
      Indices from = at;
      from[axis] = te.math().Add(from[axis], pieces[i].start);
      return te.At(x, from);
    }));
  }
  return te.Finish(outputs);
}

}  // namespace lathe::ops
