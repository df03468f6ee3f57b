#include "generator/reader/relax_text/relax/elaborate_struct_info.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/syntax/parse.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::StructInfoRef;

constexpr absl::string_view kForms[] = {"Tensor",     "DTensor",     "Shape",    "Prim",
                                        "Tuple",      "Object",      "Callable", "Any",
                                        "PackedFunc", "dist.DTensor"};

bool IsForm(absl::string_view name) {
  for (absl::string_view form : kForms) {
    if (name == form) return true;
  }
  return false;
}

// Returns "Tensor" for R.Tensor, and for a bare Tensor that is not bound otherwise. Returns nullopt
// for other names.
std::optional<std::string> FormName(const Frame& frame, const ast::Expr& e) {
  if (const auto* name = e.As<ast::Name>();
      name != nullptr && !frame.el.namespaces().Contains(name->id)) {
    if (frame.scopes.Find(name->id) != nullptr || !IsForm(name->id)) return std::nullopt;
    return std::string(name->id);
  }
  std::optional<Qualified> qualified = frame.el.namespaces().Qualify(e);
  if (!qualified || qualified->space != Space::kRelax) return std::nullopt;
  return std::move(qualified->name);
}

// Returns float32 for T.float32 and T.float32(), or nullopt for other expressions.
std::optional<DType> TirType(const Frame& frame, const ast::Expr& e) {
  const ast::Expr* type = &e;
  if (const auto* call = e.As<ast::Call>(); call != nullptr && call->args.empty()) {
    type = call->callee;
  }
  const std::optional<Qualified> name = frame.el.namespaces().Qualify(*type);
  if (!name || name->space != Space::kTir || name->name.empty()) return std::nullopt;
  return ir::ParseDType(name->name);
}

class InfoElaborator {
 public:
  InfoElaborator(Frame& frame, DimPlace place) : frame_(frame), el_(frame.el), place_(place) {}

  absl::StatusOr<StructInfoRef> Elaborate(const ast::Expr& e) {
    if (const auto* subscript = e.As<ast::Subscript>()) {
      if (FormName(frame_, *subscript->object) == "Tensor") {
        return ElaborateTensorSubscript(frame_, e, place_);
      }
    }
    if (const auto* text = e.As<ast::Str>(); text != nullptr) {
      const ast::Expr* quoted = ParseQuoted(el_.tree(), e, el_.diags());
      if (quoted == nullptr) return AlreadyDiagnosed();
      if (quoted->As<ast::Str>() == nullptr) return Elaborate(*quoted);
    }
    if (const std::optional<DType> dtype = TirType(frame_, e)) return el_.context().Prim(*dtype);
    const auto* call = e.As<ast::Call>();
    if (const std::optional<std::string> form = FormName(frame_, call ? *call->callee : e)) {
      return call != nullptr ? Call(e, *call, *form) : Bare(e, *form);
    }
    if (const auto* attribute = e.As<ast::Attribute>();
        attribute != nullptr && (attribute->name == "struct_info" || attribute->name == "ty")) {
      return OfVariable(e, *attribute->object);
    }
    return el_.Error(e, "not-a-struct-info")
           << "expected a StructInfo such as R.Tensor((4,), \"float32\"), got " << ast::Describe(e);
  }

 private:
  absl::StatusOr<StructInfoRef> Unknown(const ast::Expr& e, absl::string_view form) {
    return el_.Error(e, "not-a-struct-info")
           << "R." << form << " is not a StructInfo" << DidYouMean(form, kForms);
  }

  // Without arguments, as R.Tensor.
  absl::StatusOr<StructInfoRef> Bare(const ast::Expr& e, absl::string_view form) {
    ir::Context& context = el_.context();
    if (form == "Tensor") return context.Tensor(ir::kUnknownRank, DType::Void());
    if (form == "Shape") return context.Shape(ir::kUnknownRank);
    if (form == "Tuple") return context.Tuple({});
    if (form == "Object" || form == "Any") return context.Object();
    if (form == "Callable" || form == "PackedFunc") return Opaque(context.Object(), false);
    if (form == "Prim") {
      return el_.Error(e, "wrong-arguments") << "R.Prim needs a dtype: R.Prim(\"int64\")";
    }
    return Unknown(e, form);
  }

  absl::StatusOr<StructInfoRef> Call(const ast::Expr& e, const ast::Call& call,
                                     absl::string_view form) {
    if (form == "Tensor") return ElaborateTensorInfo(frame_, e, false, place_);
    if (form == "DTensor" || form == "dist.DTensor") {
      return ElaborateTensorInfo(frame_, e, true, place_);
    }
    if (form == "Shape") return Shape(e);
    if (form == "Prim") return Prim(e);
    if (form == "Tuple") return Tuple(call);
    if (form == "Callable") return Callable(e);
    if (IsForm(form) && call.args.empty() && call.keywords.empty()) return Bare(e, form);
    if (IsForm(form))
      return el_.Error(e, "wrong-arguments") << "R." << form << " takes no arguments";
    return Unknown(*call.callee, form);
  }

  absl::StatusOr<StructInfoRef> Shape(const ast::Expr& e) {
    LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                           CallArguments::Bind(el_, e, "R.Shape", "values? ndim?"));
    ir::ShapeInfo info;
    if (const ast::Expr* values = args.GetUnlessNone("values")) {
      const auto* tuple = values->As<ast::Tuple>();
      const auto* list = values->As<ast::List>();
      if (tuple == nullptr && list == nullptr) {
        return el_.Error(*values, "wrong-kind-of-value")
               << "R.Shape needs a list of dimensions, got " << ast::Describe(*values);
      }
      LATHE_ASSIGN_OR_RETURN(
          std::vector<ir::PrimRef> dims,
          ElaborateDims(frame_, tuple != nullptr ? tuple->elements : list->elements, place_));
      info.ndim = static_cast<int>(dims.size());
      info.values = std::move(dims);
    }
    if (const ast::Expr* ndim = args.GetUnlessNone("ndim")) {
      LATHE_ASSIGN_OR_RETURN(const int64_t rank, ElaborateNumber(frame_, *ndim));
      if (rank < ir::kUnknownRank || rank > kMaxDims) {
        return el_.Error(*ndim, "number-out-of-range") << "ndim must not be " << rank;
      }
      if (rank != ir::kUnknownRank || !info.values) info.ndim = static_cast<int>(rank);
    }
    return el_.context().Make(ir::StructInfo::Node(std::move(info)));
  }

  absl::StatusOr<StructInfoRef> Prim(const ast::Expr& e) {
    LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                           CallArguments::Bind(el_, e, "R.Prim", "dtype? value?"));
    const ast::Expr* written_dtype = args.GetUnlessNone("dtype");
    const ast::Expr* written_value = args.GetUnlessNone("value");
    if (written_dtype == nullptr && written_value == nullptr) {
      return el_.Error(e, "wrong-arguments") << "R.Prim needs a dtype or a value";
    }
    DType dtype = DType::Int(64);
    if (written_dtype != nullptr) {
      LATHE_ASSIGN_OR_RETURN(dtype, ElaborateDType(frame_, *written_dtype));
    }
    if (written_value == nullptr) return el_.context().Prim(dtype);
    LATHE_ASSIGN_OR_RETURN(const ir::PrimRef value, PrimValue(*written_value, dtype));
    return el_.context().Prim(written_dtype != nullptr ? dtype : value->dtype(), value);
  }

  // Like a dimension, but of any type.
  absl::StatusOr<ir::PrimRef> PrimValue(const ast::Expr& e, DType dtype) {
    const ast::Expr* value = &e;
    if (e.As<ast::Str>() != nullptr) value = ParseQuoted(el_.tree(), e, el_.diags());
    if (value == nullptr) return AlreadyDiagnosed();
    if (value->As<ast::Name>() != nullptr && dtype == DType::Int(64)) {
      return ElaborateDim(frame_, e, place_);
    }
    const bool define = place_ == DimPlace::kDefine;
    return ElaborateShapeScalar(frame_, *value, define ? NewNames::kDefine : NewNames::kRefuse,
                                dtype.is_integer() ? dtype : DType::Int(64));
  }

  absl::StatusOr<StructInfoRef> Tuple(const ast::Call& call) {
    if (!call.keywords.empty()) {
      return el_.diags().Error(call.keywords[0].name_span, "wrong-arguments")
             << "R.Tuple does not accept keyword arguments";
    }
    ast::ExprList fields = call.args;
    if (fields.size() == 1) {
      if (const auto* tuple = fields[0]->As<ast::Tuple>())
        fields = tuple->elements;
      else if (const auto* list = fields[0]->As<ast::List>())
        fields = list->elements;
    }
    LATHE_ASSIGN_OR_RETURN(std::vector<StructInfoRef> infos, Each(fields));
    return el_.context().Tuple(std::move(infos));
  }

  absl::StatusOr<std::vector<StructInfoRef>> Each(ast::ExprList list) {
    std::vector<StructInfoRef> infos;
    absl::Status failed;
    for (ast::ExprRef e : list) {
      absl::StatusOr<StructInfoRef> info = Elaborate(*e);
      if (info.ok()) {
        infos.push_back(*info);
      } else {
        failed = info.status();
      }
    }
    if (!failed.ok()) return failed;
    return infos;
  }

  absl::StatusOr<StructInfoRef> Callable(const ast::Expr& e) {
    LATHE_ASSIGN_OR_RETURN(
        const CallArguments args,
        CallArguments::Bind(el_, e, "R.Callable", "params? ret? purity? derive_func?"));
    ir::FuncInfo info;
    info.ret = el_.context().Object();
    if (const ast::Expr* params = args.GetUnlessNone("params")) {
      const auto* tuple = params->As<ast::Tuple>();
      const auto* list = params->As<ast::List>();
      const ast::ExprRef single[] = {params};
      LATHE_ASSIGN_OR_RETURN(info.params, Each(tuple != nullptr  ? tuple->elements
                                               : list != nullptr ? list->elements
                                                                 : ast::ExprList(single)));
    }
    if (const ast::Expr* ret = args.GetUnlessNone("ret")) {
      LATHE_ASSIGN_OR_RETURN(info.ret, Elaborate(*ret));
    }
    // Like TVM: what has a signature is pure, what is opaque is not.
    info.pure = info.params.has_value();
    if (const ast::Expr* purity = args.GetUnlessNone("purity")) {
      const auto* constant = purity->As<ast::Constant>();
      if (constant == nullptr || constant->kind == ast::Constant::Kind::kNone) {
        return el_.Error(*purity, "wrong-kind-of-value") << "purity must be True or False";
      }
      info.pure = constant->kind == ast::Constant::Kind::kTrue;
    }
    if (!info.params) info.derive = ir::Derive::kDefault;
    if (const ast::Expr* derive = args.GetUnlessNone("derive_func")) {
      LATHE_ASSIGN_OR_RETURN(info.derive, DeriveFunc(*derive));
    }
    return el_.context().Make(ir::StructInfo::Node(std::move(info)));
  }

  absl::StatusOr<ir::Derive> DeriveFunc(const ast::Expr& e) {
    const auto* text = e.As<ast::Str>();
    if (text == nullptr) {
      return el_.Error(e, "wrong-kind-of-value") << "derive_func must be a string";
    }
    for (absl::string_view name : {"default_derive", "tvm.relax.struct_info.infer_by_sinfo_args",
                                   "tvm.relax.type.infer_by_ty_args"}) {
      if (text->value == name) return ir::Derive::kDefault;
    }
    if (text->value == "empty_derive") return ir::Derive::kEmpty;
    return el_.Unsupported(e, "unknown-derive-func")
           << "unknown derive_func '" << text->value
           << "'; supported: \"default_derive\" and \"empty_derive\"";
  }

  StructInfoRef Opaque(StructInfoRef ret, bool pure) {
    return el_.context().Make(
        ir::StructInfo::Node(ir::FuncInfo{std::nullopt, ret, pure, ir::Derive::kDefault}));
  }

  // x.struct_info: what the annotation of x says.
  absl::StatusOr<StructInfoRef> OfVariable(const ast::Expr& e, const ast::Expr& object) {
    const auto* name = object.As<ast::Name>();
    const NameEntry* entry = name == nullptr ? nullptr : frame_.scopes.Find(name->id);
    if (entry != nullptr && entry->failed) return AlreadyDiagnosed();
    if (entry != nullptr && entry->value.valid()) {
      const StructInfoRef info = el_.module().values[entry->value].annotation;
      if (info != nullptr) return info;
    } else if (name != nullptr && entry == nullptr) {
      return frame_.UnknownName(object, name->id);
    }
    return el_.Unsupported(e, "host-python")
               .Help("annotate the variable, or write its StructInfo here")
           << "the StructInfo of " << (name != nullptr ? absl::StrCat("'", name->id, "'") : "this")
           << " is not declared in the program";
  }

  Frame& frame_;
  Elaboration& el_;
  DimPlace place_;
};

}  // namespace

absl::StatusOr<StructInfoRef> ElaborateStructInfo(Frame& frame, const ast::Expr& e,
                                                  DimPlace place) {
  return InfoElaborator(frame, place).Elaborate(e);
}

bool IsStructInfo(const Frame& frame, const ast::Expr& e) {
  if (const auto* subscript = e.As<ast::Subscript>())
    return IsStructInfo(frame, *subscript->object);
  if (TirType(frame, e)) return true;
  if (const auto* attribute = e.As<ast::Attribute>();
      attribute != nullptr && (attribute->name == "struct_info" || attribute->name == "ty")) {
    return true;
  }
  const auto* call = e.As<ast::Call>();
  const std::optional<std::string> form = FormName(frame, call != nullptr ? *call->callee : e);
  return form && IsForm(*form);
}

}  // namespace lathe::relax_text
