#include "generator/writer/onnx/call_writer.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/ops/args/operands.h"
#include "generator/writer/onnx/write_size.h"

namespace lathe::onnx {

std::string CallWriter::HintOf(size_t i) const {
  const ir::Op* op = call_.op();
  if (op == nullptr) return absl::StrCat(graph_.hint(), ".argument");
  for (const ir::OpParam& param : op->params) {
    if (!param.attr && param.position == static_cast<int>(i)) {
      return absl::StrCat(graph_.hint(), ".", param.name);
    }
  }
  return absl::StrCat(graph_.hint(), ".argument");
}

std::string CallWriter::InLike(size_t i, ir::DType like) {
  const auto* prim = call_.args[i].As<ir::PrimValue>();
  if (prim == nullptr) return In(i);
  if (const auto* real = prim->value->As<ir::FloatImm>()) return graph_.Number(real->value, like);
  if (const auto* whole = prim->value->As<ir::IntImm>()) {
    return like.is_integer() ? graph_.Integer(whole->value, like)
                             : graph_.Number(static_cast<double>(whole->value), like);
  }
  const std::string list = WriteSize(graph_, prim->value);
  if (list.empty()) {
    Fail("a scalar that is not the size of a tensor");
    return "";
  }
  const std::string scalar = Step("Squeeze", {list});
  return like == ir::DType::Int(64)
             ? scalar
             : Step("Cast", {scalar}, {IntAttribute("to", ElementTypeOf(like))});
}

std::string CallWriter::NameOf(const ir::Operand& operand, absl::string_view hint) {
  if (const auto* id = operand.As<ir::ValueId>()) {
    const auto found = values_.written.find(*id);
    if (found != values_.written.end() && !found->second.name.empty()) return found->second.name;
    Fail("an operand that is not a tensor");
    return "";
  }
  if (const auto* id = operand.As<ir::ConstantId>()) {
    if (ElementTypeOf(graph_.module().constants[*id].dtype) == 0) {
      Fail(absl::StrCat("a constant of dtype ", ToString(graph_.module().constants[*id].dtype)));
      return "";
    }
    return graph_.Constant(*id, hint);
  }
  if (const auto* prim = operand.As<ir::PrimValue>()) {
    const ir::DType dtype = prim->value->dtype();
    if (const auto* real = prim->value->As<ir::FloatImm>()) {
      return graph_.Number(real->value, dtype);
    }
    if (const auto* whole = prim->value->As<ir::IntImm>()) {
      return graph_.Integer(whole->value, dtype);
    }
  }
  Fail("an operand that is not a tensor");
  return "";
}

std::vector<ir::Operand> CallWriter::FieldsOf(size_t i) {
  if (const auto* tuple = call_.args[i].As<ir::TupleExpr>()) return tuple->fields;
  Fail("a tuple that is computed");
  return {};
}

ir::StructInfoRef CallWriter::InfoOf(const ir::Operand& operand) const {
  const ir::Module& module = graph_.module();
  ir::Context& ir = graph_.ir();
  if (const auto* id = operand.As<ir::ValueId>()) {
    const ir::Value& value = module.values[*id];
    return value.info != nullptr ? value.info : ir.Object();
  }
  if (const auto* id = operand.As<ir::ConstantId>()) {
    const ir::Constant& constant = module.constants[*id];
    Dims dims;
    for (int64_t dim : constant.shape) dims.push_back(ir.Int(dim));
    return ir.Tensor(std::move(dims), constant.dtype);
  }
  if (const auto* shape = operand.As<ir::ShapeExpr>()) return ir.Shape(shape->values);
  if (const auto* prim = operand.As<ir::PrimValue>()) {
    return ir.Prim(prim->value->dtype(), prim->value);
  }
  return ir.Object();
}

const ir::TensorInfo* CallWriter::TensorOf(const ir::Operand& operand) const {
  return InfoOf(operand)->As<ir::TensorInfo>();
}

ir::DType CallWriter::TypeOf(size_t i) const {
  const ir::TensorInfo* tensor = TensorOf(call_.args[i]);
  return tensor == nullptr ? ir::DType::Void() : tensor->dtype;
}

ir::DType CallWriter::ResultType() const {
  const auto* tensor = result_->As<ir::TensorInfo>();
  return tensor == nullptr ? ir::DType::Void() : tensor->dtype;
}

Dims CallWriter::DimsOf(size_t i) {
  const ir::TensorInfo* tensor = TensorOf(call_.args[i]);
  if (tensor != nullptr && tensor->dims() != nullptr) return *tensor->dims();
  Fail("an operand of unknown shape");
  return {};
}

Dims CallWriter::ResultDims() {
  const auto* tensor = result_->As<ir::TensorInfo>();
  if (tensor != nullptr && tensor->dims() != nullptr) return *tensor->dims();
  Fail("a result of unknown shape");
  return {};
}

int CallWriter::Rank(size_t i) {
  const ir::TensorInfo* tensor = TensorOf(call_.args[i]);
  if (tensor != nullptr && tensor->ndim != ir::kUnknownRank) return tensor->ndim;
  if (tensor != nullptr && tensor->dims() != nullptr) {
    return static_cast<int>(tensor->dims()->size());
  }
  Fail("an operand of unknown rank");
  return 0;
}

std::optional<std::vector<int64_t>> CallWriter::KnownDims(const ir::Operand& operand) const {
  const ir::TensorInfo* tensor = TensorOf(operand);
  if (tensor == nullptr || tensor->dims() == nullptr) return std::nullopt;
  std::vector<int64_t> out;
  for (ir::PrimRef dim : *tensor->dims()) {
    const int64_t* known = ops::AsInt(dim);
    if (known == nullptr) return std::nullopt;
    out.push_back(*known);
  }
  return out;
}

const ir::Call* CallWriter::DefinitionOf(const ir::Operand& operand) const {
  const auto* id = operand.As<ir::ValueId>();
  const auto found = id == nullptr ? values_.definitions.end() : values_.definitions.find(*id);
  return found == values_.definitions.end() ? nullptr : found->second;
}

int CallWriter::UsesOf(const ir::Operand& operand) const {
  const auto* id = operand.As<ir::ValueId>();
  return id == nullptr ? 0 : values_.uses[*id];
}

std::vector<ir::PrimRef> CallWriter::ValuesOf(size_t i) {
  const ir::Operand& operand = call_.args[i];
  std::vector<ir::PrimRef> values;
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    for (const ir::Operand& field : tuple->fields) {
      const auto* prim = InfoOf(field)->As<ir::PrimInfo>();
      if (prim == nullptr || prim->value == nullptr) {
        Fail("a scalar that is known at run time only");
        return {};
      }
      values.push_back(prim->value);
    }
    return values;
  }
  const auto* shape = InfoOf(operand)->As<ir::ShapeInfo>();
  if (shape != nullptr && shape->values) return *shape->values;
  Fail("a shape that is known at run time only");
  return {};
}

std::string CallWriter::ListOf(const std::vector<ir::PrimRef>& values) {
  std::vector<int64_t> known;
  for (ir::PrimRef value : values) {
    const int64_t* number = ops::AsInt(value);
    if (number != nullptr) known.push_back(*number);
  }
  if (known.size() == values.size()) return graph_.Ints(known);
  std::vector<std::string> parts;
  for (ir::PrimRef value : values) {
    parts.push_back(WriteSize(graph_, value));
    if (parts.back().empty()) {
      Fail(absl::StrCat("the size ", ToString(value), ", which is not that of a tensor"));
      return "";
    }
  }
  return parts.size() == 1 ? parts[0] : Step("Concat", parts, {IntAttribute("axis", 0)});
}

std::string CallWriter::Transposed(std::string x, const std::vector<int64_t>& axes) {
  if (std::is_sorted(axes.begin(), axes.end())) return x;
  return Step("Transpose", {std::move(x)}, {IntsAttribute("perm", axes)});
}

Written CallWriter::Fail(absl::string_view reason) {
  if (reason_.empty()) reason_ = std::string(reason);
  return {};
}

}  // namespace lathe::onnx
