#include "generator/emit/c/kernel/print_c_call.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/kernel_dialect.h"
#include "generator/emit/c/kernel/print_c_pointer.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/names/extern_name.h"
#include "generator/ir/function_calls.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

ir::DType GivenBy(const CCallee& callee) { return callee.func->ret.value_or(ir::DType::Void()); }

class CallPrinter {
 public:
  CallPrinter(CScope& scope, PrimRef e, const ir::Intrinsic& n) : scope_(scope), e_(e), n_(n) {}

  // Prints the call of an external function.
  absl::StatusOr<CText> Outside() {
    const auto* callee = n_.args.empty() ? nullptr : n_.args[0]->As<ir::StringImm>();
    if (callee == nullptr) return CannotPrint(ir::ToString(e_));
    std::vector<std::string> texts;
    std::vector<std::string> types;
    for (size_t i = 1; i < n_.args.size(); ++i) {
      const PrimRef arg = n_.args[i];
      if (arg->dtype().is_handle()) {
        LATHE_ASSIGN_OR_RETURN(CPointer pointer, PrintCPointer(scope_, arg));
        texts.push_back(std::move(pointer.text));
        types.push_back("void *");
        continue;
      }
      LATHE_ASSIGN_OR_RETURN(std::string text, PrintCExpr(scope_, arg));
      texts.push_back(std::move(text));
      types.push_back(absl::StrCat(CScalarType(arg->dtype()), " "));
    }
    for (size_t i = 0; i < types.size(); ++i) absl::StrAppend(&types[i], "a", i);
    const std::string returns =
        CType(e_->dtype()).empty() ? "void" : std::string(CScalarType(e_->dtype()));
    CNeeds& needs = scope_.needs;
    // CheckExterns() has reported names that are not allowed.
    LATHE_ASSIGN_OR_RETURN(const CName name,
                           ExternName(callee->value, needs.prefix, needs.dialect.extern_rules()));
    needs.dialect.DeclareExtern(
        needs, name,
        absl::StrCat(returns, " ", name, "(", types.empty() ? "void" : absl::StrJoin(types, ", "),
                     ");"));
    return CText{absl::StrCat(name, "(", absl::StrJoin(texts, ", "), ")")};
  }

  // Prints the call of a PrimFunc. If it returns a status, `result` is the variable for its result.
  absl::StatusOr<CText> Inside(const CCallee& callee, const std::string& result) {
    const std::vector<ir::PrimParam>& params = callee.func->params;
    if (n_.args.size() != params.size() + 1) {
      return CannotPrint(absl::StrCat("a call of '", callee.name, "', which takes ", params.size(),
                                      " arguments, with ", n_.args.size() - 1, ","));
    }
    scope_.needs.dialect.IncludeCallees(scope_.needs);
    std::vector<std::string> texts;
    for (size_t i = 0; i < params.size(); ++i) {
      const PrimRef arg = n_.args[i + 1];
      if (params[i].buffer == nullptr && !params[i].var->dtype().is_handle()) {
        LATHE_ASSIGN_OR_RETURN(std::string text,
                               PrintCExpr(scope_, scope_.ir.MakeCast(params[i].var->dtype(), arg)));
        texts.push_back(std::move(text));
        continue;
      }
      LATHE_ASSIGN_OR_RETURN(CPointer pointer, Pointer(params[i], arg));
      texts.push_back(std::move(pointer.text));
    }
    if (!result.empty()) texts.push_back(absl::StrCat("&", result));
    return CText{absl::StrCat(callee.name, "(", absl::StrJoin(texts, ", "), ")")};
  }

 private:
  absl::StatusOr<CPointer> Pointer(const ir::PrimParam& param, PrimRef arg) {
    PrimRef data = arg;
    std::vector<PrimRef> shape;
    const auto* whole = arg->As<ir::RegionArg>();
    const auto* made = arg->As<ir::Intrinsic>();
    if (whole != nullptr && whole->mins.empty()) {
      data = whole->buffer->data;
      shape = whole->buffer->shape;
    } else if (made != nullptr && made->name == "tvm_stack_make_array" && made->args.size() > 1) {
      data = made->args[0];
      const auto* sizes = made->args[1]->As<ir::Intrinsic>();
      if (sizes != nullptr) shape = sizes->args;
    }
    LATHE_ASSIGN_OR_RETURN(CPointer pointer, PrintCPointer(scope_, data));
    const bool tensor = param.buffer != nullptr;
    const ir::DType wanted = tensor ? param.buffer->dtype : param.var->As<ir::SymVar>()->pointee;
    bool fits = pointer.dtype == wanted && (!tensor || param.buffer->shape.size() == shape.size());
    for (size_t i = 0; tensor && fits && i < shape.size(); ++i) {
      const auto* has = shape[i]->As<ir::IntImm>();
      const auto* needs = param.buffer->shape[i]->As<ir::IntImm>();
      fits = has != nullptr && needs != nullptr && has->value == needs->value;
    }
    if (fits) return pointer;
    return CannotPrint(absl::StrCat("the argument ", ir::ToString(arg), ", of another dtype or of ",
                                    "other sizes than the parameter,"));
  }

  CScope& scope_;
  PrimRef e_;
  const ir::Intrinsic& n_;
};

// Prints a call that ends the enclosing function if it fails. `name` is the variable for its
// result.
absl::Status Checked(CScope& scope, const CCallee& callee, PrimRef e, const ir::Intrinsic& n,
                     const std::string& name, LineWriter& out) {
  const ir::DType gives = GivenBy(callee);
  const std::string result = gives.is_void() ? "" : name;
  LATHE_ASSIGN_OR_RETURN(const CText call, CallPrinter(scope, e, n).Inside(callee, result));
  if (!result.empty()) out.Line(CScalarType(gives), " ", result, " = ", CZero(gives), ";");
  const std::string status = scope.names.Unique("status");
  out.Line("const int ", status, " = ", call.text, ";");
  out.Line("if (", status, " != LATHE_OK) {");
  PrintCFailure(scope, status, out);
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace

const CCallee* CalleeOf(const CNeeds& needs, const ir::Intrinsic& n) {
  const auto* name =
      ir::IsCall(n.name) && !n.args.empty() ? n.args[0]->As<ir::StringImm>() : nullptr;
  if (name == nullptr) return nullptr;
  const auto it = needs.callees.find(name->value);
  return it == needs.callees.end() ? nullptr : &it->second;
}

absl::StatusOr<CText> PrintCCall(CScope& scope, PrimRef e, const ir::Intrinsic& n) {
  const CCallee* callee = CalleeOf(scope.needs, n);
  if (callee == nullptr) {
    const bool linked = n.name == "call_extern" || n.name == "call_pure_extern";
    return linked ? CallPrinter(scope, e, n).Outside() : CannotPrint(ir::ToString(e));
  }
  const ir::DType gives = GivenBy(*callee);
  if (!callee->fails && gives == e->dtype()) return CallPrinter(scope, e, n).Inside(*callee, "");
  return CannotPrint(absl::StrCat("the value of a call of '", callee->name, "', which gives ",
                                  ToString(gives), callee->fails ? " and may fail," : ","));
}

absl::Status PrintCCallStmt(CScope& scope, PrimRef e, const ir::Intrinsic& n, LineWriter& out) {
  const CCallee* callee = CalleeOf(scope.needs, n);
  if (callee == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const CText call, PrintCCall(scope, e, n));
    out.Line(CType(e->dtype()).empty() ? "" : "(void)", call.text, ";");
    return absl::OkStatus();
  }
  const ir::DType gives = GivenBy(*callee);
  if (callee->fails) return Checked(scope, *callee, e, n, scope.names.Unique("given"), out);
  LATHE_ASSIGN_OR_RETURN(const CText call, CallPrinter(scope, e, n).Inside(*callee, ""));
  out.Line(gives.is_void() ? "" : "(void)", call.text, ";");
  return absl::OkStatus();
}

absl::Status PrintCCallLet(CScope& scope, const ir::LetStmt& let, const ir::Intrinsic& n,
                           LineWriter& out) {
  const ir::DType dtype = let.var->dtype();
  const CCallee* callee = CalleeOf(scope.needs, n);
  const std::string name = scope.names.Unique(ir::ToString(let.var));
  if (callee != nullptr && callee->fails && GivenBy(*callee) == dtype) {
    LATHE_RETURN_IF_ERROR(Checked(scope, *callee, let.value, n, name, out));
  } else {
    LATHE_ASSIGN_OR_RETURN(const CText call, PrintCCall(scope, let.value, n));
    out.Line("const ", CScalarType(dtype), " ", name, " = ", call.text, ";");
    scope.given.push_back(name);
  }
  scope.vars[let.var] = {name, dtype};
  scope.data.insert(let.var);
  return absl::OkStatus();
}

void PrintCFailure(const CScope& scope, absl::string_view status, LineWriter& out) {
  if (scope.failed.empty()) {
    out.Line("  return ", status, ";");
    return;
  }
  out.Line("  lathe_fail(", scope.failed, ", ", status, ");");
  out.Line("  return;");
}

}  // namespace lathe::emit
