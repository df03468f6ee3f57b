#include "generator/analysis/well_formed/well_formed_shape_vars.h"

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/shape_scope.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

// The use of an info: a match_cast binds variables from left to right.
enum class Role { kAnnotation, kCast, kParam, kResult };

// The context of a variable, each with its own rule.
enum class Use { kExpr, kTensor, kShape, kPrim, kParam, kResult };

// Returns where a match_cast of `body` binds `var`, for a note; null if none does.
const Location* FindBinding(const ir::Body& body, PrimRef var) {
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      const Location* found = nullptr;
      if (const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) {
        for (PrimRef bound : BindingVars(cast->info)) {
          if (bound == var) return &cast->info_loc;
        }
      } else if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
        found = FindBinding(branch->then_body, var);
        if (found == nullptr) found = FindBinding(branch->else_body, var);
      }
      if (found != nullptr) return found;
    }
  }
  return nullptr;
}

class ShapeVarCheck {
 public:
  ShapeVarCheck(const ir::Module& module, Diagnostics& diags) : module_(module), diags_(diags) {}

  void In(const ir::Function& f) {
    const ir::Function* outer = std::exchange(function_, &f);
    const ShapeScope::Mark mark = scope_.Enter();
    for (ir::ValueId id : f.params) {
      StructInfoRef info = module_.values[id].annotation;
      if (info == nullptr) continue;
      for (PrimRef var : BindingVars(info)) scope_.Add(var);
    }
    for (ir::ValueId id : f.params) {
      const ir::Value& param = module_.values[id];
      InInfo(param.annotation, param.annotation_loc, Role::kParam);
    }
    InInfo(f.ret, f.ret_loc, Role::kResult);
    In(f.body);
    scope_.Leave(mark);
    function_ = outer;
  }

 private:
  void In(const ir::Body& body) {
    const ShapeScope::Mark mark = scope_.Enter();
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
    InOperand(body.result, body.result_loc);
    scope_.Leave(mark);
  }

  void In(const ir::Binding& binding) {
    const Location& loc = binding.loc;
    ir::ForEachOperand(binding.rhs, [&](const ir::Operand& o) { InOperand(o, loc); });
    Match(
        binding.rhs, [](const ir::Operand&) {},
        [&](const ir::Call& call) {
          for (const auto& [key, value] : call.attrs) InAttr(value, loc);
          for (StructInfoRef info : call.sinfo_args) {
            InInfo(info, call.sinfo_loc, Role::kAnnotation);
          }
        },
        [](const ir::GetField&) {},
        [&](const ir::MatchCast& cast) { InInfo(cast.info, cast.info_loc, Role::kCast); },
        [&](const ir::If& branch) {
          In(branch.then_body);
          In(branch.else_body);
        },
        [&](const ir::Function& f) { In(f); });
    const ir::Value& value = module_.values[binding.var];
    InInfo(value.annotation, value.annotation_loc, Role::kAnnotation);
  }

  void InOperand(const ir::Operand& operand, const Location& loc) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      if (const auto* shape = leaf.As<ir::ShapeExpr>()) {
        for (PrimRef dim : shape->values) InExpr(dim, loc);
      } else if (const auto* prim = leaf.As<ir::PrimValue>()) {
        InExpr(prim->value, loc);
      }
    });
  }

  // Index maps have their own variables and are skipped.
  void InAttr(const ir::AttrValue& attr, const Location& loc) {
    if (const auto* e = attr.As<PrimRef>()) InExpr(*e, loc);
    if (const auto* list = attr.As<ir::AttrList>()) {
      for (const ir::AttrValue& item : *list) InAttr(item, loc);
    }
  }

  void InExpr(PrimRef e, const Location& loc) {
    for (PrimRef var : VarsIn(e)) {
      if (!scope_.Has(var)) Unbound(var, loc, Use::kExpr);
    }
  }

  void InInfo(StructInfoRef info, const Location& loc, Role role) {
    if (info == nullptr) return;
    reported_.clear();
    InPart(info, loc, role);
  }

  void InPart(StructInfoRef info, const Location& loc, Role role) {
    Match(
        info->node(), [](const ir::ObjectInfo&) {},
        [&](const ir::PrimInfo& p) {
          if (p.value != nullptr) InDim(p.value, loc, role, Use::kPrim);
        },
        [&](const ir::ShapeInfo& s) {
          if (!s.values) return;
          for (PrimRef dim : *s.values) InDim(dim, loc, role, Use::kShape);
        },
        [&](const ir::TensorInfo& t) {
          if (t.dims() == nullptr) return;
          for (PrimRef dim : *t.dims()) InDim(dim, loc, role, Use::kTensor);
        },
        [&](const ir::TupleInfo& t) {
          for (StructInfoRef field : t.fields) InPart(field, loc, role);
        },
        [&](const ir::FuncInfo& f) {
          const ShapeScope::Mark mark = scope_.Enter();
          for (PrimRef var : OwnVars(f)) scope_.Add(var);
          if (f.params) {
            for (StructInfoRef param : *f.params) InPart(param, loc, Role::kParam);
          }
          if (f.ret != nullptr) InPart(f.ret, loc, Role::kResult);
          scope_.Leave(mark);
        });
  }

  void InDim(PrimRef dim, const Location& loc, Role role, Use use) {
    if (role == Role::kCast && dim->As<ir::SymVar>() != nullptr) return scope_.Add(dim);
    if (role == Role::kCast) use = Use::kExpr;
    if (role == Role::kParam) use = Use::kParam;
    if (role == Role::kResult) use = Use::kResult;
    for (PrimRef var : VarsIn(dim)) {
      if (!scope_.Has(var) && reported_.insert(var).second) Unbound(var, loc, use);
    }
  }

  DiagnosticBuilder Error(const Location& loc, Use use) {
    switch (use) {
      case Use::kTensor:
        return diags_.Error(loc, "tensor-shape-annotation");
      case Use::kShape:
        return diags_.Error(loc, "shape-values-scope");
      case Use::kPrim:
        return diags_.Error(loc, "prim-value-scope");
      case Use::kParam:
        return diags_.Error(loc, "shape-var-not-bound-in-signature");
      case Use::kResult:
        return diags_.Error(loc, "return-shape-var-scope");
      case Use::kExpr:
        break;
    }
    return diags_.Error(loc, "shape-var-before-binding");
  }

  void Unbound(PrimRef var, const Location& loc, Use use) {
    const auto* symbol = var->As<ir::SymVar>();
    DiagnosticBuilder error = Error(loc, use);
    error << "the shape variable '" << symbol->name << "' is not bound here";
    const Location* bound = FindBinding(function_->body, var);
    if (bound == &loc) {
      std::move(error).Help(
          "R.match_cast binds dimensions from left to right; a dimension that is a single variable "
          "binds it");
      return;
    }
    if (bound != nullptr) std::move(error).Note(*bound, "bound here");
    if (use == Use::kParam || use == Use::kResult) {
      std::move(error).Help(absl::StrCat(
          "bind it by a dimension that is this variable alone, in a parameter",
          use == Use::kResult ? ", or omit the dimensions of the result: R.Tensor(ndim=1)" : ""));
    } else if (bound == nullptr && use == Use::kPrim) {
      std::move(error).Help(absl::StrCat("bind it first: R.match_cast(x, R.Prim(value=",
                                         symbol->name, ")) binds it to the value of x"));
    } else if (bound == nullptr) {
      std::move(error).Help(
          "bind it by a dimension that is this variable alone, in a parameter or in R.match_cast");
    }
  }

  const ir::Module& module_;
  Diagnostics& diags_;
  const ir::Function* function_ = nullptr;
  ShapeScope scope_;
  absl::flat_hash_set<PrimRef> reported_;  // in the current info
};

}  // namespace

void CheckShapeVars(const ir::Module& module, Diagnostics& diags) {
  ShapeVarCheck check(module, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    if (const ir::Function* f = module.globals[ir::GlobalId{i}].function()) check.In(*f);
  }
}

}  // namespace lathe::analysis
