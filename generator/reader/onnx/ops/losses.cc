// Imports training losses.
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Computes -scores[class] * weight[class] per element, except for ignored classes, and reduces it.
absl::StatusOr<Operand> LikelihoodLoss(NodeCall& n, const Operand& scores, const Operand& target,
                                       std::optional<Operand> weights) {
  LATHE_RETURN_IF_ERROR(n.NeedRank(scores, 2));
  const Dims dims = n.DimsOf(scores), places = n.DimsOf(target);
  if (weights && n.Rank(*weights) != 1) return n.Error() << "the weights must have rank 1";
  if (places.size() + 1 != dims.size())
    return n.Error() << "the rank of the target must be that of the scores less 1, got "
                     << places.size();
  const DType dtype = n.TypeOf(scores);
  const bool ignores = n.HasAttribute("ignore_index");
  const int64_t ignored = n.Int("ignore_index", 0);
  Operands args = {scores, target};
  if (weights) args.push_back(*weights);
  const auto kept = [&](ScalarMath& m, PrimRef c) {
    return ignores ? m.Ne(c, m.Int(ignored)) : m.ir().Bool(true);
  };
  const auto class_of = [&](Te& te, const Indices& at) {
    return te.math().Cast(te.At(te.Input(1), at), DType::Int(64));
  };
  // An ignored class may be out of range, so class 0 is read instead.
  const auto read = [&](ScalarMath& m, PrimRef c) {
    return ignores ? m.Select(kept(m, c), c, m.Int(0)) : c;
  };
  const auto needs = [&](Te& te) {
    Dims rest = dims;
    rest.erase(rest.begin() + 1);
    NeedSameDims(n, te, places, rest, "the target");
    if (weights) NeedSameDims(n, te, n.DimsOf(*weights), {dims[1]}, "the weights");
  };
  const auto weight = [&](Te& te, PrimRef c) {
    ScalarMath& m = te.math();
    const PrimRef value = weights ? te.At(te.Input(2), {read(m, c)}) : m.Const(1, dtype);
    return m.Select(kept(m, c), value, m.Const(0, dtype));
  };
  const Operand loss = n.Kernel("likelihood_loss", args, [&](Te& te) {
    ScalarMath& m = te.math();
    needs(te);
    return te.Compute("loss", places, dtype, [&](const Indices& at) {
      const PrimRef c = class_of(te, at);
      Indices source = at;
      source.insert(source.begin() + 1, read(m, c));
      const PrimRef value = m.Mul(m.Neg(te.At(te.Input(0), source)), weight(te, c));
      return m.Select(kept(m, c), value, m.Const(0, dtype));
    });
  });
  const std::string reduction = n.String("reduction", "mean");
  if (reduction == "none") return loss;
  const Operand sum = n.Op("relax.sum", {loss});
  if (reduction == "sum") return sum;
  const Operand total = n.Op("relax.sum", {n.Kernel("weights", args, [&](Te& te) {
                               needs(te);
                               return te.Compute("weight", places, dtype, [&](const Indices& at) {
                                 return weight(te, class_of(te, at));
                               });
                             })});
  return n.Op("relax.divide", {sum, total});
}

std::optional<Operand> WeightsOf(NodeCall& n) {
  if (!n.Has(2)) return std::nullopt;
  return n.In(2);
}

}  // namespace

absl::StatusOr<Results> ImportLikelihoodLoss(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand loss, LikelihoodLoss(n, n.In(0), n.In(1), WeightsOf(n)));
  return loss;
}

absl::StatusOr<Results> ImportSoftmaxLoss(NodeCall& n) {
  const Operand scores = n.Op("relax.nn.log_softmax", {n.In(0)}, {{"axis", 1}});
  LATHE_ASSIGN_OR_RETURN(const Operand loss, LikelihoodLoss(n, scores, n.In(1), WeightsOf(n)));
  return Operands{loss, scores};
}

}  // namespace lathe::onnx
