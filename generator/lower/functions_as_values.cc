#include "generator/lower/functions_as_values.h"

#include <string>
#include <utility>

#include "generator/ir/each_body.h"
#include "generator/ops/call_tir.h"

namespace lathe::lower {
namespace {

class FunctionValueFinder {
 public:
  explicit FunctionValueFinder(const ir::Module& module) : module_(module) {}

  std::vector<Form> All() {
    for (int32_t i = 0; i < std::ssize(module_.globals); ++i) {
      const ir::Function* f = module_.globals[ir::GlobalId{i}].function();
      if (f != nullptr) In(f->body);
    }
    return std::move(found_);
  }

 private:
  void In(const ir::Body& body) {
    Add(body.result);
    ForEachBinding(body, [&](const ir::Block&, const ir::Binding& binding) {
      ForEachBody(binding.rhs, [&](const ir::Body& inner) { Add(inner.result); });
      if (const auto* operand = std::get_if<ir::Operand>(&binding.rhs)) Add(*operand);
      if (const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) Add(cast->value);
      const auto* call = std::get_if<ir::Call>(&binding.rhs);
      if (call == nullptr) return;
      // The callee of R.call_tir is not used as a value.
      const bool calls = call->op() != nullptr && ops::IsCallTir(*call->op());
      for (size_t i = calls ? 1 : 0; i < call->args.size(); ++i) Add(call->args[i]);
    });
  }

  void Add(const ir::Operand& operand) {
    if (const auto* tuple = operand.As<ir::TupleExpr>()) {
      for (const ir::Operand& field : tuple->fields) Add(field);
    }
    if (const auto* id = operand.As<ir::GlobalId>()) {
      if (seen_.insert(*id).second) found_.push_back(Form{*id});
    }
    if (const auto* f = operand.As<ir::ExternFunc>()) {
      if (names_.insert(f->name).second) found_.push_back(Form{*f});
    }
  }

  const ir::Module& module_;
  absl::flat_hash_set<ir::GlobalId> seen_;
  absl::flat_hash_set<std::string> names_;
  std::vector<Form> found_;
};

}  // namespace

std::vector<Form> FunctionsAsValues(const ir::Module& module) {
  return FunctionValueFinder(module).All();
}

absl::flat_hash_set<const ir::Function*> UsedFunctions(const ir::Module& module,
                                                       const analysis::CallGraph& calls) {
  absl::flat_hash_set<const ir::Function*> used;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    for (ir::GlobalId id : calls.uses(ir::GlobalId{i})) used.insert(module.globals[id].function());
  }
  return used;
}

}  // namespace lathe::lower
