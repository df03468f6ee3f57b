#include "generator/reader/relax_text/tir/elaborate_with.h"

#include "generator/reader/relax_text/tir/elaborate_sblock.h"
#include "generator/reader/relax_text/tir/elaborate_stmt.h"
#include "generator/reader/relax_text/tir/elaborate_tir_frame.h"

namespace lathe::relax_text {
namespace {

absl::string_view NameOf(const ast::Expr* target) {
  const auto* name = target == nullptr ? nullptr : target->As<ast::Name>();
  return name == nullptr ? absl::string_view("v") : name->id;
}

// The items from the i-th on, then the body.
void ElaborateItems(StmtElaborator& s, const ast::Stmt& stmt, const ast::With& with, size_t i) {
  if (i == with.items.size()) {
    for (const ast::StmtRef inner : with.body) ElaborateStmt(s, *inner);
    return;
  }
  const ast::WithItem& item = with.items[i];
  const auto rest = [&] {
    s.scope().Push();
    ElaborateItems(s, stmt, with, i + 1);
    s.scope().Pop();
  };
  const auto* call = item.context->As<ast::Call>();
  const auto function = call == nullptr ? std::nullopt : s.scalars().TirName(*call->callee);
  const bool is_block = function == "block" || function == "sblock";
  if (is_block || function == "init") {
    if (item.target != nullptr) {
      DiagnosticBuilder error = s.el().Error(*item.target, "with-without-value");
      error << "T." << *function << " has no value to name";
      if (is_block) {
        std::move(error).Help("name the axes inside: i, j = T.axis.remap(\"SS\", [i0, j0])");
      }
    }
    (is_block ? ElaborateBlock : ElaborateInit)(s, *item.context, stmt.span(), rest);
    return;
  }
  absl::StatusOr<std::optional<TirFrame>> frame =
      ElaborateTirFrame(s, *item.context, NameOf(item.target));
  if (frame.ok() && !*frame) {
    s.el().Error(*item.context, "with-without-scope")
        << "'with' needs a block, an allocation, an attribute or another scope";
  }
  const bool usable = frame.ok() && frame->has_value();
  const ir::StmtRef body = s.Sequence(
      [&] {
        s.scope().Push();
        if (item.target != nullptr) {
          if (!usable) {
            s.BindFailed(*item.target);
          } else if ((*frame)->value.is_none()) {
            s.BindFailed(*item.target);
            s.el().Error(*item.target, "with-without-value")
                << "this 'with' item has no value to bind after 'as'";
          } else {
            s.BindTarget(*item.target, (*frame)->value).IgnoreError();
          }
        }
        ElaborateItems(s, stmt, with, i + 1);
        s.scope().Pop();
      },
      stmt.span());
  if (usable && (*frame)->make) {
    s.Emit((*frame)->make(body), stmt.span());
  } else {
    s.EmitMade(body);
  }
}

}  // namespace

void ElaborateWith(StmtElaborator& s, const ast::Stmt& stmt, const ast::With& with) {
  ElaborateItems(s, stmt, with, 0);
}

}  // namespace lathe::relax_text
