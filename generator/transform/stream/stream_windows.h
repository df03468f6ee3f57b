// Streams operators with windows that slide along time: convolutions, pools, paddings and slices.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_WINDOWS_H_
#define LATHE_TRANSFORM_STREAM_STREAM_WINDOWS_H_

#include "absl/status/statusor.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamConvolution(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamPool(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamAdaptivePool(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamPad(const RuleCall& c);
absl::StatusOr<StreamedCall> StreamSlice(const RuleCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_WINDOWS_H_
