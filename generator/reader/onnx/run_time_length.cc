#include "generator/reader/onnx/run_time_length.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/run_time_loop.h"

namespace lathe::onnx {

Operand FirstAlong(NodeCall& n, const Operand& x, int axis, PrimRef count) {
  Dims dims = n.DimsOf(x);
  const PrimRef size = dims[static_cast<size_t>(axis)];
  dims[static_cast<size_t>(axis)] = count;
  return n.Kernel("first", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    te.Need(m.And(m.Le(m.Int(0), count), m.Le(count, size)),
            absl::StrCat(n.op(), " needs ", ir::ToString(count), " to be at most ",
                         ir::ToString(size)));
    return te.Compute("out", dims, n.TypeOf(x),
                      [&](const Indices& at) { return te.At(te.Input(0), at); });
  });
}

PrimRef FoundLength(NodeCall& n, const Operand& count) {
  return SizeOf(n, n.Cast(n.Reshape(count, {}), DType::Int(64)), "k");
}

}  // namespace lathe::onnx
