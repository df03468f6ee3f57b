#include "generator/emit/c/kernel/print_callee.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/drop_unread.h"
#include "generator/emit/c/kernel/kernel_dialect.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/kernel/print_in_width.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/nest/failing_callees.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

absl::Status NameParam(CScope& scope, const ir::PrimParam& param, bool writes,
                       std::vector<std::string>& names, std::vector<std::string>& declarations) {
  const char* fixed = writes ? "" : "const ";
  if (param.buffer != nullptr) {
    if (!writes) scope.read_only.insert(param.buffer->data);
    names.push_back(scope.names.Unique(param.buffer->name));
    scope.buffers[param.buffer] = names.back();
    scope.owners[param.buffer->data] = param.buffer;
    declarations.push_back(absl::StrCat(fixed, CType(param.buffer->dtype), " *", names.back()));
    return absl::OkStatus();
  }
  names.push_back(scope.names.Unique(ir::ToString(param.var)));
  const ir::DType dtype = param.var->dtype();
  const bool points = dtype.is_handle();
  const ir::DType pointee = points ? param.var->As<ir::SymVar>()->pointee : dtype;
  const absl::string_view type = points ? CType(pointee) : CScalarType(dtype);
  if (type.empty()) {
    return CannotPrint(absl::StrCat("parameter '", names.back(), "' of ", ToString(pointee)));
  }
  if (points) {
    scope.pointers[param.var] = {names.back(), pointee, !writes};
    if (!writes) scope.read_only.insert(param.var);  // also for buffers declared over the pointer
  } else {
    scope.vars[param.var] = {names.back(), dtype};
  }
  declarations.push_back(
      absl::StrCat(points ? fixed : "", type, points ? " *" : " ", names.back()));
  return absl::OkStatus();
}

bool EndsWithReturn(ir::StmtRef stmt) {
  const auto* seq = stmt->As<ir::SeqStmt>();
  if (seq != nullptr && !seq->stmts.empty()) return EndsWithReturn(seq->stmts.back());
  return stmt->As<ir::ReturnStmt>() != nullptr;
}

absl::StatusOr<PrintedCallee> PrintIn(ir::Context& context, const CCallee& callee, CNeeds& needs,
                                      bool* wide) {
  CNames names(needs.prefix);
  needs.dialect.ReserveNames(names);
  for (const auto& [symbol, prototype] : needs.externs) (void)names.Unique(symbol.str());
  CScope scope{context, needs, names};
  scope.wide = *wide;
  scope.returns = callee.func->ret.value_or(ir::DType::Void());
  std::vector<std::string> params;
  std::vector<std::string> declarations;
  for (size_t i = 0; i < callee.func->params.size(); ++i) {
    const bool writes = (*callee.uses)[i].writes;
    LATHE_RETURN_IF_ERROR(NameParam(scope, callee.func->params[i], writes, params, declarations));
  }
  const bool gives = !scope.returns.is_void();
  if (gives && callee.fails) {
    scope.result = names.Unique("result");
    params.push_back(scope.result);
    declarations.push_back(absl::StrCat(CScalarType(scope.returns), " *", scope.result));
  }
  LineWriter lines(2);
  LATHE_RETURN_IF_ERROR(PrintCStmt(scope, callee.func->body, callee.fails, lines));
  // A program may not use the result of a function that ends without a return.
  if (!EndsWithReturn(callee.func->body)) {
    if (!scope.result.empty()) lines.Line("*", scope.result, " = ", CZero(scope.returns), ";");
    if (callee.fails) lines.Line("return LATHE_OK;");
    if (gives && !callee.fails) lines.Line("return ", CZero(scope.returns), ";");
  }
  *wide = scope.must_be_wide;
  const absl::string_view type = callee.fails ? "int"
                                 : gives      ? CScalarType(scope.returns)
                                              : absl::string_view("void");
  return PrintedCallee{
      absl::StrCat(needs.dialect.CalleeSpecifiers(), type, " ", callee.name, "(",
                   declarations.empty() ? "void" : absl::StrJoin(declarations, ", "), ")"),
      WithParamsRead(params, DropUnread(lines.Take(), scope))};
}

}  // namespace

void NameCallees(ir::Context& context, const std::map<std::string, ir::PrimFunc>& callees,
                 absl::string_view model, CNames& file_names, CNeeds& needs) {
  needs.failing = nest::FailingCallees(callees);
  needs.callee_uses = schedule::UsesOfCallees(context, callees);
  for (const auto& [name, func] : callees) {
    const CName own = file_names.Unique(absl::StrCat(model, "_", name));
    needs.callees[name] = {own, &func, needs.failing.count(name) != 0, &needs.callee_uses.at(name)};
  }
}

absl::StatusOr<PrintedCallee> PrintCallee(ir::Context& context, const CCallee& callee,
                                          CNeeds& needs) {
  return PrintInWidth(needs, [&](bool* wide) { return PrintIn(context, callee, needs, wide); });
}

}  // namespace lathe::emit
