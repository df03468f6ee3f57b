// Imports casts of strings to numbers.
#include <cmath>

#include "generator/reader/onnx/decimal_text.h"
#include "generator/reader/onnx/string_ops.h"

namespace lathe::onnx {
namespace {

PrimRef IsOneOf(ScalarMath& m, PrimRef byte, absl::string_view letters) {
  PrimRef found = m.Eq(byte, Letter(m, letters[0]));
  for (char c : letters.substr(1)) found = m.Or(found, m.Eq(byte, Letter(m, c)));
  return found;
}
}  // namespace

// Parses [sign] digits [. digits] [e [sign] digits], nan, inf or infinity, ignoring case.
Operand StringsToNumbers(NodeCall& n, const Operand& x, DType dtype) {
  const Dims dims = n.DimsOf(x);
  const Dims rows(dims.begin(), dims.end() - 1);
  const bool whole = dtype.is_integer() || dtype.is_bool();
  return n.Kernel("read_numbers", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef text = te.Input(0);
    ir::BufferRef mantissa = Kept::Allocate(te, "mantissa", rows);
    ir::BufferRef shift = Kept::Allocate(te, "shift", rows);
    ir::BufferRef power = Kept::Allocate(te, "power", rows);
    ir::BufferRef power_sign = Kept::Allocate(te, "power_sign", rows);
    // Expected next: 0 digits, 1 digits of a fraction, 2 the sign of the exponent, 3 its digits.
    ir::BufferRef part = Kept::Allocate(te, "part", rows);
    ir::BufferRef digits = Kept::Allocate(te, "digits", rows);  // in the current part
    ir::BufferRef out = te.Allocate("out", rows, dtype);
    te.Run("read", rows, [&](ops::Statements& s, const Indices& row) {
      Kept kept(te, s, row);
      const PrimRef first = s.Let("first", StringByte(te, text, row, m.Int(0)));
      const PrimRef begin = s.Let("begin", m.Select(IsOneOf(m, first, "+-"), m.Int(1), m.Int(0)));
      const auto is = [&](absl::string_view word) {
        PrimRef same = m.Eq(StringByte(te, text, row, m.Add(begin, m.Int(std::ssize(word)))),
                            m.Const(0, kByte));
        for (size_t i = 0; i < word.size(); ++i) {
          const PrimRef place = m.Add(begin, m.Int(static_cast<int64_t>(i)));
          const PrimRef byte = StringByte(te, text, row, place);
          const char upper = static_cast<char>(word[i] - 'a' + 'A');
          same = m.And(same, m.Or(m.Eq(byte, Letter(m, word[i])), m.Eq(byte, Letter(m, upper))));
        }
        return same;
      };
      const PrimRef endless = s.Let("endless", m.Or(is("inf"), is("infinity")));
      const PrimRef none = s.Let("none", is("nan"));
      const PrimRef word = s.Let("word", m.Or(endless, none));
      for (ir::BufferRef one : {mantissa, shift, power, part, digits}) kept.SetInt(one, 0);
      kept.SetInt(power_sign, 1);
      s.For("p", dims.back(), [&](PrimRef p) {
        const PrimRef byte = s.Let("byte", StringByte(te, text, row, p));
        const PrimRef in = kept.Get(part);
        const PrimRef open =
            s.Let("open", m.And(m.And(m.Le(begin, p), m.Not(word)), m.Ne(byte, m.Const(0, kByte))));
        const PrimRef digit = s.Let(
            "digit", m.And(open, m.And(m.Le(Letter(m, '0'), byte), m.Le(byte, Letter(m, '9')))));
        const PrimRef value = s.Let("value", m.Sub(m.Cast(byte, kWhole), m.Int('0')));
        const PrimRef sofar = kept.Get(mantissa);
        const PrimRef fits = s.Let("fits", m.Lt(sofar, m.Int(100'000'000'000'000'000)));
        const PrimRef fraction = m.Select(m.Eq(in, m.Int(1)), m.Int(1), m.Int(0));
        const PrimRef beyond = m.Select(fits, m.Int(0), m.Int(1));
        s.If(m.And(digit, m.Lt(in, m.Int(2))), [&] {
          s.If(fits, [&] { kept.Set(mantissa, m.Add(m.Mul(sofar, m.Int(10)), value)); });
          kept.Set(shift, m.Add(kept.Get(shift), m.Sub(beyond, fraction)));
        });
        s.If(m.And(digit, m.Le(m.Int(2), in)), [&] {
          const PrimRef longer = m.Add(m.Mul(kept.Get(power), m.Int(10)), value);
          kept.Set(power, m.Min(longer, m.Int(100'000)));
          kept.SetInt(part, 3);
        });
        s.If(digit, [&] { kept.Set(digits, m.Add(kept.Get(digits), m.Int(1))); });
        const PrimRef point = m.And(m.Eq(byte, Letter(m, '.')), m.Eq(in, m.Int(0)));
        const PrimRef scales = m.And(IsOneOf(m, byte, "eE"),
                                     m.And(m.Lt(in, m.Int(2)), m.Lt(m.Int(0), kept.Get(digits))));
        const PrimRef sign = m.And(IsOneOf(m, byte, "+-"), m.Eq(in, m.Int(2)));
        const PrimRef other = s.Let("other", m.And(open, m.Not(digit)));
        s.Need(m.Or(m.Not(other), m.Or(point, m.Or(scales, sign))),
               "Cast needs strings that are numbers");
        s.If(m.And(other, point), [&] { kept.SetInt(part, 1); });
        s.If(m.And(other, scales), [&] {
          kept.SetInt(part, 2);
          kept.SetInt(digits, 0);
        });
        s.If(m.And(other, sign), [&] {
          kept.SetInt(part, 3);
          s.If(m.Eq(byte, Letter(m, '-')), [&] { kept.SetInt(power_sign, -1); });
        });
      });
      s.Need(m.Or(word, m.Lt(m.Int(0), kept.Get(digits))), "Cast needs strings that are numbers");
      const PrimRef negative = m.Eq(first, Letter(m, '-'));
      const PrimRef size = kept.Get(mantissa);
      if (whole) {
        const PrimRef plain =
            m.And(m.Eq(kept.Get(part), m.Int(0)), m.Eq(kept.Get(shift), m.Int(0)));
        s.Need(m.And(plain, m.Not(word)), "Cast needs integers of up to 18 digits");
        const PrimRef value = m.Select(negative, m.Sub(m.Int(0), size), size);
        return s.Store(out, row, m.Cast(value, dtype));
      }
      const PrimRef by = m.Add(kept.Get(shift), m.Mul(kept.Get(power), kept.Get(power_sign)));
      const PrimRef exponent = s.Let("exponent", m.Max(m.Min(by, m.Int(400)), m.Int(-400)));
      const PrimRef scaled = TimesPowerOfTen(m, m.Cast(size, kReal), exponent);
      PrimRef value = m.Select(m.Eq(size, m.Int(0)), m.Const(0, kReal), scaled);
      value = m.Select(endless, m.Highest(kReal), m.Select(none, m.Const(NAN, kReal), value));
      s.Store(out, row, m.Cast(m.Select(negative, m.Neg(value), value), dtype));
    });
    return out;
  });
}

}  // namespace lathe::onnx
