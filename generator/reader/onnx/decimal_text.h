// Emits powers of ten and per-row variables for the casts between strings and numbers.
#ifndef LATHE_READER_ONNX_DECIMAL_TEXT_H_
#define LATHE_READER_ONNX_DECIMAL_TEXT_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

inline PrimRef Letter(ScalarMath& m, char c) {
  return m.Const(static_cast<uint8_t>(c), DType::UInt(8));
}

// Returns 10^exponent as float64.
inline PrimRef PowerOfTen(ScalarMath& m, PrimRef exponent) {
  const DType real = DType::Float(64);
  return m.Call("pow", {m.Const(10, real), m.Cast(exponent, real)});
}

// Returns x * 10^exponent. Multiplies or divides by a positive power, because small ones are exact.
inline PrimRef TimesPowerOfTen(ScalarMath& m, PrimRef x, PrimRef exponent) {
  const PrimRef zero = m.Int(0);
  const PrimRef up = m.Mul(x, PowerOfTen(m, m.Max(exponent, zero)));
  const PrimRef down = m.Div(x, PowerOfTen(m, m.Max(m.Sub(zero, exponent), zero)));
  return m.Select(m.Lt(exponent, zero), down, up);
}

// Accesses integer variables of one row, which are stored in a buffer.
class Kept {
 public:
  Kept(Te& te, ops::Statements& s, const Indices& row) : te_(te), s_(s), row_(row) {}
  static ir::BufferRef Allocate(Te& te, const char* name, const Dims& rows) {
    return te.Allocate(name, rows, DType::Int(64));
  }
  PrimRef Get(ir::BufferRef from) { return s_.Let("now", te_.At(from, row_)); }
  void Set(ir::BufferRef to, PrimRef value) { s_.Store(to, row_, value); }
  void SetInt(ir::BufferRef to, int64_t value) { Set(to, te_.math().Int(value)); }

 private:
  Te& te_;
  ops::Statements& s_;
  const Indices row_;
};

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_DECIMAL_TEXT_H_
