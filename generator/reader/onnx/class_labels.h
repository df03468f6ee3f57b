// Reads the labels of the classes of a classifier, which are integers or strings.
#ifndef LATHE_READER_ONNX_CLASS_LABELS_H_
#define LATHE_READER_ONNX_CLASS_LABELS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

struct ClassLabels {
  std::vector<int64_t> ints;
  std::vector<std::string> strings;

  bool are_strings() const { return !strings.empty(); }
  int64_t count() const { return are_strings() ? std::ssize(strings) : std::ssize(ints); }
};

// Reads the integers of the attribute called `ints_name`, or the strings of classlabels_strings.
// Fails, after reporting it, unless exactly one of the two attributes has labels.
absl::StatusOr<ClassLabels> ReadClassLabels(NodeCall& n, const std::string& ints_name);

// Returns the labels of a model with one score: the two that it declares, otherwise 0 and 1, or
// their texts if the labels are strings.
ClassLabels LabelsOfOneScore(const ClassLabels& labels);

// Returns the label at each index in `which`, a tensor of integers.
Term LabelsAt(NodeCall& n, const ClassLabels& labels, const Operand& which);

// Returns the index of the largest score of each row, the first of equal ones.
Operand LargestScore(NodeCall& n, const Operand& scores);
// Returns 1 where the score in column `column` of a row is above the threshold, else 0.
Operand ScoreAbove(NodeCall& n, const Operand& scores, int64_t column, double threshold);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CLASS_LABELS_H_
