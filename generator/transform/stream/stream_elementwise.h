// Streams operators that compute each element from the elements at its place.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_ELEMENTWISE_H_
#define LATHE_TRANSFORM_STREAM_STREAM_ELEMENTWISE_H_

#include "absl/status/statusor.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamElementwise(
    const RuleCall& c);  // an operator whose operands are broadcast
absl::StatusOr<StreamedCall> StreamScaled(
    const RuleCall& c);  // an operator with a scale along an axis: requantize, prelu

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_ELEMENTWISE_H_
