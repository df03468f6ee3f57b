#include "generator/analysis/well_formed/well_formed_functions.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

// Longer cycles are not listed: each function in the cycle has its own error.
constexpr int kMaxNamed = 16;

constexpr absl::string_view kSayResult = "say what it returns: def f(...) -> R.Tensor(...):";

bool Mentions(const ir::Body& body, ir::ValueId wanted);

bool Mentions(const ir::Operand& operand, ir::ValueId wanted) {
  bool found = false;
  ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
    const auto* id = leaf.As<ir::ValueId>();
    found |= id != nullptr && *id == wanted;
  });
  return found;
}

bool Mentions(const ir::Rhs& rhs, ir::ValueId wanted) {
  bool found = false;
  ir::ForEachOperand(rhs, [&](const ir::Operand& o) { found = found || Mentions(o, wanted); });
  if (found) return true;
  if (const auto* call = std::get_if<ir::Call>(&rhs)) {
    const auto* id = std::get_if<ir::ValueId>(&call->callee);
    return id != nullptr && *id == wanted;
  }
  if (const auto* branch = std::get_if<ir::If>(&rhs)) {
    return Mentions(branch->then_body, wanted) || Mentions(branch->else_body, wanted);
  }
  const auto* function = std::get_if<ir::Function>(&rhs);
  return function != nullptr && Mentions(function->body, wanted);
}

bool Mentions(const ir::Body& body, ir::ValueId wanted) {
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      if (Mentions(binding.rhs, wanted)) return true;
    }
  }
  return Mentions(body.result, wanted);
}

class FunctionCheck {
 public:
  FunctionCheck(const ir::Module& module, const CallGraph& graph, Diagnostics& diags)
      : module_(module), graph_(graph), diags_(diags) {}

  void Global(ir::GlobalId id) {
    const ir::Global& global = module_.globals[id];
    Symbol(global);
    const ir::Function* f = global.function();
    if (f == nullptr) return;
    Recursion(id, *f);
    In(*f, global.name, global.loc);
  }

  // Rule 12.
  void EntryPoint() {
    if (module_.loose) return;
    for (int32_t i = 0; i < std::ssize(module_.globals); ++i) {
      if (IsExported(module_.globals[ir::GlobalId{i}])) return;
    }
    const bool empty = module_.globals.size() == 0;
    const Location loc = empty ? Location() : module_.globals[ir::GlobalId{0}].loc;
    (diags_.Error(loc, "no-entry-point")
     << "no function of the module is exported, so nothing can be run")
        .Help("remove private=True, or give a function the attribute \"global_symbol\"");
  }

 private:
  // Rule 13.
  void Symbol(const ir::Global& global) {
    const ir::AttrMap* attrs = global.attrs();
    const auto* symbol =
        attrs == nullptr ? nullptr : ir::FindAttr<std::string>(*attrs, ir::kGlobalSymbol);
    if (symbol == nullptr || *symbol == global.name) return;
    diags_.Error(global.loc, "global-symbol-mismatch")
        << "the global_symbol of '" << global.name << "' must be its name, got \"" << *symbol
        << "\"";
  }

  // Rule 8 for global functions.
  void Recursion(ir::GlobalId id, const ir::Function& f) {
    if (f.ret != nullptr || !graph_.Recursive(id, id)) return;
    const ir::Global& global = module_.globals[id];
    DiagnosticBuilder error = diags_.Error(global.loc, "recursion-needs-return-annotation");
    error << "'" << global.name << "' is recursive and has no return annotation";
    const int together = graph_.ComponentSize(id);
    if (together > kMaxNamed) {
      std::move(error)
          .Note(global.loc,
                absl::StrCat("it is one of ", together, " mutually recursive functions"))
          .Help(kSayResult);
      return;
    }
    const std::vector<ir::GlobalId> cycle = graph_.Cycle(id);
    if (cycle.size() < 2) {
      std::move(error).Help(kSayResult);
      return;
    }
    const std::string names = absl::StrJoin(
        cycle.begin() + 1, cycle.end(), ", ", [&](std::string* out, ir::GlobalId other) {
          absl::StrAppend(out, "'", module_.globals[other].name, "'");
        });
    std::move(error)
        .Note(module_.globals[cycle[1]].loc, absl::StrCat("the recursion goes through ", names))
        .Help(kSayResult);
  }

  void In(const ir::Function& f, const std::string& name, const Location& loc) {
    if (IsForcePure(f) && !f.pure) {
      diags_.Error(loc, "force-pure-on-impure")
          << "'" << name << "' has relax.force_pure, but is marked impure";
    }
    In(f.body);
  }

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
    Literals(body.result, body.result_loc);
  }

  void In(const ir::Binding& binding) {
    ir::ForEachOperand(binding.rhs, [&](const ir::Operand& o) { Literals(o, binding.loc); });
    if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
      In(branch->then_body);
      In(branch->else_body);
    }
    const auto* f = std::get_if<ir::Function>(&binding.rhs);
    if (f == nullptr) return;
    const ir::Value& value = module_.values[binding.var];
    // Rule 8 for local functions, and derivation rule 11.2.1.
    if (f->ret == nullptr && value.annotation == nullptr && Mentions(f->body, binding.var)) {
      (diags_.Error(value.loc, "recursion-needs-return-annotation")
       << "'" << value.name << "' is recursive and has no return annotation")
          .Help(kSayResult);
    }
    In(*f, value.name, value.loc);
  }

  // Rule 18: one lane, and "intended only" for literals. The semantics evaluate any expression, so
  // other expressions only cause a warning.
  void Literals(const ir::Operand& operand, const Location& loc) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      const auto* prim = leaf.As<ir::PrimValue>();
      if (prim == nullptr) return;
      const ir::PrimRef value = prim->value;
      const bool literal =
          value->As<ir::IntImm>() != nullptr || value->As<ir::FloatImm>() != nullptr;
      if (!value->dtype().is_scalar()) {
        diags_.Error(loc, "prim-value-lanes")
            << "the scalar value " << ToString(value) << " is " << ToString(value->dtype())
            << ", a vector dtype; a scalar has one lane";
        return;
      }
      if (literal) return;
      DiagnosticBuilder warning = diags_.Warning(loc, "prim-value-literal");
      warning << "the scalar value " << ToString(value)
              << " is an expression; the Relax specification intends a literal here";
      if (value->dtype() == ir::DType::Int(64)) {
        std::move(warning).Help(
            absl::StrCat("pass a dimension as R.shape([", ToString(value), "])"));
      }
    });
  }

  const ir::Module& module_;
  const CallGraph& graph_;
  Diagnostics& diags_;
};

}  // namespace

void CheckFunctions(const ir::Module& module, const CallGraph& graph, Diagnostics& diags) {
  FunctionCheck check(module, graph, diags);
  check.EntryPoint();
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) check.Global(ir::GlobalId{i});
}

}  // namespace lathe::analysis
