// Imports elementwise operators.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<Operand> ImportSameName(OpCall& c) {
  const Operands operands = c.AllArgs();
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, operands));
  return c.Op(absl::StrCat("relax.", c.op()), BroadcastTogether(c, operands));
}

// Relay's "power" is defined for floats only.
absl::StatusOr<Operand> ImportPower(OpCall& c) {
  if (!c.TypeOf(c.Arg(0)).is_floating()) {
    return c.Error() << "operands of dtype " << ir::ToString(c.TypeOf(c.Arg(0)))
                     << "; it takes floats";
  }
  return ImportSameName(c);
}

absl::StatusOr<Operand> ImportIdentity(OpCall& c) { return c.Arg(0); }

// Rounds halves away from zero; R.round rounds them to even.
absl::StatusOr<Operand> ImportRound(OpCall& c) {
  const Operand x = c.Arg(0);
  if (!c.TypeOf(x).is_floating()) return x;
  return c.Elementwise("round", {x}, [](ScalarMath& m, const Scalars& v) {
    const DType dtype = v[0]->dtype();
    const PrimRef whole = m.Call("trunc", {v[0]});
    const PrimRef half = m.Le(m.Const(0.5, dtype), m.Call("abs", {m.Sub(v[0], whole)}));
    const PrimRef zero = m.Const(0, dtype);
    const PrimRef one = m.Select(m.Lt(v[0], zero), m.Const(-1, dtype), m.Const(1, dtype));
    return m.Select(half, m.Add(whole, one), whole);
  });
}

absl::StatusOr<Operand> ImportLogarithm(OpCall& c) {
  const Operand x = c.Arg(0);
  if (!c.TypeOf(x).is_floating()) return c.Error() << "its operand has to be of a float dtype";
  return c.Elementwise(c.op(), {x},
                       [&](ScalarMath& m, const Scalars& v) { return m.Call(c.op(), {v[0]}); });
}

// fast_exp, fast_tanh and fast_erf approximate the functions within 1e-5.
absl::StatusOr<Operand> ImportFastFunction(OpCall& c) {
  return c.Op(absl::StrCat("relax.", c.op().substr(5)), {c.Arg(0)});
}

absl::StatusOr<Operand> ImportTruncDivide(OpCall& c) {
  const Operands operands = c.AllArgs();
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, operands));
  const Operand quotient = c.Op("relax.divide", BroadcastTogether(c, operands));
  return c.TypeOf(quotient).is_floating() ? c.Op("relax.trunc", {quotient}) : quotient;
}

// The remainder has the sign of the dividend.
absl::StatusOr<Operand> ImportTruncMod(OpCall& c) {
  const Operands operands = c.AllArgs();
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, operands));
  return c.Op("relax.mod", BroadcastTogether(c, operands));
}

// The lower bound wins over a smaller upper one. A NaN becomes the upper bound.
absl::StatusOr<Operand> ImportClip(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  const double least = c.Float("a_min"), most = c.Float("a_max");
  return c.Elementwise("clip", {x}, [&](ScalarMath& m, const Scalars& v) {
    const auto bound = [&](double value) {
      if (!dtype.is_integer()) return m.Const(value, dtype);
      // Compared in double, because a bound may lie outside the dtype.
      const int bits = dtype.bits - (dtype.is_int() ? 1 : 0);
      if (value >= std::ldexp(1.0, bits)) return m.Highest(dtype);
      const double lowest = dtype.is_int() ? -std::ldexp(1.0, bits) : 0.0;
      if (value <= lowest) return m.Lowest(dtype);
      return m.Const(std::trunc(value), dtype);
    };
    return m.Max(m.Min(v[0], bound(most)), bound(least));
  });
}

absl::StatusOr<Operand> ImportCast(OpCall& c) {
  const std::optional<DType> dtype = c.DTypeAttr("dtype");
  if (!dtype) return c.Error() << "it needs a dtype";
  return c.Cast(c.Arg(0), *dtype);
}

absl::StatusOr<Operand> ImportCastLike(OpCall& c) { return c.Cast(c.Arg(0), c.TypeOf(c.Arg(1))); }

absl::StatusOr<Operand> ImportReinterpret(OpCall& c) {
  const Operand x = c.Arg(0);
  const std::optional<DType> dtype = c.DTypeAttr("dtype");
  if (!dtype) return c.Error() << "it needs a dtype";
  const DType from = c.TypeOf(x);
  if (from.bits != dtype->bits) {
    return c.Error() << "it keeps the bits of elements, and " << ir::ToString(from)
                     << " has another width than " << ir::ToString(*dtype);
  }
  if (from == *dtype) return x;
  const Operand shape = OpCall::Shape(c.DimsOf(x));
  return c.Op("relax.memory.view", {x, shape, {ir::DTypeImm{*dtype}}, c.builder().Number(0)});
}

// Any dtype serves as condition: what is not zero is true.
absl::StatusOr<Operand> ImportWhere(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {c.Arg(1), c.Arg(2)}));
  return c.Op("relax.where",
              BroadcastTogether(c, {c.Cast(c.Arg(0), DType::Bool()), c.Arg(1), c.Arg(2)}));
}

}  // namespace lathe::relay
