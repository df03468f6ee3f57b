// Streams sums of products over indices given as letters.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_EINSUM_H_
#define LATHE_TRANSFORM_STREAM_STREAM_EINSUM_H_

#include "absl/status/statusor.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamEinsum(const RuleCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_EINSUM_H_
