#include "generator/reader/relax_text/tir/elaborate_prim_func.h"

#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/decorators.h"
#include "generator/reader/relax_text/tir/elaborate_signature.h"
#include "generator/reader/relax_text/tir/elaborate_stmt.h"
#include "generator/reader/relax_text/tir/elaborate_tir_assign.h"
#include "generator/reader/relax_text/tir/scalar_calls.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {
namespace {

// Returns the body of the function, inside a root block only if that block has allocations.
ir::StmtRef WithRoot(StmtElaborator& s, ir::StmtRef body, const TextSpan& span) {
  ir::BlockStmt root = std::move(s.block().block);
  s.blocks().pop_back();
  if (root.allocs.empty()) return body;
  // Allocations at the top level are merged into an explicit root block of the program.
  if (const auto* written = body->As<ir::BlockStmt>();
      written != nullptr && written->name == "root" && written->axes.empty()) {
    ir::BlockStmt merged = *written;
    merged.allocs.insert(merged.allocs.begin(), root.allocs.begin(), root.allocs.end());
    return s.context().Make(std::move(merged), span);
  }
  root.name = "root";
  root.body = body;
  return s.context().Make(std::move(root), span);
}

}  // namespace

void DeclarePrimResult(Elaboration& el, ir::GlobalId id, const ast::FunctionDef& def) {
  if (def.return_annotation == nullptr) return;
  const auto name = el.namespaces().Qualify(*def.return_annotation);
  if (!name || name->space != Space::kTir) return;
  if (const auto dtype = TypeNamed(name->name)) el.DeclarePrimResult(id, *dtype);
}

ir::PrimFunc ElaboratePrimFunc(Elaboration& el, const ast::FunctionDef& def,
                               bool module_scheduled) {
  const Decoration decoration = FindDecoration(el, def.decorators);
  CheckDecoratorOptions(el, decoration);
  const SourceFile* file = def.name_span.file;
  StmtElaborator s(el, el.tir_dialect(file == nullptr ? absl::string_view() : file->text()));
  s.func().persistent = DecoratorFlag(el, decoration, "persistent", false);
  // The older dialects have only scheduled functions and therefore no s_tir= option.
  const bool otherwise = module_scheduled || s.dialect() != TirDialect::kMutable;
  s.func().scheduled = DecoratorFlag(el, decoration, "s_tir", otherwise);
  s.reassigned() = ReassignedNames(def.body);
  OpenBlock root;
  root.is_root = true;
  s.blocks().push_back(std::move(root));
  ElaborateSignature(s, def);
  const ir::StmtRef body = s.Sequence(
      [&] {
        for (const ast::StmtRef stmt : def.body) ElaborateStmt(s, *stmt);
      },
      def.name_span);
  s.func().body = WithRoot(s, body, def.name_span);
  if (const auto* mark = ir::FindAttr<bool>(s.func().attrs, ir::kPersistentKernel)) {
    s.func().persistent = *mark;
    s.func().attrs.erase(ir::kPersistentKernel);
  }
  if (DecoratorFlag(el, decoration, "private", false)) {
    if (s.func().attrs.count(ir::kGlobalSymbol) > 0) {
      el.Error(*decoration.decorator, "private-global-symbol")
          << "'" << def.name << "' is private and must not have the attribute global_symbol";
    }
  } else {
    s.func().attrs.emplace(ir::kGlobalSymbol, ir::AttrValue(std::string(def.name)));
  }
  return std::move(s.func());
}

}  // namespace lathe::relax_text
