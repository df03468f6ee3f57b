#include "generator/reader/relax_text/elaboration/oldest_dialect.h"

#include <vector>

#include "absl/strings/match.h"
#include "generator/ir/op.h"

namespace lathe::relax_text {
namespace {

// Spellings that occur in no later dialect.
constexpr absl::string_view kOldest[] = {"R.Tensor[", "R.match_shape(", "R.outputs(", "@R.func\n"};

bool IsImpureCall(const ir::Module& module, const ir::Call& call) {
  if (const ir::Op* op = call.op()) return !op->pure;
  if (std::holds_alternative<ir::ExternFunc>(call.callee)) return true;
  const auto* global = std::get_if<ir::GlobalId>(&call.callee);
  if (global == nullptr) return false;
  if (module.globals[*global].prim_func() != nullptr) return true;
  const ir::Function* function = module.globals[*global].function();
  return function != nullptr && !function->pure;
}

}  // namespace

bool IsOldestDialect(absl::string_view text) {
  for (absl::string_view spelling : kOldest) {
    if (absl::StrContains(text, spelling)) return true;
  }
  return false;
}

bool HasEffects(const ir::Module& module, const ir::Body& body) {
  std::vector<const ir::Body*> left = {&body};
  while (!left.empty()) {
    const ir::Body* at = left.back();
    left.pop_back();
    for (const ir::Block& block : at->blocks) {
      if (block.dataflow) continue;
      for (const ir::Binding& binding : block.bindings) {
        const auto* call = std::get_if<ir::Call>(&binding.rhs);
        if (call != nullptr && IsImpureCall(module, *call)) return true;
        if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
          left.push_back(&branch->then_body);
          left.push_back(&branch->else_body);
        }
      }
    }
  }
  return false;
}

}  // namespace lathe::relax_text
