// Imports casts of numbers to strings.
#include "generator/reader/onnx/decimal_text.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr DType kSingle = DType::Float(32);

// Writes bytes into the rows of `out`.
class DigitWriter {
 public:
  DigitWriter(Te& te, ops::Statements& s, ir::BufferRef out, ir::BufferRef length,
              const Indices& row)
      : m_(te.math()), te_(te), s_(s), out_(out), length_(length), row_(row) {
    s.Store(length, row, m_.Int(0));
  }
  void Put(PrimRef byte) {
    const PrimRef place = s_.Let("place", te_.At(length_, row_));
    Indices at = row_;
    at.push_back(place);
    s_.Store(out_, at, byte);
    s_.Store(length_, row_, m_.Add(place, m_.Int(1)));
  }
  void Put(absl::string_view text) {
    for (char c : text) Put(Letter(m_, c));
  }
  void PutDigit(PrimRef digit) { Put(m_.Cast(m_.Add(digit, m_.Int('0')), kByte)); }

 private:
  ScalarMath& m_;
  Te& te_;
  ops::Statements& s_;
  const ir::BufferRef out_, length_;
  const Indices row_;
};

constexpr int64_t kMaxDigits = 20, kWidth = 24;

// Decimal digits of a number: `count` digits, the first with the weight 10^exponent.
struct Decimal {
  ir::BufferRef digits, count, exponent;
};

// Finds the fewest digits of `x` that read back as the same number of `dtype`.
void FewestDigits(Te& te, ops::Statements& s, const Indices& row, PrimRef x, DType dtype,
                  const Decimal& d, ir::BufferRef found) {
  ScalarMath& m = te.math();
  Kept kept(te, s, row);
  const PrimRef size = s.Let("size", m.Cast(m.Call("abs", {x}), kReal));
  constexpr int64_t kLowest = -46, kHighest = 39;
  kept.SetInt(d.exponent, kLowest);
  s.For("k", m.Int(kHighest - kLowest), [&](PrimRef k) {
    const PrimRef power = s.Let("power", m.Add(k, m.Int(kLowest)));
    s.If(m.Le(TimesPowerOfTen(m, m.Const(1, kReal), power), size),
         [&] { kept.Set(d.exponent, power); });
  });
  kept.SetInt(found, 0);
  const int64_t most = dtype.bits == 32 ? 9 : 5;
  s.For("k", m.Int(most), [&](PrimRef k) {
    const PrimRef shift = s.Let("shift", m.Sub(k, kept.Get(d.exponent)));
    const PrimRef whole = s.Let("whole", m.Call("round", {TimesPowerOfTen(m, size, shift)}));
    const PrimRef back = m.Cast(TimesPowerOfTen(m, whole, m.Sub(m.Int(0), shift)), kSingle);
    const PrimRef same = m.Eq(m.Cast(m.Cast(back, dtype), kSingle), m.Call("abs", {x}));
    const PrimRef last = m.Eq(k, m.Int(most - 1));
    s.If(m.And(m.Eq(kept.Get(found), m.Int(0)), m.Or(same, last)), [&] {
      kept.Set(found, m.Add(m.Cast(whole, kWhole), m.Int(1)));
      kept.Set(d.count, m.Add(k, m.Int(1)));
    });
  });
  // Extracts the digits from the last to the first; rounding may have turned 9.99 into 10.
  const PrimRef over = s.Let("over", PowerOfTen(m, kept.Get(d.count)));
  const PrimRef grown = m.Le(over, m.Cast(m.Sub(kept.Get(found), m.Int(1)), kReal));
  s.If(s.Let("grown", grown), [&] {
    kept.SetInt(found, 2);
    kept.SetInt(d.count, 1);
    kept.Set(d.exponent, m.Add(kept.Get(d.exponent), m.Int(1)));
  });
  s.If(m.Eq(size, m.Const(0, kReal)), [&] { kept.SetInt(d.exponent, 0); });
  kept.Set(found, m.Sub(kept.Get(found), m.Int(1)));
  const PrimRef count = kept.Get(d.count);
  s.For("k", count, [&](PrimRef k) {
    const PrimRef rest = kept.Get(found);
    Indices at = row;
    at.push_back(m.Sub(m.Sub(count, m.Int(1)), k));
    s.Store(d.digits, at, m.FloorMod(rest, m.Int(10)));
    kept.Set(found, m.FloorDiv(rest, m.Int(10)));
  });
}

// Formats as 12.5, 0.00125, 1.25e-05, 100.0, 1e+16, nan or inf.
void WriteReal(Te& te, ops::Statements& s, const Indices& row, PrimRef x, const Decimal& d,
               DigitWriter& writer) {
  ScalarMath& m = te.math();
  const auto digit = [&](PrimRef i) {
    Indices at = row;
    at.push_back(i);
    return te.At(d.digits, at);
  };
  const PrimRef none = s.Let("none", m.Ne(x, x));
  const PrimRef limit = m.Highest(x->dtype());
  const PrimRef endless = s.Let("endless", m.Eq(m.Call("abs", {x}), limit));
  const PrimRef sign = m.Call("copysign", {m.Const(1, kSingle), x});
  const PrimRef negative = m.Lt(sign, m.Const(0, kSingle));
  s.If(m.And(m.Not(none), negative), [&] { writer.Put("-"); });
  s.If(none, [&] { writer.Put("nan"); });
  s.If(endless, [&] { writer.Put("inf"); });
  const PrimRef count = s.Let("count", te.At(d.count, row));
  const PrimRef exponent = s.Let("exponent", te.At(d.exponent, row));
  const PrimRef zero = m.Int(0), one = m.Int(1);
  const PrimRef finite = s.Let("finite", m.Not(m.Or(none, endless)));
  const PrimRef scaled =
      s.Let("scaled", m.And(finite, m.Not(m.InRange(exponent, m.Int(-4), m.Int(16)))));
  s.If(scaled, [&] {
    s.For("k", count, [&](PrimRef k) {
      writer.PutDigit(digit(k));
      s.If(m.And(m.Eq(k, zero), m.Lt(one, count)), [&] { writer.Put("."); });
    });
    writer.Put("e");
    writer.Put(m.Select(m.Lt(exponent, zero), Letter(m, '-'), Letter(m, '+')));
    const PrimRef size = s.Let("power", m.Max(exponent, m.Sub(zero, exponent)));
    writer.PutDigit(m.FloorDiv(size, m.Int(10)));
    writer.PutDigit(m.FloorMod(size, m.Int(10)));
  });
  const PrimRef plain = s.Let("plain", m.And(finite, m.Not(scaled)));
  s.If(m.And(plain, m.Lt(exponent, zero)), [&] {
    writer.Put("0.");
    s.For("k", m.Sub(m.Sub(zero, exponent), one), [&](PrimRef) { writer.Put("0"); });
    s.For("k", count, [&](PrimRef k) { writer.PutDigit(digit(k)); });
  });
  s.If(m.And(plain, m.Le(zero, exponent)), [&] {
    s.For("k", m.Max(count, m.Add(exponent, m.Int(2))), [&](PrimRef k) {
      s.If(m.Eq(k, m.Add(exponent, one)), [&] { writer.Put("."); });
      const PrimRef place = m.Min(k, m.Int(kMaxDigits - 1));
      writer.PutDigit(m.Select(m.Lt(k, count), digit(place), zero));
    });
  });
}

void WriteWhole(Te& te, ops::Statements& s, const Indices& row, PrimRef x, const Decimal& d,
                ir::BufferRef rest, DigitWriter& writer) {
  ScalarMath& m = te.math();
  const DType wide = DType::UInt(64);
  const PrimRef zero = m.Const(0, wide), ten = m.Const(10, wide);
  const bool is_signed = !x->dtype().is_uint();
  const PrimRef negative = is_signed ? m.Lt(x, m.Const(0, x->dtype())) : m.ir().Bool(false);
  const PrimRef bits = m.Cast(is_signed ? m.Cast(x, kWhole) : x, wide);
  s.Store(rest, row, m.Select(negative, m.Sub(zero, bits), bits));
  s.Store(d.count, row, m.Int(1));
  s.For("k", m.Int(kMaxDigits), [&](PrimRef k) {
    const PrimRef left = s.Let("left", te.At(rest, row));
    Indices at = row;
    at.push_back(k);
    s.Store(d.digits, at, m.Cast(m.FloorMod(left, ten), kWhole));
    s.If(m.Ne(left, zero), [&] { s.Store(d.count, row, m.Add(k, m.Int(1))); });
    s.Store(rest, row, m.FloorDiv(left, ten));
  });
  s.If(negative, [&] { writer.Put("-"); });
  const PrimRef count = s.Let("count", te.At(d.count, row));
  s.For("k", count, [&](PrimRef k) {
    Indices at = row;
    at.push_back(m.Sub(m.Sub(count, m.Int(1)), k));
    writer.PutDigit(te.At(d.digits, at));
  });
}

}  // namespace

absl::StatusOr<Operand> NumbersToStrings(NodeCall& n, const Operand& x) {
  const DType dtype = n.TypeOf(x);
  const bool real = dtype.is_floating() && dtype.bits <= 32;
  if (!real && !dtype.is_integer()) {
    return n.Unsupported()
           << "a cast of " << ir::ToString(dtype)
           << " to strings is not supported; supported: integers, and floats of 16 and 32 bits";
  }
  const Dims rows = n.DimsOf(x);
  Dims dims = rows;
  dims.push_back(n.ir().Int(kWidth));
  return n.Kernel("print_numbers", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    Dims each = rows;
    each.push_back(m.Int(kMaxDigits));
    const Decimal d = {te.Allocate("digits", each, kWhole), te.Allocate("count", rows, kWhole),
                       te.Allocate("exponent", rows, kWhole)};
    ir::BufferRef found = te.Allocate("found", rows, real ? kWhole : DType::UInt(64));
    ir::BufferRef length = te.Allocate("length", rows, kWhole);
    ir::BufferRef out =
        te.Compute("out", dims, kByte, [&](const Indices&) { return m.Const(0, kByte); });
    te.Run("print", rows, [&](ops::Statements& s, const Indices& row) {
      const PrimRef value = s.Let("number", te.At(te.Input(0), row));
      DigitWriter writer(te, s, out, length, row);
      if (!real) return WriteWhole(te, s, row, value, d, found, writer);
      const PrimRef number = s.Let("number", m.Cast(value, kSingle));
      FewestDigits(te, s, row, number, dtype, d, found);
      WriteReal(te, s, row, number, d, writer);
    });
    return out;
  });
}

}  // namespace lathe::onnx
