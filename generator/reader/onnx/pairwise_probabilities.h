// Computes class probabilities from the scores of a classifier for each pair of classes.
#ifndef LATHE_READER_ONNX_PAIRWISE_PROBABILITIES_H_
#define LATHE_READER_ONNX_PAIRWISE_PROBABILITIES_H_

#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// `scores` is (rows, pairs), the pairs in the order (0, 1), (0, 2), ..., (1, 2), ... Each score is
// calibrated by a sigmoid with its own slope (`a`) and offset (`b`). Returns (rows, classes).
Operand PairwiseProbabilities(NodeCall& n, const Operand& scores, int64_t classes,
                              const std::vector<double>& a, const std::vector<double>& b);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_PAIRWISE_PROBABILITIES_H_
