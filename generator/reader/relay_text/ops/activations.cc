// Imports activations with attributes, dropout and the losses.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<Operand> ImportLeakyRelu(OpCall& c) {
  return c.Op("relax.nn.leakyrelu", {c.Arg(0)}, {{"alpha", c.Float("alpha")}});
}

absl::StatusOr<Operand> ImportPrelu(OpCall& c) {
  const Operand x = c.Arg(0), alpha = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, alpha}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, alpha, 1, "alpha"));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, c.DimsOf(alpha)[0], c.DimsOf(x)[static_cast<size_t>(axis)], "alpha"));
  return c.Op("relax.nn.prelu", {x, alpha}, Axis(axis));
}

// (x, mask): inference drops nothing, so that the mask is 1.
absl::StatusOr<Operand> ImportDropout(OpCall& c) {
  const Operand x = c.Arg(0);
  return TupleOf({x, Filled(c, c.DimsOf(x), 1, c.TypeOf(x))});
}

// -sum(y log p) / batch; with logits the logarithm is already taken.
absl::StatusOr<Operand> ImportCrossEntropy(OpCall& c) {
  const Operand p = c.Arg(0), y = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {p, y}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, p, 2, "the predictions"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, y, 2, "the targets"));
  for (size_t i = 0; i < 2; ++i) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(y)[i], c.DimsOf(p)[i], "each target"));
  }
  const Operand logs = c.op() == "nn.cross_entropy" ? c.Op("relax.log", {p}) : p;
  const Operand sum = c.Op("relax.sum", {c.Op("relax.multiply", {logs, y})});
  const PrimRef batch = c.DimsOf(p)[0];
  return c.Elementwise("cross_entropy", {sum}, [&](ScalarMath& m, const Scalars& v) {
    return m.Neg(m.Div(v[0], m.Cast(batch, v[0]->dtype())));
  });
}

absl::StatusOr<Operand> ImportNllLoss(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {c.Arg(0), c.Arg(2)}));
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "reduction", {"mean", "sum", "none"}));
  return c.Op("relax.nn.nll_loss", c.AllArgs(),
              {{"reduction", c.Str("reduction")}, {"ignore_index", c.Int("ignore_index")}});
}

}  // namespace lathe::relay
