#include "generator/driver/stream_program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/packed_elements.h"
#include "generator/ir/state.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/transform/result_fields.h"
#include "generator/transform/stream/stream_plan.h"

namespace lathe::driver {
namespace {

using transform::StreamedInput;
using transform::StreamOptions;

const ir::Function& FunctionIn(const ir::Module& module, ir::GlobalId id) {
  return *module.globals[id].function();
}

absl::Status CheckFunction(const ir::Module& module, ir::GlobalId id) {
  const std::string& name = module.globals[id].name;
  if (!ir::FirstBytesOfState(FunctionIn(module, id)).empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", name,
                     "' has a state, so it is a step of a sequence already; --stream takes a "
                     "function without one"));
  }
  if (transform::IsUsed(module, id)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the program calls '", name, "', so its inputs cannot change"));
  }
  return absl::OkStatus();
}

// Returns the sizes of parameter `index`; fails if it is not a tensor with constant sizes.
absl::StatusOr<std::vector<int64_t>> DimsOf(const ir::Module& module, const ir::Function& f,
                                            size_t index) {
  const ir::Value& param = module.values[f.params[index]];
  auto dims = transform::StaticDims(param.info);
  const bool packed = dims && ir::IsPacked(param.info->As<ir::TensorInfo>()->dtype);
  if (dims && !packed && !absl::c_linear_search(*dims, 0)) return *std::move(dims);
  return absl::InvalidArgumentError(absl::StrCat(
      "the input '", param.name, "' is ",
      param.info == nullptr ? "unknown" : ir::ToString(param.info),
      "; --stream needs a tensor with elements of whole bytes and constant sizes, which -D sets"));
}

// Returns the input of `spec` for one of its axes.
absl::StatusOr<StreamedInput> InputFor(const ir::Module& module, const ir::Function& f,
                                       size_t index, int64_t axis, int64_t frames) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, DimsOf(module, f, index));
  const std::string& name = module.values[f.params[index]].name;
  if (axis >= std::ssize(dims)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the input '", name, "' has ", dims.size(), " axes, and no axis ", axis));
  }
  const int64_t length = dims[static_cast<size_t>(axis)];
  if (frames >= length) {
    return absl::InvalidArgumentError(absl::StrCat(
        "axis ", axis, " of the input '", name, "' has ", length,
        " frames, of which --stream must leave some; it asks for ", frames, " new ones"));
  }
  return StreamedInput{index, {static_cast<int>(axis), length, frames}};
}

enum class StreamKind {
  kNo,
  kWithoutHistory,  // each new frame is computed from itself alone
  kYes,
};

// Returns whether the network can be streamed with `options`, and then keeps frames.
StreamKind StreamsWith(ir::Context& context, const ir::Module& module, ir::GlobalId function,
                       const StreamOptions& options) {
  ir::Module copy = module;
  Diagnostics diags;
  const auto plan = transform::PlanStream(context, copy, function,
                                          transform::InputTimes(module, function, options),
                                          options.pads_at_start, diags);
  if (diags.has_errors()) return StreamKind::kNo;
  return plan.histories.empty() ? StreamKind::kWithoutHistory : StreamKind::kYes;
}

// Finds the only axis of the inputs `params` that can be streamed alone.
absl::StatusOr<StreamedInput> FindAxis(ir::Context& context, const ir::Module& module,
                                       ir::GlobalId function, const std::vector<size_t>& params,
                                       const StreamSpec& spec, bool pads_at_start) {
  const ir::Function& f = FunctionIn(module, function);
  std::vector<StreamedInput> found;
  std::string named, alone;
  for (size_t index : params) {
    const auto dims = DimsOf(module, f, index);
    for (int64_t axis = 0; dims.ok() && axis < std::ssize(*dims); ++axis) {
      const auto input = InputFor(module, f, index, axis, spec.frames);
      if (!input.ok()) continue;
      const StreamKind streams =
          StreamsWith(context, module, function, {{*input}, pads_at_start, {}});
      if (streams == StreamKind::kNo) continue;
      if (streams == StreamKind::kYes) found.push_back(*input);
      std::string& list = streams == StreamKind::kYes ? named : alone;
      absl::StrAppend(&list, list.empty() ? "" : ", ", module.values[f.params[index]].name, ":",
                      axis, "=", spec.frames);
    }
  }
  if (found.size() == 1) return found[0];
  if (found.empty() && !alone.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no layer combines frames along an axis of an input, so that a step keeps "
                     "nothing of earlier frames; choose the axis for a model of ",
                     spec.frames, spec.frames == 1 ? " frame: " : " frames: ", alone));
  }
  return absl::InvalidArgumentError(
      found.empty() ? absl::StrCat("no axis of an input can be streamed with ", spec.frames,
                                   spec.frames == 1 ? " new frame" : " new frames",
                                   "; --stream INPUT:AXIS=", spec.frames, " says why")
                    : absl::StrCat("several axes can be streamed; choose one: ", named));
}

absl::StatusOr<StreamedInput> FindInput(ir::Context& context, const ir::Module& module,
                                        ir::GlobalId function, const StreamSpec& spec,
                                        bool pads_at_start) {
  const ir::Function& f = FunctionIn(module, function);
  std::vector<absl::string_view> names;
  std::vector<size_t> all, found;
  for (size_t k = 0; k < f.params.size(); ++k) {
    const std::string& name = module.values[f.params[k]].name;
    all.push_back(k);
    names.push_back(name);
    if (name == spec.input) found.push_back(k);
  }
  const bool any = found.empty() && spec.input == "frames" && !spec.axis;
  if (found.empty() && !any) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no input is called '", spec.input, "', as --stream says", DidYouMean(spec.input, names)));
  }
  if (spec.axis) return InputFor(module, f, found[0], *spec.axis, spec.frames);
  return FindAxis(context, module, function, any ? all : found, spec, pads_at_start);
}

}  // namespace

absl::StatusOr<StreamedProgram> StreamProgram(ir::Context& context, ir::Module& module,
                                              ir::GlobalId function, const ReadOptions& read,
                                              std::function<void(ir::Module&)> arithmetic,
                                              Diagnostics& diags) {
  LATHE_RETURN_IF_ERROR(CheckFunction(module, function));
  StreamedProgram program{function, {{}, read.pads_at_start, std::move(arithmetic)}, {}};
  for (const StreamSpec& spec : read.streams) {
    LATHE_ASSIGN_OR_RETURN(const StreamedInput input,
                           FindInput(context, module, function, spec, read.pads_at_start));
    for (const StreamedInput& other : program.options.inputs) {
      if (other.param != input.param) continue;
      return absl::InvalidArgumentError(absl::StrCat("'", spec.input, "' is streamed twice"));
    }
    program.options.inputs.push_back(input);
  }
  LATHE_ASSIGN_OR_RETURN(program.streamed, transform::StreamNetwork(context, module, function,
                                                                    program.options, diags));
  return program;
}

}  // namespace lathe::driver
