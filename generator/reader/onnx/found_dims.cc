#include "generator/reader/onnx/found_dims.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/format/limits.h"
#include "generator/reader/onnx/run_time_values.h"

namespace lathe::onnx {
namespace {

// Binds the entries of `list`, an int64 tensor of `count` elements, to new shape variables.
Dims BoundTo(NodeCall& n, const Operand& list, size_t count) {
  Dims dims;
  for (size_t a = 0; a < count; ++a) dims.push_back(n.builder().ShapeVar(absl::StrCat("d", a)));
  n.builder().MatchCast(n.Op("relax.tensor_to_shape", {list}), n.ir().Shape(dims));
  return dims;
}

}  // namespace

Dims FoundDims(NodeCall& n, const Operands& args, size_t rank,
               const std::function<Dims(Te& te)>& sizes) {
  if (rank == 0) return {};
  const DType whole = DType::Int(64);
  const Operand list = n.Kernel("sizes", args, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef out = te.Allocate("out", {m.Int(static_cast<int64_t>(rank))}, whole);
    const Dims found = sizes(te);
    te.Run("size", {m.Int(1)}, [&](ops::Statements& s, const Indices&) {
      for (size_t a = 0; a < rank; ++a) {
        s.Store(out, {m.Int(static_cast<int64_t>(a))}, m.Cast(found[a], whole));
      }
    });
    return out;
  });
  return BoundTo(n, list, rank);
}

PrimRef FoundDim(NodeCall& n, const Operands& args, const std::function<PrimRef(Te& te)>& size) {
  return FoundDims(n, args, 1, [&](Te& te) { return Dims{size(te)}; })[0];
}

std::optional<size_t> EntriesOf(NodeCall& n, int i) {
  const auto count = n.CountOf(n.In(i), kMaxRank);
  if (!count || !n.status().ok()) return std::nullopt;
  return static_cast<size_t>(*count);
}

std::optional<Dims> SizesIn(NodeCall& n, int i) {
  if (const auto known = n.ElementsOf(i)) return *known;
  const auto count = EntriesOf(n, i);
  if (!count) return std::nullopt;
  if (*count == 0) return Dims();
  const Operand list = n.In(i);
  Dims sizes = BoundTo(n, n.Cast(list, DType::Int(64)), *count);
  n.SetElements(i, Elements{n.TypeOf(list), 1, sizes});
  return sizes;
}

}  // namespace lathe::onnx
