#include "generator/analysis/well_formed/well_formed_dataflow.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lathe::analysis {
namespace {

class DataflowCheck {
 public:
  DataflowCheck(const ir::Module& module, const CallGraph& graph, Diagnostics& diags)
      : module_(module), graph_(graph), diags_(diags) {}

  void In(ir::GlobalId id, const ir::Function& f) {
    current_ = id;
    In(f.body, false);
  }

 private:
  void In(const ir::Body& body, bool dataflow) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding, dataflow || block.dataflow);
    }
  }

  void In(const ir::Binding& binding, bool dataflow) {
    if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
      if (dataflow) {
        (Error(binding) << "'if' inside a dataflow block").Help("move it out of the block");
      }
      In(branch->then_body, dataflow);
      In(branch->else_body, dataflow);
    } else if (const auto* f = std::get_if<ir::Function>(&binding.rhs)) {
      local_functions_.push_back(binding.var);
      In(f->body, false);
      local_functions_.pop_back();
    } else if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) {
      if (dataflow) Calls(binding, *call);
    } else if (const auto* operand = std::get_if<ir::Operand>(&binding.rhs)) {
      // h = Module.main; h(x) is a call of main.
      if (const auto* id = operand->As<ir::ValueId>()) {
        aliases_[binding.var.index] = Meant(*id);
      } else if (const auto* id = operand->As<ir::GlobalId>()) {
        aliases_[binding.var.index] = *id;
      }
    }
  }

  // Resolves a name to itself or to the function it was bound to.
  ir::Call::Callee Meant(ir::ValueId id) const {
    const auto alias = aliases_.find(id.index);
    return alias == aliases_.end() ? ir::Call::Callee(id) : alias->second;
  }

  void Calls(const ir::Binding& binding, const ir::Call& call) {
    const auto* name = std::get_if<ir::ValueId>(&call.callee);
    const ir::Call::Callee callee = name == nullptr ? call.callee : Meant(*name);
    if (const auto* id = std::get_if<ir::ValueId>(&callee)) {
      const bool inside = std::find(local_functions_.begin(), local_functions_.end(), *id) !=
                          local_functions_.end();
      if (inside) {
        (Error(binding) << "recursive call of '" << module_.values[*id].name
                        << "' inside a dataflow block")
            .Help("move it out of the block");
      }
    } else if (const auto* id = std::get_if<ir::GlobalId>(&callee)) {
      if (!graph_.Recursive(current_, *id)) return;
      const ir::Global& called = module_.globals[*id];
      DiagnosticBuilder error = Error(binding);
      error << (*id == current_ ? "" : "mutually ") << "recursive call of '" << called.name
            << "' inside a dataflow block";
      DiagnosticBuilder helped = std::move(error).Help("move it out of the block");
      if (*id == current_) return;
      std::move(helped).Note(called.loc,
                             absl::StrCat("the recursion goes through '", called.name, "'"));
    }
  }

  DiagnosticBuilder Error(const ir::Binding& binding) {
    return diags_.Error(binding.loc, "control-flow-in-dataflow");
  }

  const ir::Module& module_;
  const CallGraph& graph_;
  Diagnostics& diags_;
  ir::GlobalId current_;
  std::vector<ir::ValueId> local_functions_;
  std::map<int32_t, ir::Call::Callee> aliases_;  // by the variable
};

}  // namespace

void CheckDataflow(const ir::Module& module, const CallGraph& graph, Diagnostics& diags) {
  DataflowCheck check(module, graph, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::GlobalId id{i};
    if (const ir::Function* f = module.globals[id].function()) check.In(id, *f);
  }
}

}  // namespace lathe::analysis
