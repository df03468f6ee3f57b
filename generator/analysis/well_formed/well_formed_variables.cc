#include "generator/analysis/well_formed/well_formed_variables.h"

#include <vector>

#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::ValueId;

class VariableCheck {
 public:
  VariableCheck(const ir::Module& module, Diagnostics& diags)
      : module_(module), diags_(diags), state_(module.values.size()) {}

  void In(const ir::Function& f) {
    ++function_depth_;
    for (ValueId id : f.params) Bind(id, false);
    In(f.body);
    for (ValueId id : f.params) Leave(id);
    --function_depth_;
  }

 private:
  struct State {
    bool bound = false;     // ever
    bool in_scope = false;  // here
    int function_depth = 0;
  };

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding, block.dataflow);
      for (const ir::Binding& binding : block.bindings) {
        if (module_.values[binding.var].dataflow) Leave(binding.var);
      }
    }
    Use(body.result, body.result_loc);
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) Leave(binding.var);
    }
  }

  void In(const ir::Binding& binding, bool dataflow) {
    const Location& loc = binding.loc;
    ir::ForEachOperand(binding.rhs, [&](const ir::Operand& operand) { Use(operand, loc); });
    Match(
        binding.rhs, [](const ir::Operand&) {},
        [&](const ir::Call& call) {
          if (const auto* id = std::get_if<ValueId>(&call.callee)) Use(*id, loc);
        },
        [](const ir::GetField&) {}, [](const ir::MatchCast&) {},
        [&](const ir::If& branch) {
          In(branch.then_body);
          In(branch.else_body);
        },
        // Rule 2: a function may use the variable it is bound to.
        [&](const ir::Function& f) {
          Bind(binding.var, dataflow);
          In(f);
        });
    if (!std::holds_alternative<ir::Function>(binding.rhs)) Bind(binding.var, dataflow);
  }

  void Bind(ValueId id, bool dataflow) {
    const ir::Value& value = module_.values[id];
    State& state = state_[id];
    if (state.bound) {
      diags_.Error(value.loc, "var-not-bound-once")
          << "'" << value.name << "' is bound more than once";
    }
    if (value.dataflow && !dataflow) {
      diags_.Error(value.loc, "dataflow-var-scope")
          << "'" << value.name << "' is a dataflow variable, but bound outside dataflow blocks";
    }
    state = {true, true, function_depth_};
  }

  void Leave(ValueId id) { state_[id].in_scope = false; }

  void Use(const ir::Operand& operand, const Location& loc) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<ValueId>()) Use(*id, loc);
    });
  }

  void Use(ValueId id, const Location& loc) {
    const ir::Value& value = module_.values[id];
    const State& state = state_[id];
    if (!state.in_scope) {
      if (value.dataflow && state.bound) {
        (diags_.Error(loc, "dataflow-var-scope")
         << "'" << value.name << "' is used outside the dataflow block that binds it")
            .Note(value.loc, "bound here");
      } else {
        (diags_.Error(loc, "var-before-binding")
         << "use of unbound variable '" << value.name << "'")
            .Note(value.loc, "bound here");
      }
    } else if (value.dataflow && state.function_depth != function_depth_) {
      (diags_.Error(loc, "dataflow-var-captured")
       << "an inner function captures the dataflow variable '" << value.name
       << "' of the enclosing block")
          .Note(value.loc, "bound here")
          .Help("pass it as an argument, or list it in R.output");
    }
  }

  const ir::Module& module_;
  Diagnostics& diags_;
  IdVector<ValueId, State> state_;
  int function_depth_ = 0;
};

}  // namespace

void CheckVariables(const ir::Module& module, Diagnostics& diags) {
  VariableCheck check(module, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    if (const ir::Function* f = module.globals[ir::GlobalId{i}].function()) check.In(*f);
  }
}

}  // namespace lathe::analysis
