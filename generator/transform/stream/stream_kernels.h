// Streams calls of PrimFuncs, of which it makes versions for fewer frames.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_KERNELS_H_
#define LATHE_TRANSFORM_STREAM_STREAM_KERNELS_H_

#include "absl/status/statusor.h"
#include "generator/transform/stream/stream_rule.h"

namespace lathe::transform {

absl::StatusOr<StreamedCall> StreamKernel(const RuleCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_KERNELS_H_
