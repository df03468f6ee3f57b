#include "generator/reader/relax_text/relax/elaborate_module.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/decorators.h"
#include "generator/reader/relax_text/relax/elaborate_call.h"
#include "generator/reader/relax_text/relax/elaborate_file.h"
#include "generator/reader/relax_text/relax/elaborate_function.h"
#include "generator/reader/relax_text/relax/elaborate_literal_call.h"
#include "generator/reader/relax_text/relax/elaborate_module_info.h"
#include "generator/reader/relax_text/tir/elaborate_prim_func.h"
#include "generator/support/check.h"

namespace lathe::relax_text {
namespace {

// A member of the module whose definition has not been elaborated yet.
struct Member {
  ir::GlobalId id;
  Decoration decoration;
  const ast::FunctionDef* function = nullptr;
  const ast::Expr* external = nullptr;  // the call of R.ExternFunc
  TextSpan span;
};

class ModuleReader {
 public:
  explicit ModuleReader(Elaboration& el) : el_(el) {}

  void Class(const ast::ClassDef& module) {
    el_.module().name = std::string(module.name);
    el_.AddModuleAlias(module.name);
    const int errors_before = el_.diags().error_count();
    const Decoration decoration = FindDecoration(el_, module.decorators);
    CheckDecoratorOptions(el_, decoration);
    scheduled_prim_funcs_ = DecoratorFlag(el_, decoration, "s_tir", false);
    whole_ = el_.diags().error_count() == errors_before;
    for (ast::StmtRef s : module.body) Declare(*s);
    Define();
  }

  void Functions(const std::vector<ast::StmtRef>& functions) {
    el_.module().name = "Module";
    el_.module().loose = true;
    for (ast::StmtRef s : functions) Declare(*s);
    Define();
  }

  std::optional<std::vector<DamagedFunction>> Damaged() {
    if (!whole_) return std::nullopt;
    return std::move(damaged_);
  }

 private:
  // Names first, so that functions can call those after them.
  void Declare(const ast::Stmt& s) {
    if (s.As<ast::Pass>() != nullptr) return;
    if (const auto* function = s.As<ast::FunctionDef>()) return DeclareFunction(s, *function);
    const int errors_before = el_.diags().error_count();
    DeclareOther(s);
    whole_ = whole_ && el_.diags().error_count() == errors_before;
  }

  void DeclareOther(const ast::Stmt& s) {
    if (const auto* assign = s.As<ast::Assign>()) {
      if (DeclareExtern(*assign)) return;
    }
    if (const auto* statement = s.As<ast::ExprStmt>()) {
      if (statement->value->As<ast::Str>() != nullptr) return;
      if (ReadModuleInfo(el_, *statement->value)) return;
    }
    el_.diags().Unsupported(s.span(), "host-python")
        << ast::Describe(s)
        << " is not allowed in a module; supported: functions, R.ExternFunc, I.module_attrs and "
           "I.module_global_infos";
  }

  void DeclareFunction(const ast::Stmt& s, const ast::FunctionDef& function) {
    const Decoration decoration = FindDecoration(el_, function.decorators);
    if (decoration.definition == Definition::kRelax ||
        decoration.definition == Definition::kPrimFunc) {
      const int errors_before = el_.diags().error_count();
      const ir::GlobalId id = el_.DeclareGlobal(function.name, function.name_span);
      // Which of two functions of a name is meant by a call is not known.
      whole_ = whole_ && el_.diags().error_count() == errors_before;
      members_.push_back({id, decoration, &function, nullptr, s.span()});
      if (decoration.definition == Definition::kPrimFunc) DeclarePrimResult(el_, id, function);
      return;
    }
    if (decoration.definition == Definition::kNone) {
      el_.diags()
              .Error(function.name_span, "missing-decorator")
              .Help("write @R.function above it, or @T.prim_func if its body is loops over buffers")
          << "'" << function.name << "' needs the decorator @R.function or @T.prim_func";
      return;
    }
    el_.Unsupported(*decoration.decorator, "host-python")
        << "'" << function.name
        << "' is a Python function; supported: @R.function and @T.prim_func";
  }

  bool DeclareExtern(const ast::Assign& assign) {
    const Frame frame(el_, nullptr);
    const std::optional<std::string> name = SurfaceName(frame, *assign.value);
    if (!name || *name != "ExternFunc" || assign.targets.size() != 1) return false;
    const auto* target = assign.targets[0]->As<ast::Name>();
    if (target == nullptr) return false;
    const ir::GlobalId id = el_.DeclareGlobal(target->id, assign.targets[0]->span());
    members_.push_back({id, {}, nullptr, assign.value, assign.targets[0]->span()});
    return true;
  }

  void Define() {
    for (const Member& member : members_) {
      const int errors_before = el_.diags().error_count();
      DefineOne(member);
      if (el_.diags().error_count() == errors_before) continue;
      const ir::Global& global = el_.module().globals[member.id];
      damaged_.push_back({global.name, member.span});
    }
  }

  void DefineOne(const Member& member) {
    if (member.external != nullptr) {
      DefineExtern(member);
    } else if (member.decoration.definition == Definition::kRelax) {
      DefineFunction(member);
    } else {
      DefinePrimFunc(member);
    }
  }

  void DefineExtern(const Member& member) {
    Frame frame(el_, nullptr);
    frame.scopes.Push(ScopeKind::kFunction);
    absl::StatusOr<ir::ExternFunc> external = ElaborateExternFunc(frame, *member.external);
    ir::Global& global = el_.module().globals[member.id];
    if (external.ok()) {
      global.def = *std::move(external);
    } else {
      global.def = ir::ExternFunc{global.name};
    }
  }

  // A function that is not private is known to the outside by its name.
  void Export(const Member& member, ir::AttrMap& attrs) {
    if (DecoratorFlag(el_, member.decoration, "private", false)) {
      if (!attrs.contains(ir::kGlobalSymbol)) return;
      el_.Error(*member.decoration.decorator, "private-global-symbol")
          << "'" << member.function->name
          << "' is private and must not have the attribute global_symbol";
      return;
    }
    attrs.try_emplace(ir::kGlobalSymbol, std::string(member.function->name));
  }

  void DefineFunction(const Member& member) {
    Frame frame(el_, member.function);
    ir::Function remains;
    absl::StatusOr<ir::Function> function = ElaborateFunction(frame, *member.function, &remains);
    frame.CheckCaptures();
    LATHE_CHECK(function.ok() || el_.diags().has_errors(), "a function that fails says why");
    if (!function.ok()) function = std::move(remains);
    Export(member, function->attrs);
    el_.module().globals[member.id].def = *std::move(function);
  }

  void DefinePrimFunc(const Member& member) {
    const int errors_before = el_.diags().error_count();
    ir::PrimFunc func = ElaboratePrimFunc(el_, *member.function, scheduled_prim_funcs_);
    ir::Global& global = el_.module().globals[member.id];
    if (el_.diags().error_count() == errors_before) {
      global.def = std::move(func);
    } else {
      global.def = UnknownFunction(el_.module(), member.function->params.size());
    }
  }

  Elaboration& el_;
  std::vector<Member> members_;
  std::vector<DamagedFunction> damaged_;
  bool whole_ = true;                  // what is not in a function has no error
  bool scheduled_prim_funcs_ = false;  // the s_tir= of the module
};

}  // namespace

std::optional<std::vector<DamagedFunction>> ElaborateModule(Elaboration& el,
                                                            const ast::Module& file) {
  const int errors_before = el.diags().error_count();
  const std::optional<FileContent> content = ReadFileContent(el, file);
  if (!content) return std::nullopt;
  const bool whole = el.diags().error_count() == errors_before;
  ModuleReader reader(el);
  if (content->module != nullptr) {
    reader.Class(*content->module);
  } else {
    reader.Functions(content->functions);
  }
  if (!whole) return std::nullopt;
  return reader.Damaged();
}

}  // namespace lathe::relax_text
