#include "generator/reader/relax_text/tir/stmt_elaborator.h"

#include "generator/reader/relax_text/tir/elaborate_stmt.h"
#include "generator/support/count_of.h"

namespace lathe::relax_text {
namespace {

std::optional<ast::ExprList> TargetElements(const ast::Expr& e) {
  if (const auto* tuple = e.As<ast::Tuple>()) return tuple->elements;
  if (const auto* list = e.As<ast::List>()) return list->elements;
  return std::nullopt;
}

}  // namespace

void StmtElaborator::Emit(ir::Stmt::Node node, const TextSpan& span) {
  sequence_->push_back(context().Make(std::move(node), span));
}

ir::StmtRef StmtElaborator::Sequence(const std::function<void()>& fill, const TextSpan& span) {
  std::vector<ir::StmtRef> statements;
  std::vector<ir::StmtRef>* outer = std::exchange(sequence_, &statements);
  ++depth_;
  fill();
  --depth_;
  sequence_ = outer;
  if (statements.size() == 1) return statements.front();
  return context().Make(ir::SeqStmt{std::move(statements)}, span);
}

ir::StmtRef StmtElaborator::Body(ast::Block body, const std::function<void()>& before) {
  TextSpan span = body.empty() ? TextSpan() : body.front()->span();
  if (!body.empty()) span.end = body.back()->span().end;
  return Sequence(
      [&] {
        scope_.Push();
        if (before) before();
        for (const ast::StmtRef stmt : body) ElaborateStmt(*this, *stmt);
        scope_.Pop();
      },
      span);
}

void StmtElaborator::BindFailed(const ast::Expr& target) {
  if (const auto* name = target.As<ast::Name>()) scope_.BindFailed(name->id, target.span());
  if (const auto elements = TargetElements(target)) {
    for (const ast::ExprRef element : *elements) BindFailed(*element);
  }
  if (const auto* starred = target.As<ast::Starred>()) BindFailed(*starred->value);
}

absl::Status StmtElaborator::BindTarget(const ast::Expr& target, const ScalarValue& value) {
  if (const auto* name = target.As<ast::Name>()) {
    if (const TirScope::Entry* before = scope_.FindInnermost(name->id);
        before != nullptr && !before->failed && name->id != "_") {
      scope_.BindFailed(name->id, before->span);
      return el_.Error(target, "name-redefined").Note(before->span, "defined here")
             << "redefinition of '" << name->id << "' in the same scope";
    }
    scope_.Bind(name->id, value, target.span());
    return absl::OkStatus();
  }
  const auto elements = TargetElements(target);
  const ScalarList* values = value.list();
  if (!elements) {
    BindFailed(target);
    return el_.Error(target, "wrong-kind-of-value")
           << ast::Describe(target) << " cannot be assigned here";
  }
  if (values == nullptr || values->size() != elements->size()) {
    BindFailed(target);
    return el_.Error(target, "wrong-number-of-names")
               .Help("write one name for each value; T.grid(4, 8) yields two values")
           << CountOf(elements->size(), "name") << " cannot be bound to "
           << (values == nullptr ? absl::StrCat("one value, ", Describe(value))
                                 : CountOf(values->size(), "value"));
  }
  absl::Status status;
  for (size_t i = 0; i < elements->size(); ++i) {
    status.Update(BindTarget(*(*elements)[i], (*values)[i]));
  }
  return status;
}

}  // namespace lathe::relax_text
