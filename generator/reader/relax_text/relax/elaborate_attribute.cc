#include "generator/reader/relax_text/relax/elaborate_attribute.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/module_reference.h"
#include "generator/reader/relax_text/relax/elaborate_call.h"
#include "generator/reader/relax_text/relax/elaborate_device.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_struct_info.h"
#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"
#include "generator/reader/relax_text/tir/elaborate_scalar.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::AttrValue;
using AttrResult = absl::StatusOr<AttrValue>;

// Numbers that R or T wrapped are the numbers themselves where a plain one is wanted.
std::optional<int64_t> AsInt(const AttrValue& value) {
  if (const auto* i = value.As<int64_t>()) return *i;
  if (const auto* scalar = value.As<ir::PrimRef>()) {
    const auto* i = (*scalar)->As<ir::IntImm>();
    if (i != nullptr && !(*scalar)->dtype().is_bool()) return i->value;
  }
  return std::nullopt;
}

std::optional<double> AsReal(const AttrValue& value) {
  if (const auto* d = value.As<double>()) return *d;
  if (const std::optional<int64_t> i = AsInt(value)) return static_cast<double>(*i);
  if (const auto* scalar = value.As<ir::PrimRef>()) {
    if (const auto* d = (*scalar)->As<ir::FloatImm>()) return d->value;
  }
  if (const auto* text = value.As<std::string>()) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (*text == "inf") return infinity;
    if (*text == "-inf") return -infinity;
    if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

std::optional<bool> AsBool(const AttrValue& value) {
  if (const auto* b = value.As<bool>()) return *b;
  if (const auto* scalar = value.As<ir::PrimRef>(); scalar && (*scalar)->dtype().is_bool()) {
    if (const auto* i = (*scalar)->As<ir::IntImm>()) return i->value != 0;
  }
  const std::optional<int64_t> i = AsInt(value);
  if (i && (*i == 0 || *i == 1)) return *i == 1;
  return std::nullopt;
}

std::optional<AttrValue> AsNumbers(const AttrValue& value, bool reals) {
  const auto one = [&](const AttrValue& v) -> std::optional<AttrValue> {
    if (reals) {
      if (const std::optional<double> d = AsReal(v)) return AttrValue(*d);
    } else if (const std::optional<int64_t> i = AsInt(v)) {
      return AttrValue(*i);
    }
    return std::nullopt;
  };
  const auto* list = value.As<ir::AttrList>();
  if (list == nullptr) return one(value);
  ir::AttrList numbers;
  for (const AttrValue& item : *list) {
    std::optional<AttrValue> number = one(item);
    if (!number) return std::nullopt;
    numbers.push_back(*std::move(number));
  }
  return AttrValue(std::move(numbers));
}

// What a parameter of that kind takes, for messages.
absl::string_view WantedBy(ir::ParamKind kind) {
  switch (kind) {
    case ir::ParamKind::kString:
      return "a string";
    case ir::ParamKind::kBool:
      return "True or False";
    case ir::ParamKind::kInt:
      return "an integer";
    case ir::ParamKind::kFloat:
      return "a number";
    case ir::ParamKind::kInts:
      return "a list of integers";
    case ir::ParamKind::kFloats:
      return "a list of numbers";
    default:
      return "a value of another kind";
  }
}

std::optional<AttrValue> OfKind(const AttrValue& value, ir::ParamKind kind) {
  const auto wrap = [](auto v) { return v ? std::optional<AttrValue>(*v) : std::nullopt; };
  switch (kind) {
    case ir::ParamKind::kString:
      return value.As<std::string>() != nullptr ? std::optional(value) : std::nullopt;
    case ir::ParamKind::kBool:
      return wrap(AsBool(value));
    case ir::ParamKind::kInt:
      return wrap(AsInt(value));
    case ir::ParamKind::kFloat:
      return wrap(AsReal(value));
    case ir::ParamKind::kInts:
      return AsNumbers(value, false);
    case ir::ParamKind::kFloats:
      return AsNumbers(value, true);
    default:
      return value;
  }
}

AttrResult AttributeList(Frame& frame, ast::ExprList elements) {
  ir::AttrList list;
  list.reserve(elements.size());
  for (ast::ExprRef element : elements) {
    LATHE_ASSIGN_OR_RETURN(AttrValue value, ElaborateAttribute(frame, *element));
    list.push_back(std::move(value));
  }
  return AttrValue(std::move(list));
}

// R.prim_value(1), R.str("x"), R.dtype("int8"), R.shape([1, 2]); nothing for other calls.
std::optional<AttrResult> SurfaceAttribute(Frame& frame, const ast::Expr& e) {
  const std::optional<std::string> name = SurfaceName(frame, e);
  const auto* call = e.As<ast::Call>();
  if (!name || call->args.size() != 1 || !call->keywords.empty()) return std::nullopt;
  const ast::Expr& arg = *call->args[0];
  if (*name == "prim_value" || *name == "PrimValue") {
    absl::StatusOr<ir::PrimRef> scalar = ElaborateShapeScalar(frame, arg);
    return scalar.ok() ? AttrResult(AttrValue(*scalar)) : AttrResult(scalar.status());
  }
  if (*name == "dtype" || *name == "DataTypeImm") {
    absl::StatusOr<ir::DType> dtype = ElaborateDType(frame, arg);
    return dtype.ok() ? AttrResult(AttrValue(*dtype)) : AttrResult(dtype.status());
  }
  if (*name == "str" || *name == "StringImm" || *name == "shape" || *name == "ShapeExpr") {
    return ElaborateAttribute(frame, arg);
  }
  return std::nullopt;
}

}  // namespace

AttrResult ElaborateAttribute(Frame& frame, const ast::Expr& e) {
  if (const ast::ExprList* elements = ElementsOf(e)) return AttributeList(frame, *elements);
  if (e.As<ast::Dict>() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(ir::AttrMap map, ElaborateAttributeMap(frame, e));
    return AttrValue(std::move(map));
  }
  if (IsMetadataReference(e)) {
    LATHE_ASSIGN_OR_RETURN(const ir::Operand item, MetadataOperand(frame.el, e));
    if (const auto* text = item.As<ir::StringImm>()) return AttrValue(text->value);
    return frame.el.Error(e, "wrong-kind-of-value") << "an attribute must not be a tensor";
  }
  if (e.As<ast::Call>() != nullptr) {
    if (std::optional<AttrResult> value = SurfaceAttribute(frame, e)) return *std::move(value);
    if (IsVDeviceCall(frame.el, e)) {
      LATHE_ASSIGN_OR_RETURN(const ir::VDeviceRef device, ElaborateVDevice(frame, e));
      return AttrValue(device);
    }
    if (IsDeviceCall(frame.el, e)) return ElaborateDevice(frame, e);
    if (IsStructInfo(frame, e)) {
      LATHE_ASSIGN_OR_RETURN(const ir::StructInfoRef info,
                             ElaborateStructInfo(frame, e, DimPlace::kUse));
      return AttrValue(info);
    }
    if (const std::optional<std::string> name = SurfaceName(frame, e)) {
      return frame.el.Error(e, "wrong-kind-of-value")
             << "an attribute must be a literal, but 'R." << *name << "' is computed at run time";
    }
  }
  ShapeScope scope(frame, NewNames::kRefuse);
  return ElaborateAttr(frame.el, e, scope);
}

absl::StatusOr<ir::AttrMap> ElaborateAttributeMap(Frame& frame, const ast::Expr& e) {
  const auto* dict = e.As<ast::Dict>();
  if (dict == nullptr) {
    return frame.el.Error(e, "wrong-kind-of-value")
           << "expected a dictionary of attributes, got " << ast::Describe(e);
  }
  ir::AttrMap map;
  for (const ast::DictItem& item : dict->items) {
    if (item.key == nullptr) return HostPython(frame.el, *item.value);
    const auto* key = item.key->As<ast::Str>();
    if (key == nullptr) {
      return frame.el.Error(*item.key, "wrong-kind-of-value")
             << "the name of an attribute must be a string, got " << ast::Describe(*item.key);
    }
    LATHE_ASSIGN_OR_RETURN(AttrValue value, ElaborateAttribute(frame, *item.value));
    if (!map.emplace(std::string(key->value), std::move(value)).second) {
      return frame.el.Error(*item.key, "duplicate-attribute")
             << "the attribute '" << key->value << "' is specified more than once";
    }
  }
  return map;
}

AttrResult ElaborateOpAttribute(Frame& frame, const ast::Expr& e, const ir::OpParam& param) {
  if (param.kind == ir::ParamKind::kDType) {
    LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, ElaborateDType(frame, e));
    return dtype.is_void() ? AttrValue() : AttrValue(dtype);
  }
  if (param.kind == ir::ParamKind::kVDevice) {
    if (const auto* text = e.As<ast::Str>()) {
      const ir::VDeviceRef device = FindVDevice(frame.el, e, text->value);
      if (device == nullptr) return AlreadyDiagnosed();
      return AttrValue(device);
    }
  }
  if (param.kind == ir::ParamKind::kAny && e.As<ast::Lambda>() != nullptr) {
    ShapeScope scope(frame, NewNames::kRefuse);
    return ElaborateIndexMap(frame.el, e, scope);
  }
  LATHE_ASSIGN_OR_RETURN(AttrValue value, ElaborateAttribute(frame, e));
  if (param.kind == ir::ParamKind::kDevice || param.kind == ir::ParamKind::kVDevice) {
    const bool device = param.kind == ir::ParamKind::kDevice
                            ? value.As<ir::AttrObject>() != nullptr
                            : value.As<ir::VDeviceRef>() != nullptr;
    if (device) return value;
    return frame.el.Error(e, "wrong-kind-of-value")
           << param.name << " must be a device, such as "
           << (param.kind == ir::ParamKind::kDevice ? "R.device(1, 0)" : "\"cuda:0\"");
  }
  std::optional<AttrValue> fitting = OfKind(value, param.kind);
  if (fitting) return *std::move(fitting);
  if (value.is_none() && param.optional) return value;
  const bool symbolic = value.As<ir::PrimRef>() != nullptr;
  return frame.el.Error(e, "wrong-kind-of-value")
         << "'" << param.name << "' must be " << (symbolic ? "a constant, " : "")
         << WantedBy(param.kind) << ", got " << ast::Describe(e);
}

absl::StatusOr<std::vector<ir::StructInfoRef>> ElaborateInfoList(Frame& frame, const ast::Expr& e) {
  std::vector<ir::StructInfoRef> infos;
  const ast::ExprRef single[] = {&e};
  const ast::ExprList* list = ElementsOf(e);
  for (ast::ExprRef item : list != nullptr ? *list : ast::ExprList(single)) {
    LATHE_ASSIGN_OR_RETURN(const ir::StructInfoRef info,
                           ElaborateStructInfo(frame, *item, DimPlace::kUse));
    infos.push_back(info);
  }
  return infos;
}

}  // namespace lathe::relax_text
