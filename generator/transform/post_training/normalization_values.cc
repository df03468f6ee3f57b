#include "generator/transform/post_training/normalization_values.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"

namespace lathe::transform {
namespace {

using ir::ValueId;

class NormalizationFinder {
 public:
  explicit NormalizationFinder(const ir::Module& module) : module_(module) {}

  absl::flat_hash_set<ValueId> Find(const ir::Function& function) {
    std::vector<ValueId> roots;
    ForEachBinding(function.body, [&](const ir::Block&, const ir::Binding& binding) {
      const auto* call = std::get_if<ir::Call>(&binding.rhs);
      if (call == nullptr || call->op() == nullptr) return;
      calls_[binding.var] = call;
      if (IsRoot(*call)) roots.push_back(binding.var);
      for (const ir::Operand& arg : call->args) {
        ForEachLeaf(arg, [&](const ir::Operand& leaf) {
          if (const auto* id = leaf.As<ValueId>()) users_[*id].push_back(binding.var);
        });
      }
    });
    for (ValueId root : roots) Mark(root);
    return std::move(marked_);
  }

 private:
  bool Is(ValueId id, absl::string_view op) const {
    const auto found = calls_.find(id);
    return found != calls_.end() && found->second->op()->name == op;
  }
  // The operand that is a value; nothing if there are several different ones.
  std::optional<ValueId> OnlyValue(ValueId id) const {
    std::optional<ValueId> found;
    bool several = false;
    for (const ir::Operand& arg : calls_.at(id)->args) {
      ForEachLeaf(arg, [&](const ir::Operand& leaf) {
        const auto* value = leaf.As<ValueId>();
        if (value == nullptr) return;
        several |= found && *found != *value;
        found = *value;
      });
    }
    return several ? std::nullopt : found;
  }

  // The deviation, or its inverse as the reader of ONNX writes it.
  bool IsRoot(const ir::Call& call) const {
    const absl::string_view name = call.op()->name;
    if (name == "relax.sqrt" || name == "relax.rsqrt") return true;
    const auto* id = name == "relax.call_tir" ? call.args[0].As<ir::GlobalId>() : nullptr;
    const ir::PrimFunc* func = id == nullptr ? nullptr : module_.globals[*id].prim_func();
    const auto* of =
        func == nullptr ? nullptr : ir::FindAttr<std::string>(func->attrs, "operator_name");
    return of != nullptr && *of == "inverse_deviation";
  }

  // Marks the variance under the root `root`, and what is computed from the quotient.
  void Mark(ValueId root) {
    std::vector<ValueId> values = {root};
    std::optional<ValueId> at = OnlyValue(root);
    if (at && Is(*at, "relax.add")) {
      values.push_back(*at);
      at = OnlyValue(*at);
    }
    if (!at || !Is(*at, "relax.mean")) return;
    values.push_back(*at);
    at = OnlyValue(*at);
    const bool square =
        at && (Is(*at, "relax.multiply") || Is(*at, "relax.square") || Is(*at, "relax.power"));
    if (!square) return;
    values.push_back(*at);
    at = OnlyValue(*at);
    if (!at) return;
    if (Is(*at, "relax.subtract")) {
      values.push_back(*at);
      for (const ir::Operand& arg : calls_.at(*at)->args) {
        const auto* mean = arg.As<ValueId>();
        if (mean != nullptr && Is(*mean, "relax.mean")) values.push_back(*mean);
      }
    }
    MarkQuotients(root, values);
    marked_.insert(values.begin(), values.end());
  }

  // The quotient by the root, then products and sums with constants.
  void MarkQuotients(ValueId root, std::vector<ValueId>& values) {
    std::vector<ValueId> open = {root};
    bool first = true;
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      for (ValueId user : users_[value]) {
        const bool quotient = Is(user, "relax.divide") || Is(user, "relax.multiply");
        const bool scaled =
            (Is(user, "relax.multiply") || Is(user, "relax.add")) && OnlyValue(user) == value;
        if (first ? !quotient : !scaled) continue;
        values.push_back(user);
        open.push_back(user);
      }
      first = false;
    }
  }

  const ir::Module& module_;
  absl::flat_hash_map<ValueId, const ir::Call*> calls_;
  absl::flat_hash_map<ValueId, std::vector<ValueId>> users_;
  absl::flat_hash_set<ValueId> marked_;
};

}  // namespace

absl::flat_hash_set<ValueId> FindNormalizationValues(const ir::Module& module,
                                                     const ir::Function& function) {
  return NormalizationFinder(module).Find(function);
}

}  // namespace lathe::transform
