#include "generator/reader/tflite/ops/graph_import.h"

#include <limits>
#include <memory>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print_names.h"
#include "generator/reader/import/program_name.h"
#include "generator/reader/tflite/format/decode_options.h"
#include "generator/reader/tflite/format/tensor_data.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/block_weights.h"
#include "generator/reader/tflite/ops/complex_numbers.h"
#include "generator/reader/tflite/ops/op_call.h"
#include "generator/reader/tflite/ops/op_rows.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/variables.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using ir::Operand;

// The least normal float32, and a bound for products of scales.
constexpr float kLeastScale = 1.2e-38F, kLargestScale = 1e20F;
constexpr int64_t kMaxOperators = 100'000;  // imported in all
constexpr int kMaxCalls = 1'000;            // of subgraphs, each of which is imported again

// The names of the results of operators.
std::vector<absl::string_view> ResultNames(const Subgraph& graph) {
  std::vector<absl::string_view> names;
  for (const Operator& op : graph.operators) {
    for (const int32_t output : op.outputs) {
      const auto at = static_cast<size_t>(output);
      if (output >= 0 && at < graph.tensors.size()) names.push_back(graph.tensors[at].name);
    }
  }
  return names;
}

}  // namespace

GraphImport::GraphImport(ModelImport& model, int64_t subgraph)
    : model_(model),
      index_(subgraph),
      graph_(model.model.subgraphs[static_cast<size_t>(subgraph)]),
      names_(ResultNames(graph_)),
      values_(graph_.tensors.size()),
      read_(graph_.tensors.size()),
      failed_(graph_.tensors.size()) {
  for (const Operator& op : graph_.operators) {
    for (const int32_t input : op.inputs) {
      if (input >= 0) read_[static_cast<size_t>(input)] = true;
    }
  }
}

std::string GraphImport::OperatorKey(const Operator& op, const std::string& part) const {
  return StateKey(index_, &op - graph_.operators.data(), part);
}

void GraphImport::SetVariable(int32_t tensor, Operand value) {
  // A state tensor without the flag of variables is constant in each run.
  const auto variable = model_.variables.find(TensorKey(index_, tensor));
  if (variable != model_.variables.end()) variable->second = std::move(value);
}

absl::StatusOr<Operand> GraphImport::ValueOf(int32_t tensor, const Location& loc) {
  const auto at = static_cast<size_t>(tensor);
  const auto variable = model_.variables.find(TensorKey(index_, tensor));
  if (variable != model_.variables.end()) return variable->second;
  if (values_[at]) return *values_[at];
  const Tensor& t = graph_.tensors[at];
  if (!IsConstant(model_.model, t) && ElementCount(t.shape) != 0) {
    return diags().Error(loc, "tflite-malformed")
           << "tensor '" << t.name << "' (#" << tensor
           << ") is used, but no operator before has computed it and it has no data";
  }
  absl::StatusOr<ir::Constant> constant = ReadTensor(model_.model, t);
  if (!constant.ok()) {
    const absl::string_view code =
        absl::IsUnimplemented(constant.status()) ? "tflite-unsupported" : "tflite-malformed";
    auto error = absl::IsUnimplemented(constant.status()) ? diags().Unsupported(loc, code)
                                                          : diags().Error(loc, code);
    return error << "tensor '" << t.name << "' (#" << tensor << ") " << constant.status().message();
  }
  values_[at] = builder().Constant(*std::move(constant));
  return *values_[at];
}

absl::Status GraphImport::ImportOperators() {
  absl::Status first;
  for (size_t i = 0; i < graph_.operators.size(); ++i) {
    const Operator& op = graph_.operators[i];
    const OpRow* row = FindOpRow(op.code, op.custom_code);
    const std::string result = op.outputs.empty() || op.outputs[0] < 0
                                   ? graph_.name
                                   : graph_.tensors[static_cast<size_t>(op.outputs[0])].name;
    const Location loc = std::make_shared<const ModelNode>(ModelNode{
        model_.path, result, row == nullptr ? op.custom_code : row->name, static_cast<int>(i)});
    absl::Status status;
    bool depends_on_failed = false;
    for (const int32_t input : op.inputs) {
      if (input >= 0 && failed_[static_cast<size_t>(input)]) depends_on_failed = true;
    }
    if (!depends_on_failed) status = ImportOperator(op, loc);
    if (status.ok() && !depends_on_failed) continue;
    first.Update(status);
    if (absl::IsResourceExhausted(status)) return status;
    for (const int32_t output : op.outputs) {
      if (output >= 0) failed_[static_cast<size_t>(output)] = true;
    }
  }
  return first;
}

absl::Status GraphImport::ImportOperator(const Operator& op, const Location& loc) {
  if (++model_.operators > kMaxOperators) {
    return diags().LimitExceeded(loc, "tflite-limit")
           << "the model becomes more than " << kMaxOperators << " operators";
  }
  const OpRow* row = FindOpRow(op.code, op.custom_code);
  if (row == nullptr || row->import == nullptr) {
    return absl::UnimplementedError("an operator that ListUnsupported has reported");
  }
  const int options = op.options_type != 0 ? op.options_type : -op.options_type_2;
  if (row->options != 0 && options != 0 && options != row->options) {
    return diags().Error(loc, "tflite-malformed")
           << row->name << " has the options of another operator (table "
           << (options < 0 ? -options : options) << ")";
  }
  std::vector<std::optional<Operand>> args;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    std::optional<Operand>& arg = args.emplace_back();
    if (op.inputs[i] < 0) continue;
    const Tensor& tensor = graph_.tensors[static_cast<size_t>(op.inputs[i])];
    if (tensor.type == kResource) continue;
    LATHE_ASSIGN_OR_RETURN(arg, ValueOf(op.inputs[i], loc));
  }
  builder().At(loc);
  OpCall call(*this, *row, op, std::move(args), loc);
  for (int i = 0; i < row->needed; ++i) {
    if (i >= std::ssize(op.inputs) || op.inputs[static_cast<size_t>(i)] < 0) {
      return diags().Error(loc, "tflite-bad-operator")
             << "input " << i << " is missing; " << row->name << " needs " << row->needed;
    }
  }
  LATHE_RETURN_IF_ERROR(CheckTensors(op, loc));
  const size_t before = builder().premature().all().size();
  const int errors = diags().error_count();
  absl::StatusOr<Results> results = row->import(call);
  LATHE_RETURN_IF_ERROR(call.status());
  const std::vector<Diagnostic>& premature = builder().premature().all();
  for (size_t i = before; i < premature.size(); ++i) {
    if (premature[i].severity != Severity::kError) continue;
    diags().Add(premature[i]);
    return absl::InvalidArgumentError(premature[i].message);
  }
  if (!results.ok()) {
    if (diags().error_count() == errors) call.Unsupported() << results.status().message();
    return results.status();
  }
  if (results->operands.size() < op.outputs.size()) {
    return diags().Error(loc, "tflite-bad-operator")
           << row->name << " has " << results->operands.size() << " results, and the model names "
           << op.outputs.size();
  }
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    if (op.outputs[k] < 0) continue;
    LATHE_RETURN_IF_ERROR(BindResult(op, k, results->operands[k], loc));
  }
  return absl::OkStatus();
}

absl::Status GraphImport::CheckTensors(const Operator& op, const Location& loc) {
  for (const int32_t output : op.outputs) {
    if (output < 0) continue;
    const Tensor& tensor = graph_.tensors[static_cast<size_t>(output)];
    const bool has_value = values_[static_cast<size_t>(output)] && !tensor.is_variable;
    if (has_value || IsConstant(model_.model, tensor)) {
      return diags().Error(loc, "tflite-malformed")
             << "it computes tensor '" << tensor.name << "' (#" << output
             << "), which has a value already";
    }
  }
  for (const auto* tensors : {&op.inputs, &op.outputs}) {
    for (const int32_t t : *tensors) {
      if (t < 0) continue;
      const Tensor& tensor = graph_.tensors[static_cast<size_t>(t)];
      if (tensor.type != kResource && !DTypeOf(tensor.type)) {
        return diags().Unsupported(loc, "tflite-unsupported")
               << "tensor '" << tensor.name << "' (#" << t << ") has type "
               << TypeName(tensor.type);
      }
      if (tensor.type == kComplex64 && !TakesComplex(op)) {
        return diags().Unsupported(loc, "tflite-unsupported")
               << "tensor '" << tensor.name << "' (#" << t
               << ") has type complex64; supported with it are RFFT2D, REAL, IMAG, COMPLEX_ABS, "
                  "RESHAPE, SQUEEZE, EXPAND_DIMS, IF, WHILE and CALL";
      }
      if (tensor.quantization.details > 1 && !HasBlockWeights(op, t, tensor)) {
        return diags().Unsupported(loc, "tflite-unsupported")
               << "tensor '" << tensor.name << "' (#" << t
               << ") is quantized in blocks; supported are blocks of the weights of "
                  "FULLY_CONNECTED and the table of EMBEDDING_LOOKUP, and elsewhere one scale per "
                  "tensor or per position of an axis";
      }
      LATHE_RETURN_IF_ERROR(CheckQuantization(tensor, t, loc));
    }
  }
  return absl::OkStatus();
}

absl::Status GraphImport::CheckQuantization(const Tensor& tensor, int32_t index,
                                            const Location& loc) {
  const Quantization& q = tensor.quantization;
  const auto bad = [&](absl::string_view what) -> absl::Status {
    return diags().Error(loc, "tflite-malformed")
           << "tensor '" << tensor.name << "' (#" << index << ") " << what;
  };
  if (!q.is_quantized()) return absl::OkStatus();
  for (const float scale : q.scales) {
    if (!(scale >= kLeastScale) || scale > kLargestScale) {
      return bad(absl::StrCat("has the scale ", scale, "; scales lie between ", kLeastScale,
                              " and ", kLargestScale));
    }
  }
  const std::optional<ir::DType> dtype = DTypeOf(tensor.type);
  for (const int64_t zero : q.zeros) {
    if (zero == 0 || !dtype) continue;
    const int bits = dtype->is_integer() && dtype->bits < 32 ? dtype->bits : 32;
    const IntegerRange range =
        RangeOf(dtype->is_uint() ? ir::DType::UInt(bits) : ir::DType::Int(bits));
    if (zero < range.low || zero > range.high) {
      return bad(absl::StrCat("has the zero point ", zero, ", which ", ir::ToString(*dtype),
                              " does not have"));
    }
  }
  if (q.zeros.size() > 1 && q.zeros.size() != q.scales.size()) {
    return bad(
        absl::StrCat("has ", q.scales.size(), " scales and ", q.zeros.size(), " zero points"));
  }
  if (!q.per_axis()) return absl::OkStatus();
  // Biases may name an axis that they do not have.
  const bool is_bias = tensor.shape.size() == 1;
  const int64_t axis = is_bias ? 0 : q.axis;
  if (axis < 0 || axis >= std::ssize(tensor.shape)) {
    return bad(absl::StrCat("is quantized along axis ", q.axis, " of ", tensor.shape.size()));
  }
  if (tensor.shape[static_cast<size_t>(axis)] != std::ssize(q.scales)) {
    return bad(absl::StrCat("has ", q.scales.size(), " scales for ",
                            tensor.shape[static_cast<size_t>(axis)], " positions of axis ", axis));
  }
  return absl::OkStatus();
}

absl::Status GraphImport::BindResult(const Operator& op, size_t k, Operand result,
                                     const Location& loc) {
  const auto at = static_cast<size_t>(op.outputs[k]);
  const Tensor& tensor = graph_.tensors[at];
  if (tensor.type == kResource) return absl::OkStatus();
  const auto* info = builder().InfoOf(result)->As<ir::TensorInfo>();
  const std::optional<ir::DType> dtype = DTypeOf(tensor.type);
  if (info != nullptr && info->dims() != nullptr && dtype) {
    std::vector<int64_t> shape;
    bool known = true;
    for (const ir::PrimRef dim : *info->dims()) {
      const auto* size = dim->As<ir::IntImm>();
      known = known && size != nullptr;
      shape.push_back(size == nullptr ? -1 : size->value);
    }
    if (info->dtype != *dtype) {
      return diags().Error(loc, "tflite-bad-operator")
             << "tensor '" << tensor.name << "' is declared as " << TypeName(tensor.type)
             << ", and the operator computes " << ir::ToString(info->dtype);
    }
    // Converters leave out shapes that they do not know, those of detections above all.
    const bool undeclared = tensor.shape.empty() && !read_[at];
    if (known && shape != tensor.shape && !undeclared) {
      if (ElementCount(shape) != ElementCount(tensor.shape)) {
        return diags().Error(loc, "tflite-bad-operator")
               << "tensor '" << tensor.name << "' is declared with shape ["
               << absl::StrJoin(tensor.shape, ", ") << "], and the operator computes ["
               << absl::StrJoin(shape, ", ") << "]";
      }
      std::vector<ir::PrimRef> dims;
      for (const int64_t size : tensor.shape) dims.push_back(context().Int(size));
      result = builder().Op("relax.reshape", {result, transform::BlockBuilder::Shape(dims)});
    }
  }
  builder().Name(result, ProgramName(names_.Of(tensor.name)));
  if (tensor.is_variable) model_.variables[TensorKey(index_, op.outputs[k])] = result;
  values_[at] = std::move(result);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Operand>> GraphImport::Outputs() {
  std::vector<Operand> outputs;
  const Location loc = std::make_shared<const ModelNode>(
      ModelNode{model_.path, graph_.name, "subgraph", static_cast<int>(index_)});
  for (const int32_t output : graph_.outputs) {
    if (failed_[static_cast<size_t>(output)]) {
      return absl::InvalidArgumentError("an output depends on an operator that failed");
    }
    LATHE_ASSIGN_OR_RETURN(Operand value, ValueOf(output, loc));
    outputs.push_back(std::move(value));
  }
  return outputs;
}

absl::StatusOr<std::vector<Operand>> GraphImport::ImportSubgraph(int64_t subgraph,
                                                                 const std::vector<Operand>& inputs,
                                                                 const Location& loc) {
  if (subgraph < 0 || subgraph >= std::ssize(model_.model.subgraphs)) {
    return diags().Error(loc, "tflite-malformed")
           << "it names subgraph " << subgraph << " of " << model_.model.subgraphs.size();
  }
  if (!model_.active.insert(subgraph).second) {
    return diags().Error(loc, "tflite-malformed") << "subgraph " << subgraph << " calls itself";
  }
  if (++model_.calls > kMaxCalls) {
    return diags().LimitExceeded(loc, "tflite-limit")
           << "operators run subgraphs more than " << kMaxCalls << " times";
  }
  const absl::Cleanup done = [&] { model_.active.erase(subgraph); };
  GraphImport inner(model_, subgraph);
  if (inner.graph_.inputs.size() != inputs.size()) {
    return diags().Error(loc, "tflite-malformed")
           << "subgraph " << subgraph << " has " << inner.graph_.inputs.size()
           << " inputs, and the operator passes " << inputs.size();
  }
  for (size_t i = 0; i < inputs.size(); ++i) inner.Bind(inner.graph_.inputs[i], inputs[i]);
  LATHE_RETURN_IF_ERROR(inner.ImportOperators());
  return inner.Outputs();
}

}  // namespace lathe::tflite
