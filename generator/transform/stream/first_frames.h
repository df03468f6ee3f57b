// Computes the state of a streamed network before its first step.
#ifndef LATHE_TRANSFORM_STREAM_FIRST_FRAMES_H_
#define LATHE_TRANSFORM_STREAM_FIRST_FRAMES_H_

#include <cstddef>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/attrs.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/stream/stream_plan.h"

namespace lathe::transform {

// Returns zeros, or the zero point of a quantized input, for parameter `index` of a function. Fails
// if it is not a tensor with constant sizes.
absl::StatusOr<interp::TensorRef> ZeroWindow(const ir::Module& module, const ir::Function& f,
                                             size_t index,
                                             const std::shared_ptr<interp::MemoryBudget>& budget);

// Evaluates `function` of `window` on inputs of zeros, or of the zero points of quantized inputs,
// in the `arithmetic` of the model, and returns the newest frames of each history in the form of
// the attribute "state". Fails if the evaluation does.
absl::StatusOr<ir::AttrList> FirstFrames(ir::Context& context, const ir::Module& window,
                                         ir::GlobalId function, const StreamPlan& plan,
                                         const std::function<void(ir::Module&)>& arithmetic,
                                         Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_FIRST_FRAMES_H_
