#include "generator/ops/te/weight_blocks.h"

namespace lathe::ops {

ir::BufferRef DequantizeBlocks(Te& te, const Dims& dims, int axis, int64_t block, ir::DType real) {
  ScalarMath& m = te.math();
  const auto along = static_cast<size_t>(axis);
  const auto shared = [&](int input, const Indices& at) {
    const ir::BufferRef buffer = te.Input(input);
    if (buffer->shape.empty()) return te.At(buffer, {});
    if (buffer->shape.size() == 1 && dims.size() != 1) return te.At(buffer, {at[along]});
    Indices source = at;
    source[along] = m.FloorDiv(source[along], m.Int(block));
    return te.At(buffer, source);
  };
  return te.Compute("out", dims, real, [&](const Indices& at) {
    ir::PrimRef value = te.At(te.Input(0), at);
    if (te.inputs() > 2) {
      const ir::PrimRef zero = shared(2, at);
      const ir::DType wide = zero->dtype().is_integer() ? ir::DType::Int(32) : zero->dtype();
      value = m.Sub(m.Cast(value, wide), m.Cast(zero, wide));
    }
    return m.Mul(m.Cast(value, real), m.Cast(shared(1, at), real));
  });
}

}  // namespace lathe::ops
