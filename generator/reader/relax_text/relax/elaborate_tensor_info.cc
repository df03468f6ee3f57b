#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/ir/target_kind.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/tir/elaborate_scalar.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::TensorInfo;

bool IsUnderscore(const ast::Expr& e) {
  const auto* name = e.As<ast::Name>();
  return name != nullptr && name->id == "_";
}

absl::Status BadShape(Frame& frame, const ast::Expr& e) {
  return frame.el.Error(e, "tensor-shape-annotation")
         << "the shape of a tensor must be a tuple of dimensions or a variable that holds a shape, "
            "got "
         << ast::Describe(e);
}

// Fills in the shape, and the rank that follows from it.
absl::Status ReadShape(Frame& frame, const ast::Expr& e, DimPlace place, TensorInfo& info) {
  ast::ExprList elements;
  const ast::Expr* dims = &e;
  if (const auto* call = e.As<ast::Call>()) {
    const std::optional<Qualified> callee = frame.el.namespaces().Qualify(*call->callee);
    if (callee && callee->space == Space::kRelax && call->args.size() == 1 &&
        (callee->name == "shape" || callee->name == "ShapeExpr")) {
      dims = call->args[0];
    }
  }
  if (const auto* tuple = dims->As<ast::Tuple>()) {
    elements = tuple->elements;
  } else if (const auto* list = dims->As<ast::List>()) {
    elements = list->elements;
  } else if (const auto* name = e.As<ast::Name>()) {
    const NameEntry* entry = frame.scopes.Find(name->id);
    if (entry == nullptr) return frame.UnknownName(e, name->id);
    if (entry->failed) return AlreadyDiagnosed();
    const ValueShape known = entry->value.valid() ? frame.ShapeOf(entry->value) : ValueShape::kPrim;
    if (known != ValueShape::kShape && known != ValueShape::kUnknown &&
        known != ValueShape::kObject) {
      return BadShape(frame, e);
    }
    frame.NoteUse(e, *entry);
    info.shape = entry->value;
    if (const ir::StructInfoRef annotation = frame.el.module().values[entry->value].annotation) {
      if (const auto* shape = annotation->As<ir::ShapeInfo>()) info.ndim = shape->ndim;
    }
    return absl::OkStatus();
  } else {
    return BadShape(frame, e);
  }
  LATHE_ASSIGN_OR_RETURN(std::vector<ir::PrimRef> values, ElaborateDims(frame, elements, place));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto* number = values[i]->As<ir::IntImm>();
    if (number != nullptr && number->value < 0) {
      return frame.el.Error(*elements[i], "tensor-shape-annotation")
             << "a dimension must not be negative, got " << number->value;
    }
  }
  info.ndim = static_cast<int>(values.size());
  info.shape = std::move(values);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int64_t> ElaborateNumber(Frame& frame, const ast::Expr& e) {
  ShapeScope scope(frame, NewNames::kRefuse);
  LATHE_ASSIGN_OR_RETURN(const ir::AttrValue value, ElaborateAttr(frame.el, e, scope));
  if (const auto* number = value.As<int64_t>()) return *number;
  if (const auto* scalar = value.As<ir::PrimRef>()) {
    if (const auto* number = (*scalar)->As<ir::IntImm>()) return number->value;
  }
  return frame.el.Error(e, "wrong-kind-of-value")
         << "expected an integer, got " << ast::Describe(e);
}

absl::StatusOr<DType> ElaborateDType(Frame& frame, const ast::Expr& e) {
  if (const auto* text = e.As<ast::Str>()) {
    const std::optional<DType> dtype = ir::ParseDType(text->value);
    if (dtype) return *dtype;
    return frame.el.Error(e, "unknown-dtype") << "'" << text->value << "' is not a dtype";
  }
  const std::optional<Qualified> name = frame.el.namespaces().Qualify(e);
  if (name && name->space == Space::kTir) {
    const std::optional<DType> dtype = ir::ParseDType(name->name);
    if (dtype && !name->name.empty()) return *dtype;
  }
  if (const auto* call = e.As<ast::Call>(); call != nullptr && call->args.size() == 1) {
    const std::optional<Qualified> callee = frame.el.namespaces().Qualify(*call->callee);
    if (callee && (callee->name == "dtype" || callee->name == "DataTypeImm") &&
        callee->space == Space::kRelax) {
      return ElaborateDType(frame, *call->args[0]);
    }
  }
  // x.dtype, if the annotation of x has a dtype.
  if (const auto* attribute = e.As<ast::Attribute>();
      attribute != nullptr && attribute->name == "dtype") {
    if (const auto* object = attribute->object->As<ast::Name>()) {
      const NameEntry* entry = frame.scopes.Find(object->id);
      if (entry != nullptr && entry->value.valid()) {
        const ir::StructInfoRef info = frame.el.module().values[entry->value].annotation;
        const auto* tensor = info == nullptr ? nullptr : info->As<TensorInfo>();
        if (tensor != nullptr && !tensor->dtype.is_void()) return tensor->dtype;
        return frame.el.Unsupported(e, "host-python")
                   .Help(absl::StrCat("annotate ", object->id, ", or write the dtype here"))
               << "the dtype of '" << object->id << "' is not declared in the program";
      }
    }
  }
  if (const auto* host = e.As<ast::Name>(); host != nullptr &&
                                            frame.scopes.Find(host->id) == nullptr &&
                                            frame.el.RefusesHostValue(e, host->id)) {
    return AlreadyDiagnosed();
  }
  return frame.el.Error(e, "unknown-dtype") << "expected a dtype, got " << ast::Describe(e);
}

ir::VDeviceRef FindVDevice(Elaboration& el, const ast::Expr& e, absl::string_view text) {
  const std::vector<ir::VDeviceRef> devices = el.module().vdevices();
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  int wanted = 0;
  const bool numbered = parts.size() < 2 || absl::SimpleAtoi(parts[1], &wanted);
  int seen = 0;
  std::vector<std::string> known;
  for (ir::VDeviceRef device : devices) {
    const bool of_kind = parts[0] == "vdevice" || ir::KindOfTarget(device->target) == parts[0];
    if (numbered && of_kind && seen++ == wanted) return device;
    known.push_back(absl::StrCat("'", ir::ToString(*device), "'"));
  }
  DiagnosticBuilder error = el.Error(e, "vdevice-not-declared");
  error << "the module declares no device '" << text << "'";
  if (known.empty()) {
    std::move(error).Help(
        "declare it in the module: I.module_global_infos({\"vdevice\": [I.vdevice(...)]})");
  } else {
    error << "; it has " << absl::StrJoin(known, ", ");
  }
  return nullptr;
}

absl::StatusOr<TensorInfo> ElaborateTensorShape(Frame& frame, const ast::Expr& e, DimPlace place) {
  TensorInfo info;
  LATHE_RETURN_IF_ERROR(ReadShape(frame, e, place, info));
  return info;
}

absl::StatusOr<ir::StructInfoRef> ElaborateTensorInfo(Frame& frame, const ast::Expr& e,
                                                      bool distributed, DimPlace place) {
  LATHE_ASSIGN_OR_RETURN(
      const CallArguments args,
      distributed ? CallArguments::Bind(frame.el, e, "R.DTensor",
                                        "shape? dtype? device_mesh? placement? ndim?")
                  : CallArguments::Bind(frame.el, e, "R.Tensor", "shape? dtype? vdevice? ndim?"));
  TensorInfo info;
  const ast::Expr* shape = args.GetUnlessNone("shape");
  const ast::Expr* dtype = args.GetUnlessNone("dtype");
  // R.Tensor("float32")
  if (shape != nullptr && shape->As<ast::Str>() != nullptr && dtype == nullptr) {
    std::swap(shape, dtype);
  }
  if (shape != nullptr && !IsUnderscore(*shape)) {
    LATHE_RETURN_IF_ERROR(ReadShape(frame, *shape, place, info));
  }
  if (dtype != nullptr && !IsUnderscore(*dtype)) {
    LATHE_ASSIGN_OR_RETURN(info.dtype, ElaborateDType(frame, *dtype));
  }
  if (const ast::Expr* ndim = args.GetUnlessNone("ndim")) {
    LATHE_ASSIGN_OR_RETURN(const int64_t rank, ElaborateNumber(frame, *ndim));
    if (rank < ir::kUnknownRank || rank > kMaxDims) {
      return frame.el.Error(*ndim, "number-out-of-range")
             << "ndim must be -1 (unknown) or from 0 to " << kMaxDims << ", got " << rank;
    }
    // An ndim of -1 with a shape is ignored. Other values must match the shape, which is checked
    // later.
    if (rank != ir::kUnknownRank || info.shape.index() == 0) info.ndim = static_cast<int>(rank);
  }
  if (const ast::Expr* vdevice = args.GetUnlessNone("vdevice")) {
    const auto* text = vdevice->As<ast::Str>();
    if (text == nullptr) {
      return frame.el.Error(*vdevice, "wrong-kind-of-value")
             << "a device must be a string such as \"cuda:0\", got " << ast::Describe(*vdevice);
    }
    info.vdevice = FindVDevice(frame.el, *vdevice, text->value);
  }
  if (distributed) {
    info.sharding.emplace();
    const std::pair<absl::string_view, std::string*> parts[] = {
        {"device_mesh", &info.sharding->mesh}, {"placement", &info.sharding->placement}};
    for (const auto& [name, field] : parts) {
      const ast::Expr* value = args.GetUnlessNone(name);
      const auto* text = value == nullptr ? nullptr : value->As<ast::Str>();
      if (text == nullptr) {
        return frame.el.Error(value == nullptr ? e : *value, "wrong-kind-of-value")
               << "R.DTensor needs " << name << " as a string";
      }
      *field = std::string(text->value);
    }
  }
  return frame.el.context().Make(ir::StructInfo::Node(std::move(info)));
}

absl::StatusOr<ir::StructInfoRef> ElaborateTensorSubscript(Frame& frame, const ast::Expr& e,
                                                           DimPlace place) {
  const auto* subscript = e.As<ast::Subscript>();
  if (subscript->indices.size() > 2) {
    return frame.el.Error(e, "wrong-arguments")
           << "R.Tensor[shape, dtype] takes two arguments, got " << subscript->indices.size();
  }
  TensorInfo info;
  const ast::Expr& shape = *subscript->indices[0];
  if (!IsUnderscore(shape) && !IsNone(shape)) {
    LATHE_RETURN_IF_ERROR(ReadShape(frame, shape, place, info));
  }
  if (subscript->indices.size() == 2 && !IsUnderscore(*subscript->indices[1])) {
    LATHE_ASSIGN_OR_RETURN(info.dtype, ElaborateDType(frame, *subscript->indices[1]));
  }
  return frame.el.context().Make(ir::StructInfo::Node(std::move(info)));
}

}  // namespace lathe::relax_text
