#include "generator/reader/relax_text/elaboration/binding_sites.h"

namespace lathe::relax_text {
namespace {

class Sites {
 public:
  void Block(ast::Block block) {
    for (ast::StmtRef s : block) Statement(*s);
  }

  absl::flat_hash_map<absl::string_view, TextSpan> found;

 private:
  void Target(const ast::Expr& e) {
    if (const auto* name = e.As<ast::Name>()) found.insert_or_assign(name->id, e.span());
    if (const auto* tuple = e.As<ast::Tuple>()) {
      for (ast::ExprRef element : tuple->elements) Target(*element);
    }
    if (const auto* list = e.As<ast::List>()) {
      for (ast::ExprRef element : list->elements) Target(*element);
    }
  }

  // Visits only the statements that bind names or contain other statements.
  void Statement(const ast::Stmt& s) {
    if (const auto* assign = s.As<ast::Assign>()) {
      for (ast::ExprRef target : assign->targets) Target(*target);
    } else if (const auto* annotated = s.As<ast::AnnAssign>()) {
      Target(*annotated->target);
    } else if (const auto* function = s.As<ast::FunctionDef>()) {
      found.insert_or_assign(function->name, function->name_span);
      Block(function->body);
    } else if (const auto* with = s.As<ast::With>()) {
      Block(with->body);
    } else if (const auto* branch = s.As<ast::If>()) {
      Block(branch->then_body);
      Block(branch->else_body);
    } else if (const auto* loop = s.As<ast::For>()) {
      Target(*loop->target);
      Block(loop->body);
    } else if (const auto* repeated = s.As<ast::While>()) {
      Block(repeated->body);
    } else if (const auto* changed = s.As<ast::AugAssign>()) {
      Target(*changed->target);
    }
  }
};

}  // namespace

absl::flat_hash_map<absl::string_view, TextSpan> BindingSites(ast::Block statements) {
  Sites sites;
  sites.Block(statements);
  return std::move(sites.found);
}

}  // namespace lathe::relax_text
