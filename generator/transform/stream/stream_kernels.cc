#include "generator/transform/stream/stream_kernels.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/status.h"
#include "generator/transform/global_names.h"
#include "generator/transform/stream/resize_kernel.h"
#include "generator/transform/stream/window_kernel.h"

namespace lathe::transform {
namespace {

// Returns the info of a result with `frames` frames along `axis`.
ir::StructInfoRef InfoWithFrames(const RuleCall& c, int axis, int64_t frames) {
  const auto* tensor = c.result->As<ir::TensorInfo>();
  std::vector<ir::PrimRef> dims = *tensor->dims();
  dims[static_cast<size_t>(axis)] = c.context.Int(frames);
  return c.context.Tensor(std::move(dims), tensor->dtype);
}

}  // namespace

absl::StatusOr<StreamedCall> StreamKernel(const RuleCall& c) {
  const auto* id = c.call.args[0].As<ir::GlobalId>();
  const auto* args = c.call.args.size() == 2 ? c.call.args[1].As<ir::TupleExpr>() : nullptr;
  const ir::PrimFunc* func = id == nullptr ? nullptr : c.module.globals[*id].prim_func();
  if (func == nullptr || args == nullptr || c.result->As<ir::TensorInfo>() == nullptr) {
    return absl::InvalidArgumentError(
        "calls a function with several results or with sizes as arguments; supported: PrimFuncs "
        "with one result");
  }
  std::map<size_t, int> inputs;
  std::optional<TimeAxis> time;
  for (size_t k = 0; k < args->fields.size(); ++k) {
    const TimeAxis* of = c.TimeOf(args->fields[k]);
    if (of == nullptr) continue;
    inputs[k] = of->axis;
    if (time && (time->length != of->length || time->step != of->step)) {
      return absl::InvalidArgumentError("combines windows of different numbers of frames");
    }
    time = *of;
  }
  const std::string& name = c.module.globals[*id].name;
  auto window = FindKernelWindow(c.context, *func, inputs);
  if (!window.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("calls '", name, "', which ", window.status().message()));
  }
  if (window->reads_all) return WholeWindow(c);
  Sliding sliding;
  sliding.kernel = window->kernel;
  sliding.stride = window->stride;
  sliding.out_axis = window->out_axis;
  sliding.out_length = c.ResultDims()[static_cast<size_t>(window->out_axis)];
  sliding.make = [c, func = *func, window = *window, name](int64_t frames) {
    ir::Call call = c.call;
    ir::Global made{absl::StrCat(name, "_stream"), WithFrames(c.context, func, window, frames), {}};
    made.name = GlobalNames(c.module).Unique(made.name);
    call.args[0] = {c.module.globals.Add(std::move(made))};
    call.sinfo_args = {InfoWithFrames(c, window.out_axis, frames)};
    return call;
  };
  TimeAxis in = *time;
  in.axis = window->out_axis;
  LATHE_ASSIGN_OR_RETURN(StreamedCall streamed, Slide(c, in, std::move(sliding)));
  streamed.each_frame =
      window->kernel == 1 && window->stride == 1 && streamed.time == std::optional<TimeAxis>(in);
  return streamed;
}

}  // namespace lathe::transform
