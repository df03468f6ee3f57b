#include "generator/reader/tflite/ops/op_call.h"

#include "generator/interp/data/constant_elements.h"
#include "generator/reader/tflite/format/decode_options.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/op_rows.h"
#include "generator/support/check.h"

namespace lathe::tflite {
namespace {

// The options of the operator, or their defaults.
ir::AttrMap OptionsOf(const OpRow& row, const Operator& op) {
  if (op.options_type != 0 || op.options_type_2 != 0) return op.options;
  return DecodeOptions(row.options < 0 ? -row.options : row.options, row.options < 0, FlatTable());
}

}  // namespace

OpCall::OpCall(GraphImport& graph, const OpRow& row, const Operator& op,
               std::vector<std::optional<Operand>> args, Location loc)
    : ImportBuilder(graph.context(), graph.builder()),
      graph_(graph),
      row_(row),
      op_(op),
      args_(std::move(args)),
      options_(OptionsOf(row, op)),
      loc_(std::move(loc)) {}

absl::string_view OpCall::op() const { return row_.name; }

DiagnosticBuilder OpCall::Error() { return graph_.diags().Error(loc_, "tflite-bad-operator"); }
DiagnosticBuilder OpCall::Limit() { return graph_.diags().LimitExceeded(loc_, "tflite-limit"); }
DiagnosticBuilder OpCall::Unsupported() {
  return graph_.diags().Unsupported(loc_, "tflite-unsupported");
}

Operands OpCall::Args() {
  Operands all;
  for (int i = 0; i < inputs(); ++i) {
    if (Has(i)) all.push_back(Arg(i));
  }
  return all;
}

Operand OpCall::Arg(int i) {
  if (Has(i)) return *args_[static_cast<size_t>(i)];
  if (status_.ok()) status_ = Error() << "input " << i << " is missing";
  return Number(0, kReal);
}

const Tensor& OpCall::TensorAt(const std::vector<int32_t>& tensors, int i, absl::string_view what) {
  if (i < std::ssize(tensors) && tensors[static_cast<size_t>(i)] >= 0) {
    return graph_.subgraph().tensors[static_cast<size_t>(tensors[static_cast<size_t>(i)])];
  }
  if (status_.ok()) status_ = Error() << what << " " << i << " is missing";
  static const Tensor kNone;
  return kNone;
}

const Tensor& OpCall::In(int i) { return TensorAt(op_.inputs, i, "input"); }
const Tensor& OpCall::Out(int k) { return TensorAt(op_.outputs, k, "result"); }

DType OpCall::OutType(int k) { return DTypeOf(Out(k).type).value_or(DType::Float(32)); }
Dims OpCall::OutDims(int k) { return DimsFrom(Out(k).shape); }

Affine OpCall::AffineOf(const Tensor& tensor) {
  const Quantization& q = tensor.quantization;
  if (q.scales.empty()) return {};
  return {double{q.scales[0]}, q.zeros.empty() ? 0 : q.zeros[0]};
}

std::optional<ir::Constant> OpCall::ConstantArg(int i) {
  if (!Has(i)) return std::nullopt;
  const Operand arg = Arg(i);
  const auto* id = arg.As<ir::ConstantId>();
  if (id == nullptr) return std::nullopt;
  return builder().ConstantAt(*id);
}

std::optional<std::vector<int64_t>> OpCall::ConstantInts(int i) {
  const std::optional<ir::Constant> constant = ConstantArg(i);
  return constant ? interp::IntsOfConstant(*constant) : std::nullopt;
}

std::optional<std::vector<double>> OpCall::ConstantNumbers(int i) {
  const std::optional<ir::Constant> constant = ConstantArg(i);
  if (!constant) return std::nullopt;
  return interp::NumbersOfConstant(*constant);
}

absl::StatusOr<std::vector<int64_t>> OpCall::NeedInts(int i, absl::string_view what) {
  if (!Has(i)) return Error() << what << " are missing (input " << i << ")";
  auto values = ConstantInts(i);
  if (!values) {
    return Unsupported() << what << " (input " << i << ", '" << In(i).name
                         << "') must be integers known at compile time";
  }
  return *std::move(values);
}

namespace {

template <typename T>
const T& Option(const ir::AttrMap& options, const std::string& name) {
  const T* value = ir::FindAttr<T>(options, name);
  LATHE_CHECK(value != nullptr, "an importer reads an option that option_tables.def does not list");
  return *value;
}

}  // namespace

int64_t OpCall::Int(const std::string& name) const { return Option<int64_t>(options_, name); }
double OpCall::Float(const std::string& name) const { return Option<double>(options_, name); }
const std::string& OpCall::Str(const std::string& name) const {
  return Option<std::string>(options_, name);
}

std::vector<int64_t> OpCall::Ints(const std::string& name) const {
  std::vector<int64_t> values;
  for (const ir::AttrValue& v : Option<ir::AttrList>(options_, name)) {
    values.push_back(*v.As<int64_t>());
  }
  return values;
}

std::vector<double> OpCall::Floats(const std::string& name) const {
  std::vector<double> values;
  for (const ir::AttrValue& v : Option<ir::AttrList>(options_, name)) {
    values.push_back(*v.As<double>());
  }
  return values;
}

const Dims& OpCall::DimsOf(const Operand& x) {
  const auto* info = builder().InfoOf(x)->As<ir::TensorInfo>();
  if (info != nullptr && info->dims() != nullptr) return *info->dims();
  if (status_.ok()) status_ = Unsupported() << "a tensor whose shape depends on data";
  return no_dims_;
}

std::vector<int64_t> OpCall::Shape(const Operand& x) {
  std::vector<int64_t> sizes;
  for (PrimRef dim : DimsOf(x)) sizes.push_back(IntOf(dim).value_or(1));
  return sizes;
}

}  // namespace lathe::tflite
