#include "generator/reader/tflite/ops/int16_tables.h"

namespace lathe::tflite {

PrimRef Interpolated(Te& te, BufferRef table, PrimRef x) {
  constexpr int kFractionBits = 7;
  ScalarMath& m = te.math();
  const DType whole = DType::Int(32);
  const auto number = [&](int64_t value) { return m.ir().Int(value, whole); };
  const PrimRef high = m.Binary(ir::BinaryOp::kShr, x, number(kFractionBits));
  const PrimRef at = m.Cast(m.Add(high, number(256)), DType::Int(64));
  const PrimRef low = m.Binary(ir::BinaryOp::kBitAnd, x, number((1 << kFractionBits) - 1));
  const PrimRef here = m.Cast(te.At(table, {at}), whole);
  const PrimRef next = m.Cast(te.At(table, {m.Add(at, m.Int(1))}), whole);
  const PrimRef slope = m.Mul(m.Sub(next, here), low);
  const PrimRef rounded = m.Add(slope, number(1 << (kFractionBits - 1)));
  return m.Add(here, m.Binary(ir::BinaryOp::kShr, rounded, number(kFractionBits)));
}

}  // namespace lathe::tflite
