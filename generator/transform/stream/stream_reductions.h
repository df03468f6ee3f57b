// Streams operators that combine elements along axes: those that leave time alone compute each
// frame, those along time read the whole window.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_REDUCTIONS_H_
#define LATHE_TRANSFORM_STREAM_STREAM_REDUCTIONS_H_

#include "absl/status/statusor.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamAlongAxes(
    const RuleCall&
        c);  // an operator with a result of the shape of its operand: softmax, layer_norm
absl::StatusOr<StreamedCall> StreamReduction(const RuleCall& c);  // sum, max, argmax and others
absl::StatusOr<StreamedCall> StreamAllFrames(
    const RuleCall& c);  // an operator that mixes all frames: attention
absl::StatusOr<StreamedCall> StreamBatchNorm(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamMatmul(const RuleCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_REDUCTIONS_H_
