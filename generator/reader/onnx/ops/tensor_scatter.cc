// Imports TensorScatter, which writes rows into a cache of keys or values.
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Widens strings, which are rows of bytes, to `width` bytes.
Operand WithWidth(NodeCall& n, const Operand& x, PrimRef width) {
  Dims dims = n.DimsOf(x);
  const PrimRef have = dims.back();
  if (have == width) return x;
  dims.back() = width;
  return n.Kernel("widened", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, kByte, [&](const Indices& at) {
      return m.IfThenElse(m.Lt(at.back(), have), te.At(te.Input(0), at), m.Const(0, kByte));
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportTensorScatter(NodeCall& n) {
  const auto is_string = [&](int i) {
    return n.term(i).strings != nullptr || n.term(i).format == kStringType;
  };
  const bool strings = is_string(0) && is_string(1);
  Operand past, update;
  if (strings) {
    LATHE_ASSIGN_OR_RETURN(past, StringsIn(n, 0));
    LATHE_ASSIGN_OR_RETURN(update, StringsIn(n, 1));
    const PrimRef width = n.Simplify(n.math().Max(n.DimsOf(past).back(), n.DimsOf(update).back()));
    past = WithWidth(n, past, width);
    update = WithWidth(n, update, width);
  } else {
    past = n.In(0);
    update = n.In(1);
  }
  if (n.TypeOf(past) != n.TypeOf(update) || n.term(0).format != n.term(1).format) {
    return n.Error() << "the update must have the element type of the cache";
  }
  const std::string mode = n.String("mode", "linear");
  if (mode != "linear" && mode != "circular")
    return n.Error() << "'mode' must be linear or circular, got '" << mode << "'";
  const Dims dims = n.DimsOf(past), by = n.DimsOf(update);
  if (dims.size() != by.size()) return n.Error() << "the cache and the update differ in rank";
  const int rank = static_cast<int>(dims.size()) - (strings ? 1 : 0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -2), rank));
  if (axis == 0) return n.Error() << "'axis' must not be the first, that of the batch";
  const auto a = static_cast<size_t>(axis);
  Operands args = {past, update};
  if (n.Has(2)) args.push_back(n.In(2));
  Term result(n.Kernel("tensor_scatter", args, [&](Te& te) {
    ScalarMath& m = te.math();
    for (size_t i = 0; i < dims.size(); ++i) {
      if (i != a) NeedSame(n, te, by[i], dims[i], "a dimension of the update");
    }
    te.Need(m.Le(by[a], dims[a]), "TensorScatter needs an update that is no longer than the cache");
    if (n.Has(2)) {
      NeedSame(n, te, n.LengthOf(te.Input(2)->shape), dims[0], "the number of write indices");
    }
    ir::BufferRef out = te.Compute("out", dims, n.TypeOf(past),
                                   [&](const Indices& at) { return te.At(te.Input(0), at); });
    te.Accumulate("write", out, by, [&](const Indices& at) {
      Indices to = at;
      PrimRef first = m.Int(0);
      if (n.Has(2)) first = m.Cast(te.At(te.Input(2), {at[0]}), DType::Int(64));
      if (mode == "circular") {
        to[a] = m.FloorMod(m.Add(m.FloorMod(first, dims[a]), at[a]), dims[a]);
      } else {
        to[a] = m.Add(first, at[a]);
      }
      return Te::Store{to, te.At(te.Input(1), at)};
    });
    return out;
  }));
  result.format = n.term(0).format;
  if (strings) result.format = kStringType;
  return result;
}

}  // namespace lathe::onnx
