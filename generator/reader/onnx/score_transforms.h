// Applies the transforms of scores that models of ai.onnx.ml declare (post_transform).
#ifndef LATHE_READER_ONNX_SCORE_TRANSFORMS_H_
#define LATHE_READER_ONNX_SCORE_TRANSFORMS_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Numbered as the attribute post_transform of TreeEnsemble.
enum class ScoreTransform { kNone = 0, kSoftmax, kLogistic, kSoftmaxZero, kProbit };

// Reads the attribute post_transform, a name.
absl::StatusOr<ScoreTransform> ReadScoreTransform(NodeCall& n);
// Reads it as TreeEnsemble declares it, a number.
absl::StatusOr<ScoreTransform> ReadNumberedTransform(NodeCall& n);

// Applies the transform to each row of (rows, scores).
Operand TransformScores(NodeCall& n, const Operand& scores, ScoreTransform transform);

// The first of two scores of a model that computes the second one.
enum class OtherScore { kComplement /* 1 - s */, kNegative /* -s */ };
// Returns (rows, 2): the other score, then the score in column 0 of each row.
Operand TwoScores(NodeCall& n, const Operand& scores, OtherScore other);

// Returns 1 / (1 + exp(-x)) without overflow.
PrimRef LogisticOf(ScalarMath& m, PrimRef x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SCORE_TRANSFORMS_H_
