#include "generator/reader/relay_text/ops/solve_arguments.h"

#include <cctype>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/reader/relay_text/ops/windows.h"

namespace lathe::relay {
namespace {

using Infos = std::vector<ir::StructInfoRef>;

class ArgumentSolver {
 public:
  ArgumentSolver(ir::Context& context, absl::string_view op, const ir::AttrMap& attrs, Infos args)
      : context_(context), math_(context), op_(op), attrs_(attrs), args_(std::move(args)) {}

  Infos Solve() {
    if (absl::StartsWith(op_, "qnn.")) SolveQuantization();
    if (args_.empty()) return args_;
    const ir::TensorInfo* data = args_[0] == nullptr ? nullptr : args_[0]->As<ir::TensorInfo>();
    if (data == nullptr || data->dims() == nullptr) return args_;
    data_ = *data->dims();
    dtype_ = data->dtype;
    if (absl::StrContains(op_, "nn.conv")) SolveConv();
    if (op_ == "nn.dense" || op_ == "qnn.dense") SolveDense();
    if (op_ == "nn.matmul") SolveMatmul();
    if (op_ == "nn.batch_norm") SolvePerChannel(1, 4);
    if (op_ == "nn.layer_norm" || op_ == "nn.group_norm" || op_ == "nn.instance_norm") {
      SolvePerChannel(1, 2);
    }
    if (op_ == "nn.bias_add" || op_ == "nn.prelu") SolvePerChannel(1, 1);
    return args_;
  }

 private:
  std::optional<int64_t> Int(const std::string& name) const {
    const int64_t* value = ir::FindAttr<int64_t>(attrs_, name);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  bool Bool(const std::string& name) const {
    const bool* value = ir::FindAttr<bool>(attrs_, name);
    return value != nullptr && *value;
  }
  std::string Str(const std::string& name) const {
    const std::string* value = ir::FindAttr<std::string>(attrs_, name);
    return value == nullptr ? "" : *value;
  }

  bool IsUnknown(size_t i) const { return i < args_.size() && args_[i] == nullptr; }
  void Set(size_t i, Dims dims, ir::DType dtype) {
    if (!IsUnknown(i)) return;
    for (PrimRef& dim : dims) dim = analysis::Simplify(context_, dim);
    args_[i] = context_.Tensor(std::move(dims), dtype);
  }

  // Parameters of `count` arguments from `first` on, one for each element of "axis".
  void SolvePerChannel(size_t first, size_t count) {
    int64_t axis = Int("axis").value_or(0);
    const int64_t rank = std::ssize(data_);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return;
    for (size_t i = first; i < first + count; ++i) {
      Set(i, {data_[static_cast<size_t>(axis)]}, dtype_);
    }
  }

  void SolveDense() {
    const auto units = Int("units");
    if (units && !data_.empty()) Set(1, {context_.Int(*units), data_.back()}, dtype_);
  }

  void SolveMatmul() {
    const auto units = Int("units");
    if (!units || data_.size() < 2) return;
    const PrimRef reduced = Bool("transpose_a") ? data_[data_.size() - 2] : data_.back();
    Dims dims = {reduced, context_.Int(*units)};
    if (Bool("transpose_b")) std::swap(dims[0], dims[1]);
    Set(1, std::move(dims), dtype_);
  }

  // The axis of a letter in a layout without blocks.
  static std::optional<size_t> AxisOf(const std::string& layout, char letter) {
    const size_t at = layout.find(letter);
    if (at == std::string::npos) return std::nullopt;
    for (const char other : layout) {
      if (std::isupper(static_cast<unsigned char>(other)) == 0) return std::nullopt;
    }
    return at;
  }

  void SolveConv() {
    const std::string kernel = Str("kernel_layout");
    const auto channels = Int("channels");
    const ir::AttrList* sizes = ir::FindAttr<ir::AttrList>(attrs_, "kernel_size");
    const auto axis = AxisOf(Str("data_layout"), 'C');
    const auto out = AxisOf(kernel, 'O'), in = AxisOf(kernel, 'I');
    if (!channels || sizes == nullptr || sizes->empty() || !axis || !out || !in) return;
    if (*axis >= data_.size() || kernel.size() != data_.size()) return;
    if (kernel.size() < 3 || kernel.size() > 5) return;
    const PrimRef groups = context_.Int(Int("groups").value_or(1));
    if (Int("groups").value_or(1) < 1) return;
    Dims dims(kernel.size(), nullptr);
    const bool transposed = absl::EndsWith(op_, "_transpose");
    const PrimRef outputs = context_.Int(*channels), inputs = data_[*axis];
    dims[*out] = transposed ? math_.FloorDiv(outputs, groups) : outputs;
    dims[*in] = transposed ? inputs : math_.FloorDiv(inputs, groups);
    const std::string letters = SpaceLetters(static_cast<int>(kernel.size()) - 2);
    if (sizes->size() > 1 && sizes->size() != letters.size()) return;
    for (size_t i = 0; i < letters.size(); ++i) {
      const ir::AttrValue& size = sizes->size() == 1 ? sizes->front() : (*sizes)[i];
      const auto at = AxisOf(kernel, letters[i]);
      if (!at || size.As<int64_t>() == nullptr) return;
      dims[*at] = context_.Int(*size.As<int64_t>());
    }
    Set(1, std::move(dims), dtype_);
  }

  // Scales and zero points are scalars unless the program says otherwise.
  void SolveQuantization() {
    const ir::DType scale = ir::DType::Float(32), zero = ir::DType::Int(32);
    const bool product =
        absl::StartsWith(op_, "qnn.conv2d") || op_ == "qnn.dense" || op_ == "qnn.batch_matmul";
    if (product) {
      for (size_t i = 2; i < 6; ++i) Set(i, {}, i < 4 ? zero : scale);
      return;
    }
    // Elsewhere each scale precedes its zero point. The data come first.
    const bool binary = op_ == "qnn.add" || op_ == "qnn.subtract" || op_ == "qnn.mul";
    const size_t first = op_ == "qnn.concatenate" ? 3 : binary ? 2 : 1;
    for (size_t i = first; i < args_.size(); ++i) Set(i, {}, (i - first) % 2 == 0 ? scale : zero);
  }

  ir::Context& context_;
  ops::ScalarMath math_;
  const absl::string_view op_;
  const ir::AttrMap& attrs_;
  Infos args_;
  Dims data_;
  ir::DType dtype_;
};

}  // namespace

std::vector<ir::StructInfoRef> SolveArguments(ir::Context& context, const OpRow& row,
                                              const ir::AttrMap& attrs,
                                              std::vector<ir::StructInfoRef> args) {
  return ArgumentSolver(context, row.name, attrs, std::move(args)).Solve();
}

}  // namespace lathe::relay
