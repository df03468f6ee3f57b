#include "generator/emit/c/kernel_call_texts.h"

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::emit {
namespace {

// Bytes of the name of a node in a comment.
constexpr size_t kMaxNodeName = 80;

std::string ShapeOf(const ir::Tensor& tensor) {
  if (tensor.shape.empty()) return "scalar";
  std::vector<std::string> dims;
  for (ir::PrimRef dim : tensor.shape) {
    const auto* size = dim->As<ir::IntImm>();
    dims.push_back(size == nullptr ? "?" : absl::StrCat(size->value));
  }
  return absl::StrJoin(dims, "x");
}

// Returns "conv1, 1x8x8x3 -> 1x8x8x16". The tensors of a step are ordered: arguments, results,
// workspaces.
std::string CallOf(const ir::Program& program, const ir::Kernel& kernel, const ir::KernelStep& step,
                   const ModelNode& node) {
  const auto params = std::count_if(kernel.func.params.begin(), kernel.func.params.end(),
                                    [](const ir::PrimParam& p) { return p.buffer != nullptr; });
  std::string text = node.name.empty() ? node.op : node.name;
  if (text.size() > kMaxNodeName) text = absl::StrCat(text.substr(0, kMaxNodeName), "..");
  if (params < 2 || static_cast<size_t>(params) > step.tensors.size()) return text;
  // Joined layers have the weights of the first one before the image.
  const auto data = std::find_if(step.tensors.begin(), step.tensors.begin() + params, [&](auto id) {
    return program.tensors[program.Whole(id)].home != ir::Home::kConstant;
  });
  const ir::Tensor& from = program.tensors[*data];
  const ir::Tensor& to = program.tensors[step.tensors[static_cast<size_t>(params) - 1]];
  absl::StrAppend(&text, ", ", ShapeOf(from), " -> ", ShapeOf(to));
  return text;
}

}  // namespace

IdVector<ir::KernelId, std::string> KernelCallTexts(const ir::Program& program) {
  IdVector<ir::KernelId, std::string> calls;
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) calls.Add("");
  std::vector<size_t> more(static_cast<size_t>(std::ssize(program.kernels)), 0);
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* call = std::get_if<ir::KernelStep>(&step.node);
      const auto* node = std::get_if<std::shared_ptr<const ModelNode>>(&step.loc);
      if (call == nullptr || node == nullptr) return;
      std::string& text = calls[call->kernel];
      if (!text.empty()) {
        ++more[static_cast<size_t>(call->kernel.index)];
      } else {
        text = CallOf(program, program.kernels[call->kernel], *call, **node);
      }
    });
  }
  for (size_t i = 0; i < more.size(); ++i) {
    if (more[i] > 0)
      absl::StrAppend(&calls[ir::KernelId{static_cast<int32_t>(i)}], " and ", more[i], " more");
  }
  return calls;
}

}  // namespace lathe::emit
