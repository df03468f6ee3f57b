#include "generator/reader/onnx/class_labels.h"

#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/string_ops.h"

namespace lathe::onnx {

absl::StatusOr<ClassLabels> ReadClassLabels(NodeCall& n, const std::string& ints_name) {
  ClassLabels labels{n.Ints(ints_name), n.StringList("classlabels_strings")};
  if (labels.ints.empty() == labels.strings.empty()) {
    return n.Error() << "needs labels either in '" << ints_name
                     << "' or in 'classlabels_strings'; it has " << labels.ints.size() << " and "
                     << labels.strings.size();
  }
  return labels;
}

ClassLabels LabelsOfOneScore(const ClassLabels& labels) {
  if (labels.count() == 2) return labels;
  return labels.are_strings() ? ClassLabels{{}, {"0", "1"}} : ClassLabels{{0, 1}, {}};
}

Term LabelsAt(NodeCall& n, const ClassLabels& labels, const Operand& which) {
  const bool strings = labels.are_strings();
  const Operand table =
      strings ? StringTable(n, labels.strings, {labels.count()}) : IntTable(n, labels.ints);
  Dims dims = n.DimsOf(which);
  const size_t rank = dims.size();
  if (strings) dims.push_back(n.DimsOf(table).back());
  const Operand out = n.Kernel("label", {which, table}, [&](Te& te) {
    return te.Compute("out", dims, n.TypeOf(table), [&](const Indices& at) {
      const Indices row(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank));
      Indices from = {te.math().Cast(te.At(te.Input(0), row), DType::Int(64))};
      if (strings) from.push_back(at.back());
      return te.At(te.Input(1), from);
    });
  });
  return strings ? AsStrings(out) : Term(out);
}

Operand LargestScore(NodeCall& n, const Operand& scores) {
  return n.Op("relax.argmax", {scores}, {{"axis", int64_t{1}}, {"keepdims", false}});
}

Operand ScoreAbove(NodeCall& n, const Operand& scores, int64_t column, double threshold) {
  const Dims rows = {n.DimsOf(scores)[0]};
  return n.Kernel("above", {scores}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", rows, DType::Int(64), [&](const Indices& at) {
      const PrimRef score = te.At(te.Input(0), {at[0], m.Int(column)});
      return m.Select(m.Lt(m.Const(threshold, score->dtype()), score), m.Int(1), m.Int(0));
    });
  });
}

}  // namespace lathe::onnx
