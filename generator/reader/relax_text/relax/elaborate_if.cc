#include "generator/reader/relax_text/relax/elaborate_if.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_statements.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

// Describes the last statement of a branch.
struct End {
  absl::string_view name;  // the name that the statement binds; empty: none
  bool call = false;       // the statement is a call whose result is unused
};

End EndOf(ast::Block block);

End EndOf(const ast::Stmt& s) {
  End end;
  const auto target = [&](const ast::Expr& e) {
    if (const auto* name = e.As<ast::Name>()) end.name = name->id;
  };
  if (const auto* assign = s.As<ast::Assign>()) target(*assign->targets.back());
  if (const auto* assign = s.As<ast::AnnAssign>()) target(*assign->target);
  if (const auto* assign = s.As<ast::AugAssign>()) target(*assign->target);
  if (const auto* function = s.As<ast::FunctionDef>()) end.name = function->name;
  if (const auto* statement = s.As<ast::ExprStmt>()) {
    end.call = statement->value->As<ast::Call>() != nullptr;
  }
  if (const auto* branch = s.As<ast::If>()) {
    const End inner = EndOf(branch->then_body);
    end.name = inner.name;
    end.call = inner.call;
  }
  if (const auto* with = s.As<ast::With>(); with != nullptr && !with->body.empty()) {
    // The only output of the dataflow block, or else the last variable that it binds.
    const auto* output = with->body.back()->As<ast::ExprStmt>();
    const auto* call = output == nullptr ? nullptr : output->value->As<ast::Call>();
    if (call != nullptr && call->args.size() == 1) {
      target(*call->args[0]);
    } else if (call != nullptr && with->body.size() > 1) {
      end.name = EndOf(*with->body[with->body.size() - 2]).name;
    }
  }
  return end;
}

End EndOf(ast::Block block) {
  for (size_t i = block.size(); i-- > 0;) {
    if (block[i]->As<ast::Pass>() == nullptr) return EndOf(*block[i]);
  }
  return {};
}

// Removes a trailing binding of the result to a leaf without an annotation, and makes the leaf the
// result.
void DropTrailingAlias(const ir::Module& module, ir::Body& body) {
  const auto* result = body.result.As<ir::ValueId>();
  if (result == nullptr || body.blocks.empty() || body.blocks.back().dataflow) return;
  std::vector<ir::Binding>& bindings = body.blocks.back().bindings;
  const auto* leaf = std::get_if<ir::Operand>(&bindings.back().rhs);
  if (leaf == nullptr || bindings.back().var != *result) return;
  if (module.values[*result].annotation != nullptr) return;
  body.result = ir::Operand(*leaf);
  bindings.pop_back();
  if (bindings.empty()) body.blocks.pop_back();
}

// Returns the branch as a body whose result is the variable `name`, or the empty tuple if `name` is
// empty. Returns nullopt after an error.
std::optional<ir::Body> ReadBranch(Frame& frame, ast::Block block, absl::string_view name,
                                   Location loc) {
  const int errors_before = frame.el.diags().error_count();
  BodyBuilder builder(frame.el.module());
  BodyBuilder* const outer = std::exchange(frame.body, &builder);
  frame.scopes.Push(ScopeKind::kBranch);
  ElaborateBranch(frame, block);
  const NameEntry* entry = name.empty() ? nullptr : frame.scopes.Find(name);
  ir::Operand result{ir::TupleExpr{}};
  bool ok = frame.el.diags().error_count() == errors_before;
  if (!name.empty()) {
    const bool bound = entry != nullptr && !entry->failed && entry->value.valid();
    if (ok && !bound && !(entry != nullptr && entry->failed)) {
      frame.el.diags().Error(loc, "if-branches")
          << "this branch ends with '" << name << "', which is not a variable";
    }
    ok = ok && bound;
    if (ok) result = ir::Operand{entry->value};
  }
  frame.scopes.Pop();
  frame.body = outer;
  if (!ok) return std::nullopt;
  ir::Body body = builder.Finish(std::move(result), std::move(loc));
  DropTrailingAlias(frame.el.module(), body);
  return body;
}

std::string EndText(const End& end) {
  if (!end.name.empty()) return absl::StrCat("'", end.name, "'");
  return end.call ? "nothing, but ends with a call" : "nothing";
}

// Returns the annotation of the result if both branches have the same one; otherwise null.
ir::StructInfoRef CommonAnnotation(const Frame& frame, const ir::If& branch) {
  const auto* a = branch.then_body.result.As<ir::ValueId>();
  const auto* b = branch.else_body.result.As<ir::ValueId>();
  if (a == nullptr || b == nullptr) return nullptr;
  const ir::Module& module = frame.el.module();
  const ir::StructInfoRef annotation = module.values[*a].annotation;
  return annotation == module.values[*b].annotation ? annotation : nullptr;
}

}  // namespace

void ElaborateIf(Frame& frame, const ast::Stmt& s, const ast::If& branch) {
  Elaboration& el = frame.el;
  absl::StatusOr<ir::Operand> cond = ElaborateOperand(frame, *branch.condition);
  const End then_end = EndOf(branch.then_body);
  if (branch.else_body.empty()) {
    el.Error(*branch.condition, "if-branches").Help("add an 'else' that binds the same name")
        << "an 'if' needs an 'else', so that both branches have a result";
    if (!then_end.name.empty()) frame.DefineFailed(then_end.name, s.span());
    return;
  }
  const End else_end = EndOf(branch.else_body);
  const bool agree = then_end.name == else_end.name &&
                     (!then_end.name.empty() || (then_end.call && else_end.call));
  if (!agree) {
    el.Error(*branch.condition, "if-branches")
        << "the branches of an 'if' must end by binding the same name, but the first binds "
        << EndText(then_end) << ", the second " << EndText(else_end);
  }
  std::optional<ir::Body> then_body =
      ReadBranch(frame, branch.then_body, agree ? then_end.name : "", s.span());
  std::optional<ir::Body> else_body =
      ReadBranch(frame, branch.else_body, agree ? else_end.name : "", s.span());
  const absl::string_view name = then_end.name;
  if (!agree || !cond.ok() || !then_body || !else_body) {
    for (absl::string_view failed : {then_end.name, else_end.name}) {
      if (!failed.empty()) frame.DefineFailed(failed, s.span());
    }
    return;
  }
  ir::If node{*std::move(cond), *std::move(then_body), *std::move(else_body)};
  ir::Value value;
  value.name = name.empty() ? "_" : std::string(name);
  value.loc = s.span();
  value.annotation = CommonAnnotation(frame, node);
  if (value.annotation != nullptr) {
    const auto* last = node.then_body.result.As<ir::ValueId>();
    value.annotation_loc = el.module().values[*last].annotation_loc;
  }
  const ir::StructInfoRef annotation = value.annotation;
  const ir::ValueId var = frame.body->Bind(std::move(value), std::move(node), s.span());
  if (annotation != nullptr) frame.SetShape(var, ShapeOfInfo(annotation));
  if (name.empty()) return;
  NameEntry entry;
  entry.value = var;
  entry.span = s.span();
  frame.scopes.Bind(name, entry);
}

}  // namespace lathe::relax_text
