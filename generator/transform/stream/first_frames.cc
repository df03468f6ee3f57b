#include "generator/transform/stream/first_frames.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"
#include "generator/interp/interpreter.h"
#include "generator/support/check.h"
#include "generator/support/status.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/rederive_info.h"

namespace lathe::transform {
namespace {

using interp::TensorRef;

// Returns the zero point of parameter `index`, from the attribute "scales"; 0 without one.
double ZeroPointOf(const ir::Function& f, size_t index) {
  const auto* scales = ir::FindAttr<ir::AttrList>(f.attrs, "scales");
  if (scales == nullptr || index >= scales->size()) return 0;
  const auto* pair = (*scales)[index].As<ir::AttrList>();
  const auto* zero = pair == nullptr || pair->size() != 2 ? nullptr : (*pair)[1].As<int64_t>();
  return zero == nullptr ? 0 : static_cast<double>(*zero);
}

// Returns the last `frames` frames of a tensor along `axis`, after frames of `before` if it has
// fewer.
std::vector<uint8_t> LastFrames(const interp::Tensor& tensor, int axis, int64_t frames,
                                std::optional<double> before) {
  const int64_t length = tensor.shape[axis];
  int64_t rows = 1;
  for (int k = 0; k < axis; ++k) rows *= tensor.shape[k];
  const size_t frame = tensor.bytes() / static_cast<size_t>(rows * length);
  const size_t width = ir::StorageBytes(tensor.dtype, 1);
  std::vector<uint8_t> element(width);
  interp::WriteElement(element.data(), tensor.dtype, 0,
                       interp::FromDouble(tensor.dtype, before.value_or(0)));
  const int64_t older = std::max<int64_t>(frames - length, 0), newer = frames - older;
  LATHE_CHECK(older == 0 || before.has_value(), "a window is not longer than its operand");
  std::vector<uint8_t> bytes;
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t k = 0; k < static_cast<size_t>(older) * frame; ++k) {
      bytes.push_back(element[k % width]);
    }
    const uint8_t* end = tensor.data() + static_cast<size_t>((row + 1) * length) * frame;
    bytes.insert(bytes.end(), end - static_cast<size_t>(newer) * frame, end);
  }
  return bytes;
}

// Bytes of the first value of a history that do not repeat. The attribute holds them as a list, and
// generated code as an array.
constexpr size_t kMaxFirstBytes = size_t{1} << 20;

// Returns the shortest start of `bytes` that repeated gives them all.
std::vector<uint8_t> Period(const std::vector<uint8_t>& bytes) {
  std::vector<size_t> border(bytes.size(), 0);  // the longest proper border of each prefix
  for (size_t i = 1, k = 0; i < bytes.size(); ++i) {
    while (k > 0 && bytes[i] != bytes[k]) k = border[k - 1];
    if (bytes[i] == bytes[k]) ++k;
    border[i] = k;
  }
  const size_t period = bytes.size() - border.back();
  const size_t length = bytes.size() % period == 0 ? period : bytes.size();
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)};
}

absl::StatusOr<ir::AttrValue> StateEntry(const std::vector<uint8_t>& bytes,
                                         absl::string_view name) {
  const std::vector<uint8_t> period = Period(bytes);
  if (period.size() > kMaxFirstBytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the frames of '", name, "' before the first step have ", period.size(),
        " bytes that do not repeat; at most ", kMaxFirstBytes,
        " are supported: time as the first axis after the batch, or a shorter window"));
  }
  if (period.size() == 1) return ir::AttrValue(int64_t{period[0]});
  ir::AttrList list;
  for (uint8_t byte : period) list.emplace_back(int64_t{byte});
  return ir::AttrValue(std::move(list));
}

}  // namespace

absl::StatusOr<TensorRef> ZeroWindow(const ir::Module& module, const ir::Function& f, size_t index,
                                     const std::shared_ptr<interp::MemoryBudget>& budget) {
  const ir::Value& param = module.values[f.params[index]];
  const auto dims = StaticDims(param.info);
  if (!dims) {
    return absl::InvalidArgumentError(
        absl::StrCat("the input '", param.name,
                     "' has no constant sizes, which a streamed network needs; -D sets sizes"));
  }
  const ir::DType dtype = param.info->As<ir::TensorInfo>()->dtype;
  LATHE_ASSIGN_OR_RETURN(TensorRef tensor, interp::NewTensor(dtype, *dims, budget));
  const interp::Bits zero = interp::FromDouble(dtype, ZeroPointOf(f, index));
  for (uint64_t k = 0; k < tensor->num_elements(); ++k) tensor->Set(k, zero);
  return tensor;
}

absl::StatusOr<ir::AttrList> FirstFrames(ir::Context& context, const ir::Module& window,
                                         ir::GlobalId function, const StreamPlan& plan,
                                         const std::function<void(ir::Module&)>& arithmetic,
                                         Diagnostics& diags) {
  ir::AttrList state;
  if (plan.histories.empty()) return state;
  ir::Module module = window;
  ir::Function& f = *module.globals[function].function();
  ir::TupleExpr kept;
  for (const auto& [key, frames] : plan.histories) kept.fields.push_back({key.first});
  f.body.result = {std::move(kept)};
  f.ret = nullptr;
  for (const char* described : {"scales", "labels"}) f.attrs.erase(described);
  MarkDataflowVars(module);
  RederiveInfo(context, module, diags);
  if (diags.has_errors()) return absl::InternalError("the network cannot be cut at its windows");
  const std::string name = module.globals[function].name;
  if (arithmetic) arithmetic(module);
  interp::Interpreter interpreter(context, module);
  std::vector<interp::Value> args;
  for (size_t k = 0; k < window.globals[function].function()->params.size(); ++k) {
    LATHE_ASSIGN_OR_RETURN(
        TensorRef tensor,
        ZeroWindow(window, *window.globals[function].function(), k, interpreter.budget()));
    args.emplace_back(std::move(tensor));
  }
  Diagnostics found;
  const auto value = interpreter.Run(*module.Find(name), std::move(args), found);
  if (!value.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the window of zeros has no values: ",
                     found.all().empty() ? value.status().message() : found.all()[0].message));
  }
  size_t k = 0;
  for (const auto& [key, frames] : plan.histories) {
    const interp::Tensor* tensor = (*value->AsTuple())[k++].AsTensor();
    LATHE_ASSIGN_OR_RETURN(
        ir::AttrValue entry,
        StateEntry(LastFrames(*tensor, plan.times.at(key.first).axis, frames, key.second),
                   module.values[key.first].name));
    state.push_back(std::move(entry));
  }
  return state;
}

}  // namespace lathe::transform
