#include "generator/analysis/well_formed_dataflow.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lathe::analysis {
namespace {

class Check {
 public:
  Check(const ir::Module& module, const CallGraph& graph, Diagnostics& diags)
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
      if (dataflow) Error(binding) << "an if inside a dataflow block";
      In(branch->then_body, dataflow);
      In(branch->else_body, dataflow);
    } else if (const auto* f = std::get_if<ir::Function>(&binding.rhs)) {
      local_functions_.push_back(binding.var);
      In(f->body, false);
      local_functions_.pop_back();
    } else if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) {
      if (dataflow) Calls(binding, *call);
    }
  }

  void Calls(const ir::Binding& binding, const ir::Call& call) {
    if (const auto* id = std::get_if<ir::ValueId>(&call.callee)) {
      const bool inside = std::find(local_functions_.begin(), local_functions_.end(), *id) !=
                          local_functions_.end();
      if (inside) {
        Error(binding) << "recursive call of '" << module_.values[*id].name
                       << "' inside a dataflow block";
      }
    } else if (const auto* id = std::get_if<ir::GlobalId>(&call.callee)) {
      if (!graph_.Recursive(current_, *id)) return;
      const ir::Global& callee = module_.globals[*id];
      DiagnosticBuilder error = Error(binding);
      error << (*id == current_ ? "" : "mutually ") << "recursive call of '" << callee.name
            << "' inside a dataflow block";
      if (*id == current_) return;
      std::move(error).Note(callee.loc,
                            absl::StrCat("the recursion goes through '", callee.name, "'"));
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
};

}  // namespace

void CheckDataflow(const ir::Module& module, const CallGraph& graph, Diagnostics& diags) {
  Check check(module, graph, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::GlobalId id{i};
    if (const ir::Function* f = module.globals[id].function()) check.In(id, *f);
  }
}

}  // namespace lathe::analysis
