#include "generator/interp/eval_value_op.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/interp/data/tensor_ops.h"
#include "generator/interp/show_value.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

DiagnosticBuilder WrongKind(const OpCall& call, size_t n, absl::string_view wanted) {
  DiagnosticBuilder error = call.Error();
  error << "argument " << n + 1 << " must be " << wanted << ", ";
  if (n < call.args.size()) {
    error << "got " << Describe(call.args[n]);
  } else {
    error << "but is missing";
  }
  return error;
}

// "x: {}" with values in place of the braces, in order. Remaining values are appended.
std::string Format(absl::string_view format, absl::Span<const Value> values) {
  std::string text;
  size_t next = 0;
  while (!format.empty()) {
    const size_t brace = format.find("{}");
    absl::StrAppend(&text, format.substr(0, brace));
    if (brace == format.npos) break;
    format.remove_prefix(brace + 2);
    absl::StrAppend(&text, next < values.size() ? ShowValue(values[next]) : "{}");
    ++next;
  }
  for (; next < values.size(); ++next) {
    absl::StrAppend(&text, text.empty() ? "" : " ", ShowValue(values[next]));
  }
  return text;
}

absl::StatusOr<Value> CopyTo(const OpCall& call, const Value& value, ir::VDeviceRef device,
                             int depth) {
  if (const Tensor* tensor = value.AsTensor()) {
    absl::StatusOr<TensorRef> copy = CopyTensor(*tensor, call.rt.budget, device);
    if (!copy.ok()) return call.rt.Report(copy.status(), "run-bad-allocation", call.loc);
    return Value(*std::move(copy));
  }
  const auto* fields = value.AsTuple();
  if (fields == nullptr) {
    return call.Error() << "only tensors and tuples of tensors can be moved, not "
                        << Describe(value);
  }
  if (depth > kMaxValueDepth) {
    return call.rt.diags->LimitExceeded(call.loc, "run-nesting-limit")
           << "the tuple nests deeper than " << kMaxValueDepth << " levels";
  }
  std::vector<Value> moved;
  for (const Value& field : *fields) {
    LATHE_ASSIGN_OR_RETURN(Value copy, CopyTo(call, field, device, depth + 1));
    moved.push_back(std::move(copy));
  }
  absl::StatusOr<Value> tuple = Value::OfTuple(std::move(moved), call.rt.budget);
  if (!tuple.ok()) return call.rt.Report(tuple.status(), "run-memory-limit", call.loc);
  return tuple;
}

}  // namespace

absl::StatusOr<const Tensor*> TensorArg(const OpCall& call, size_t n) {
  const Tensor* tensor = n < call.args.size() ? call.args[n].AsTensor() : nullptr;
  if (tensor == nullptr) return WrongKind(call, n, "a tensor");
  return tensor;
}

absl::StatusOr<const std::vector<int64_t>*> ShapeArg(const OpCall& call, size_t n) {
  const auto* shape = n < call.args.size() ? call.args[n].AsShape() : nullptr;
  if (shape == nullptr) return WrongKind(call, n, "a shape");
  return shape;
}

absl::StatusOr<int64_t> IntArg(const OpCall& call, size_t n) {
  const Scalar* scalar = n < call.args.size() ? call.args[n].AsScalar() : nullptr;
  if (scalar == nullptr || scalar->dtype.is_floating()) return WrongKind(call, n, "an integer");
  return scalar->AsInt();
}

absl::StatusOr<Value> EvalFirstArg(const OpCall& call) {
  if (call.args.empty()) return WrongKind(call, 0, "a value");
  return call.args[0];
}

absl::StatusOr<Value> EvalNull(const OpCall&) { return Value(); }
absl::StatusOr<Value> EvalNoOp(const OpCall&) { return Value::Unit(); }

absl::StatusOr<Value> EvalShapeOf(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, TensorArg(call, 0));
  return Value::OfShape(tensor->shape);
}

absl::StatusOr<Value> EvalSize(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, TensorArg(call, 0));
  absl::StatusOr<TensorRef> size =
      NewTensor(ir::DType::Int(64), {}, call.rt.budget, tensor->device);
  if (!size.ok()) return call.rt.Report(size.status(), "run-bad-allocation", call.loc);
  (*size)->Set(0, tensor->num_elements());
  return Value(*std::move(size));
}

absl::StatusOr<Value> EvalTensorToShape(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, TensorArg(call, 0));
  absl::StatusOr<std::vector<int64_t>> dims = ShapeFromTensor(*tensor);
  if (!dims.ok()) return call.Error() << dims.status().message();
  return Value::OfShape(*std::move(dims));
}

absl::StatusOr<Value> EvalShapeToTensor(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t>* dims, ShapeArg(call, 0));
  absl::StatusOr<TensorRef> tensor = TensorFromShape(*dims, call.rt.budget);
  if (!tensor.ok()) return call.rt.Report(tensor.status(), "run-bad-allocation", call.loc);
  return Value(*std::move(tensor));
}

absl::StatusOr<Value> EvalToVDevice(const OpCall& call) {
  const auto* device = ir::FindAttr<ir::VDeviceRef>(call.call.attrs, "dst_vdevice");
  if (device == nullptr || call.args.empty()) return WrongKind(call, 0, "on a device");
  return CopyTo(call, call.args[0], *device, 0);
}

// The hint names a device by kind and index. When the module declares that device, the data is
// copied there unless it is already on it.
absl::StatusOr<Value> EvalHintOnDevice(const OpCall& call) {
  if (call.args.empty()) return WrongKind(call, 0, "a value");
  const auto* hint = ir::FindAttr<ir::AttrObject>(call.call.attrs, "dst_vdevice");
  const int64_t* index = hint == nullptr || hint->fields == nullptr
                             ? nullptr
                             : ir::FindAttr<int64_t>(*hint->fields, "index");
  if (index == nullptr) return call.args[0];
  const Tensor* tensor = call.args[0].AsTensor();
  for (ir::VDeviceRef device : call.rt.module.vdevices()) {
    if (device->index != *index) continue;
    const bool there = tensor != nullptr && tensor->device != nullptr && *tensor->device == *device;
    if (there) return call.args[0];
    return CopyTo(call, call.args[0], device, 0);
  }
  return call.args[0];
}

absl::StatusOr<Value> EvalMakeClosure(const OpCall& call) {
  const Closure* function = call.args.empty() ? nullptr : call.args[0].AsClosure();
  if (function == nullptr || call.args.size() < 2) return WrongKind(call, 0, "a function");
  auto closure = std::make_shared<Closure>();
  closure->function = function->function;
  closure->name = function->name;
  closure->self = function->self;
  closure->captured = function->captured;
  closure->shape_vars = function->shape_vars;
  closure->last_args = function->last_args;
  const auto* fields = call.args[1].AsTuple();
  const std::vector<Value> bound = fields == nullptr ? std::vector<Value>{call.args[1]} : *fields;
  closure->last_args.insert(closure->last_args.begin(), bound.begin(), bound.end());
  const uint64_t bytes = sizeof(Closure) + 64 * (closure->captured.size() + bound.size());
  if (!call.rt.budget->Take(bytes)) {
    return call.rt.diags->LimitExceeded(call.loc, "run-memory-limit")
           << "the closure would pass the limit of " << call.rt.budget->max_bytes() << " bytes";
  }
  closure->share = BudgetShare(call.rt.budget, bytes);
  return Value(Value::Node(std::shared_ptr<const Closure>(std::move(closure))));
}

// R.print(format, values...).
absl::StatusOr<Value> EvalPrint(const OpCall& call) {
  const std::string* format = call.args.empty() ? nullptr : call.args[0].AsString();
  const absl::Span<const Value> values(call.args);
  if (call.rt.options.print) {
    call.rt.options.print(absl::StrCat(
        Format(format == nullptr ? "" : *format, format == nullptr ? values : values.subspan(1)),
        "\n"));
  }
  return Value::Unit();
}

// R.assert_op(condition, format, values...).
absl::StatusOr<Value> EvalAssert(const OpCall& call) {
  const std::optional<bool> truth = call.args.empty() ? std::nullopt : AsCondition(call.args[0]);
  if (!truth) return WrongKind(call, 0, "a bool scalar");
  if (*truth) return Value::Unit();
  const absl::Span<const Value> values(call.args);
  const std::string* format = values.size() > 1 ? values[1].AsString() : nullptr;
  const std::string text =
      Format(format == nullptr ? "" : *format,
             values.subspan(std::min<size_t>(values.size(), format == nullptr ? 1 : 2)));
  return call.rt.diags->Error(call.loc, "run-assertion-failed")
         << "assertion failed" << (text.empty() ? "" : ": ") << text;
}

absl::StatusOr<Value> EvalInspect(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, TensorArg(call, 0));
  absl::string_view field = call.op.name;
  absl::ConsumePrefix(&field, "relax.inspect.tensor_");
  const ir::DType t = tensor->dtype;
  const uint64_t element_bits = t.is_bool() ? 8 : t.bits;
  // DLPack's type codes.
  const int64_t code = t.is_int()                        ? 0
                       : t.is_uint()                     ? 1
                       : t.is_bool()                     ? 6
                       : t.code == ir::TypeCode::kBFloat ? 4
                                                         : 2;
  if (field == "dtype_code") return Value(Scalar::Int(code, ir::DType::UInt(8)));
  if (field == "dtype_bits") return Value(Scalar::Int(t.bits, ir::DType::UInt(8)));
  if (field == "dtype_lanes") return Value(Scalar::Int(t.lanes, ir::DType::UInt(16)));
  if (field == "ndim") return Value(Scalar::Int(tensor->ndim(), ir::DType::Int(32)));
  if (field == "byte_offset") {
    return Value(Scalar::Int(static_cast<int64_t>(tensor->byte_offset), ir::DType::UInt(64)));
  }
  if (field == "elem_offset") {
    return Value(Scalar::Int(static_cast<int64_t>(tensor->byte_offset * 8 / element_bits),
                             ir::DType::UInt(64)));
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, IntArg(call, 1));
  if (axis < 0 || axis >= tensor->ndim()) {
    return call.Error() << "axis " << axis << " is out of range for " << Describe(call.args[0]);
  }
  if (field == "shape_i") return Value(Scalar::Int(tensor->shape[static_cast<size_t>(axis)]));
  int64_t stride = 1;
  for (size_t d = static_cast<size_t>(axis) + 1; d < tensor->shape.size(); ++d) {
    stride *= tensor->shape[d];
  }
  return Value(Scalar::Int(stride));
}

}  // namespace lathe::interp
