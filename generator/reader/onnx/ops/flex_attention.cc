// Imports FlexAttention: attention whose scores and probabilities subgraphs may modify.
#include "generator/reader/onnx/attention_heads.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Applies the subgraph `name` to `x`, if the node has it. The result has the type of `x`.
absl::StatusOr<Operand> Modified(NodeCall& n, const Operand& x, const char* name) {
  const Graph* graph = n.Subgraph(name);
  if (graph == nullptr) return x;
  if (graph->inputs.size() != 1 || graph->outputs.size() != 1)
    return n.Error() << "'" << name << "' must have one input and one output";
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                         ImportSubgraph(n.import(), n.scope(), *graph, {Term(x)}));
  if (!results[0].operand && !results[0].elements)
    return n.Error() << "'" << name << "' must return a tensor";
  const Operand y = Materialize(n.import(), results[0]);
  const Dims wanted = n.DimsOf(x);
  const auto* info = n.builder().InfoOf(y)->As<ir::TensorInfo>();
  if (info == nullptr || info->dtype != n.TypeOf(x) || info->ndim != std::ssize(wanted)) {
    return n.Error() << "'" << name << "' must return a tensor of rank " << wanted.size()
                     << " and of the element type of its input, " << ir::ToString(n.TypeOf(x));
  }
  // A shape that is not known may be that of the input, which the run checks.
  const Dims got = info->dims() == nullptr ? wanted : *info->dims();
  for (size_t a = 0; a < wanted.size(); ++a) {
    const auto size = NodeCall::IntOf(got[a]), like = NodeCall::IntOf(wanted[a]);
    if (!size || !like || *size == *like) continue;
    return n.Error() << "'" << name << "' must keep the shape of its input, but dimension " << a
                     << " becomes " << *size << " instead of " << *like;
  }
  if (info->dims() != nullptr && got == wanted) return y;
  return n.builder().MatchCast(y, n.ir().Tensor(wanted, n.TypeOf(x)));
}

}  // namespace

absl::StatusOr<Results> ImportFlexAttention(NodeCall& n) {
  const Operand q = n.In(0), k = n.In(1), v = n.In(2);
  for (const Operand& x : {q, k, v}) {
    if (n.Rank(x) != 4)
      return n.Error() << "queries, keys and values must have rank 4, got " << n.Rank(x);
  }
  const DType dtype = n.TypeOf(q);
  DType precision = dtype.bits < 32 ? DType::Float(32) : dtype;
  if (n.HasAttribute("softmax_precision")) {
    const auto wanted = DTypeOf(static_cast<int32_t>(n.Int("softmax_precision", 0)));
    if (!wanted || !wanted->is_floating())
      return n.Error() << "'softmax_precision' must be a float type";
    precision = *wanted;
  }
  const PrimRef heads = n.DimsOf(q)[1];
  LATHE_ASSIGN_OR_RETURN(const double scale, AttentionScale(n, q));
  const Operand keys = n.Transposed(ForGroups(n, k, heads), {0, 1, 3, 2});
  // Scores are rounded to the dtype of the queries, as in ONNX.
  const Operand raw = n.Cast(n.Cast(ScaledScores(n, q, keys, scale), dtype), precision);
  LATHE_RETURN_IF_ERROR(n.status());
  LATHE_ASSIGN_OR_RETURN(const Operand scores, Modified(n, raw, "score_mod"));
  const Operand shares = precision.bits < 32 ? MaskedSoftmax(n, scores)
                                             : n.Op("relax.nn.softmax", {scores}, {{"axis", -1}});
  LATHE_ASSIGN_OR_RETURN(const Operand probabilities, Modified(n, shares, "prob_mod"));
  const Operand values = n.Cast(ForGroups(n, v, heads), precision);
  const DType wide = precision.bits < 32 ? DType::Float(32) : precision;
  return n.Cast(n.Op("relax.matmul", {probabilities, values}, {{"out_dtype", wide}}), dtype);
}

}  // namespace lathe::onnx
