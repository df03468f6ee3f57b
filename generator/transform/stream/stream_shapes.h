// Streams operators that move elements: reshapes, permutations, broadcasts, concatenations, splits,
// takes and repetitions.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_SHAPES_H_
#define LATHE_TRANSFORM_STREAM_STREAM_SHAPES_H_

#include "absl/status/statusor.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamReshape(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamPermutation(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamBroadcast(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamConcat(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamSplit(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamTake(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamStack(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamFlip(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamRepetition(const RuleCall& c);  // repeat and tile

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_SHAPES_H_
