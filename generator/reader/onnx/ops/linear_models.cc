// Imports linear models: a product with constant coefficients, and the labels of the results.
#include <utility>

#include "generator/reader/onnx/class_labels.h"
#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/score_transforms.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// The scores (rows, models) of `models` linear models; a negative number means that it is the
// number of coefficients by the number of features.
absl::StatusOr<Operand> LinearScores(NodeCall& n, int64_t models) {
  const DType real = DType::Float(32);
  LATHE_ASSIGN_OR_RETURN(const Operand rows, FeatureRows(n, n.In(0), real));
  const std::vector<double> coefficients = n.Floats("coefficients");
  const std::vector<double> intercepts = n.Floats("intercepts");
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "coefficients", coefficients));
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "intercepts", intercepts));
  const PrimRef width = n.DimsOf(rows)[1];
  const int64_t count = std::ssize(coefficients);
  if (models < 0) models = std::ssize(intercepts);
  const int64_t features = NodeCall::IntOf(width).value_or(models > 0 ? count / models : 0);
  if (models == 0 && features > 0) models = count / features;
  if (models < 1 || features < 1 || count != models * features) {
    return n.Error() << "has " << count << " coefficients for " << models << " models of "
                     << features << " features";
  }
  if (!intercepts.empty() && std::ssize(intercepts) != models) {
    return n.Error() << "has " << intercepts.size() << " intercepts for " << models << " models";
  }
  std::vector<double> columns(coefficients.size());
  for (size_t i = 0; i < coefficients.size(); ++i) {
    const auto f = static_cast<size_t>(features), k = static_cast<size_t>(models);
    columns[i % f * k + i / f] = coefficients[i];
  }
  Operand scores =
      n.Op("relax.matmul", {rows, n.builder().Constant(real, {features, models}, columns)});
  if (!intercepts.empty()) {
    scores = n.Op("relax.add", {scores, NumberTable(n, intercepts, real)});
  }
  return scores;
}

}  // namespace

absl::StatusOr<Results> ImportLinearRegressor(NodeCall& n) {
  const int64_t targets = n.Int("targets", 1);
  if (targets < 1) return n.Error() << "'targets' must be at least 1, not " << targets;
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadScoreTransform(n));
  LATHE_ASSIGN_OR_RETURN(const Operand scores, LinearScores(n, targets));
  return TransformScores(n, scores, transform);
}

absl::StatusOr<Results> ImportLinearClassifier(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const ClassLabels labels, ReadClassLabels(n, "classlabels_ints"));
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadScoreTransform(n));
  LATHE_ASSIGN_OR_RETURN(Operand scores, LinearScores(n, -1));
  const int64_t models = NodeCall::IntOf(n.DimsOf(scores)[1]).value_or(0);
  if (models != 1) {
    if (models != labels.count()) {
      return n.Error() << "has " << models << " models for " << labels.count() << " labels";
    }
    Term label = LabelsAt(n, labels, LargestScore(n, scores));
    return std::vector<Term>{std::move(label), Term(TransformScores(n, scores, transform))};
  }
  // One score decides between two classes.
  if (labels.count() > 2) return n.Error() << "has one model for " << labels.count() << " labels";
  Term label = LabelsAt(n, LabelsOfOneScore(labels), ScoreAbove(n, scores, 0, 0));
  if (labels.count() == 2) {
    const bool logistic = transform == ScoreTransform::kLogistic;
    scores = TwoScores(n, scores, logistic ? OtherScore::kNegative : OtherScore::kComplement);
    // Two scores that depend on each other are already a distribution.
    if (!logistic && transform != ScoreTransform::kProbit) {
      return std::vector<Term>{std::move(label), Term(scores)};
    }
  }
  return std::vector<Term>{std::move(label), Term(TransformScores(n, scores, transform))};
}

}  // namespace lathe::onnx
