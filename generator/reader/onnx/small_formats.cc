#include "generator/reader/onnx/small_formats.h"

#include <cmath>
#include <limits>

#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/format/tensor_data.h"

namespace lathe::onnx {
namespace {

// A floating-point format with a sign, an exponent and `mantissa` bits.
struct FloatFormat {
  int32_t type;
  int mantissa;
  int least_exponent;  // of normal numbers
  int largest;         // encoding of the largest finite number
  int infinity;        // encoding of overflow; -1: NaN
  int nan;
  bool signed_zero;
  int bits;
};
constexpr FloatFormat kFormats[] = {
    {17, 3, -6, 0x7e, -1, 0x7f, true, 8},     // float8e4m3fn
    {18, 3, -7, 0x7f, -1, 0x80, false, 8},    // float8e4m3fnuz
    {19, 2, -14, 0x7b, 0x7c, 0x7e, true, 8},  // float8e5m2
    {20, 2, -15, 0x7f, -1, 0x80, false, 8},   // float8e5m2fnuz
    {23, 1, 0, 0x07, -1, 0x08, true, 4},      // float4e2m1: NaN becomes -0
    {27, 3, 0, 0x1f, -1, 0x20, true, 6},      // float6e2m3: NaN becomes -0
    {28, 2, -2, 0x1f, -1, 0x20, true, 6},     // float6e3m2: NaN becomes -0
};
constexpr int32_t kE8M0 = 24;
constexpr int kE8M0Nan = 0xff;

const FloatFormat* FormatOf(int32_t type) {
  for (const FloatFormat& f : kFormats) {
    if (f.type == type) return &f;
  }
  return nullptr;
}

double ValueOf(int32_t type, const FloatFormat* f, int code) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (type == kE8M0) return code == kE8M0Nan ? nan : std::ldexp(1.0, code - 127);
  const int sign_bit = 1 << (f->bits - 1);
  const int magnitude = code & (sign_bit - 1);
  const double sign = (code & sign_bit) != 0 ? -1.0 : 1.0;
  if (!f->signed_zero && code == sign_bit) return nan;
  if (f->infinity >= 0 && magnitude == f->infinity) {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (magnitude > f->largest) return nan;
  const int exponent = magnitude >> f->mantissa, fraction = magnitude & ((1 << f->mantissa) - 1);
  const int hidden = exponent == 0 ? 0 : 1 << f->mantissa;
  const int power = (exponent == 0 ? 0 : exponent - 1) + f->least_exponent - f->mantissa;
  return sign * std::ldexp(fraction + hidden, power);
}

// floor(log2) of a positive normal float32, from its bits.
PrimRef ExponentOf(ScalarMath& m, PrimRef x) {
  const PrimRef bits = m.ir().MakeIntrinsic(DType::UInt(32), "reinterpret", {x});
  const PrimRef shifted = m.Binary(ir::BinaryOp::kShr, bits, m.Const(23, DType::UInt(32)));
  return m.Sub(m.Cast(shifted, DType::Int(32)), m.Const(127, DType::Int(32)));
}

PrimRef EncodeFloat(ScalarMath& m, const FloatFormat& f, PrimRef x, const Rounding& rounding) {
  const DType real = DType::Float(32), whole = DType::Int(32);
  const auto i = [&](int v) { return m.Const(v, whole); };
  const PrimRef size = m.Call("abs", {x});
  const PrimRef top = m.Const(std::ldexp(1.0, 100), real);
  const PrimRef tame = m.Min(size, top);
  const PrimRef exponent = m.Max(ExponentOf(m, tame), i(f.least_exponent));
  // Counts units in the last place; ties round to even.
  const PrimRef unit =
      m.Call("ldexp", {m.Const(1, real), m.Cast(m.Sub(i(f.mantissa), exponent), DType::Int(32))});
  const PrimRef count = m.Call("round", {m.Mul(tame, unit)});
  const PrimRef steps = m.Mul(m.Sub(exponent, i(f.least_exponent)), i(1 << f.mantissa));
  PrimRef code = m.Add(steps, m.Cast(count, whole));
  // `saturate` applies to formats of 8 bits.
  const bool saturates = rounding.saturate || f.bits < 8;
  const int beyond = saturates ? f.largest : f.infinity >= 0 ? f.infinity : f.nan;
  code = m.Select(m.Lt(i(f.largest), code), i(beyond), code);
  const int sign_bit = 1 << (f.bits - 1);
  const PrimRef bits = m.ir().MakeIntrinsic(DType::UInt(32), "reinterpret", {x});
  PrimRef negative = m.Ne(m.Binary(ir::BinaryOp::kShr, bits, m.Const(31, DType::UInt(32))),
                          m.Const(0, DType::UInt(32)));
  if (!f.signed_zero) negative = m.And(negative, m.And(m.Ne(code, i(0)), m.Ne(code, i(f.nan))));
  code = m.Select(negative, m.Add(code, i(sign_bit)), code);
  return m.Cast(m.Select(m.Ne(x, x), i(f.nan), code), DType::UInt(8));
}

// Encodes a power of two without sign and mantissa.
PrimRef EncodeE8M0(ScalarMath& m, PrimRef x, const Rounding& rounding) {
  const DType whole = DType::Int(32);
  const auto i = [&](int v) { return m.Const(v, whole); };
  const PrimRef least = m.Const(std::ldexp(1.0, -126), DType::Float(32));
  const PrimRef tame = m.Max(m.Min(m.Call("abs", {x}), m.Const(3e38, DType::Float(32))), least);
  const PrimRef exponent = ExponentOf(m, tame);
  const PrimRef power = m.Call("ldexp", {m.Const(1, DType::Float(32)), exponent});
  PrimRef more = m.ir().Bool(false);
  if (rounding.mode == "up") more = m.Lt(power, tame);
  if (rounding.mode == "nearest") more = m.Le(m.Mul(power, m.Const(1.5, DType::Float(32))), tame);
  PrimRef code = m.Add(m.Add(exponent, i(127)), m.Select(more, i(1), i(0)));
  code = m.Select(m.Lt(m.Call("abs", {x}), least), i(0), code);
  code = m.Select(m.Lt(i(254), code), i(rounding.saturate ? 254 : kE8M0Nan), code);
  return m.Cast(m.Select(m.Ne(x, x), i(kE8M0Nan), code), DType::UInt(8));
}

struct IntFormat {
  int32_t type;
  int bits;
  bool is_signed;
};
constexpr IntFormat kInts[] = {{21, 4, false}, {22, 4, true}, {25, 2, false}, {26, 2, true}};

const IntFormat* IntFormatOf(int32_t type) {
  for (const IntFormat& f : kInts) {
    if (f.type == type) return &f;
  }
  return nullptr;
}

PrimRef EncodeInt(ScalarMath& m, const IntFormat& f, PrimRef x, const Rounding& rounding) {
  const DType whole = DType::Int(32), stored = *DTypeOf(f.type);
  const int low = f.is_signed ? -(1 << (f.bits - 1)) : 0;
  const int high = f.is_signed ? (1 << (f.bits - 1)) - 1 : (1 << f.bits) - 1;
  PrimRef v = m.Cast(x, whole);
  if (rounding.wrap) {
    v = m.FloorMod(m.Sub(v, m.Const(low, whole)), m.Const(1 << f.bits, whole));
    return m.Cast(m.Add(v, m.Const(low, whole)), stored);
  }
  return m.Cast(m.Min(m.Max(v, m.Const(low, whole)), m.Const(high, whole)), stored);
}

}  // namespace

bool IsSmallFormat(int32_t type) {
  return FormatOf(type) != nullptr || IntFormatOf(type) != nullptr || type == kE8M0;
}

bool HasFloats(int32_t type) { return FormatOf(type) != nullptr || type == kE8M0; }

bool HasIntegers(int32_t type) { return IntFormatOf(type) != nullptr; }

int SmallFormatBits(int32_t type) {
  if (const FloatFormat* f = FormatOf(type)) return f->bits;
  if (const IntFormat* f = IntFormatOf(type)) return f->bits;
  return type == kE8M0 ? 8 : 0;
}

Operand DecodeSmall(NodeCall& n, const Operand& x, int32_t from) {
  if (IntFormatOf(from) != nullptr) return n.Cast(x, DType::Float(32));
  const FloatFormat* f = FormatOf(from);
  const int count = f != nullptr ? 1 << f->bits : 256;
  std::vector<double> values;
  for (int code = 0; code < count; ++code) values.push_back(ValueOf(from, f, code));
  const Operand table = n.builder().Constant(DType::Float(32), {count}, values);
  return n.Kernel("decode", {x, table}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", n.DimsOf(x), DType::Float(32), [&](const Indices& at) {
      const PrimRef code = m.Cast(te.At(te.Input(0), at), DType::Int(64));
      return te.At(te.Input(1), {count < 256 ? m.Min(code, m.Int(count - 1)) : code});
    });
  });
}

Operand EncodeSmall(NodeCall& n, const Operand& x, int32_t to, const Rounding& rounding) {
  const Operand real = IntFormatOf(to) != nullptr ? x : n.Cast(x, DType::Float(32));
  return n.Elementwise(
      "encode", {real},
      [&](ScalarMath& m, const Scalars& v) {
        if (const IntFormat* f = IntFormatOf(to)) return EncodeInt(m, *f, v[0], rounding);
        if (const FloatFormat* f = FormatOf(to)) return EncodeFloat(m, *f, v[0], rounding);
        return EncodeE8M0(m, v[0], rounding);
      },
      *DTypeOf(to));
}

}  // namespace lathe::onnx
