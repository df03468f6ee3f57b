#include "generator/transform/post_training/pointwise_regions.h"

#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "generator/ir/op.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/pointwise_ops.h"

namespace lathe::transform {
namespace {

using ir::ValueId;

constexpr absl::string_view kSteepOps[] = {"relax.exp", "relax.log", "relax.power", "relax.rsqrt",
                                           "relax.sqrt"};
// Loop nests that the reader of ONNX writes for elementwise operators of one input.
constexpr absl::string_view kPointwiseNests[] = {
    "Celu", "Elu",  "Gelu",     "HardSigmoid", "HardSwish", "LeakyRelu",
    "Mish", "Selu", "Softplus", "Softsign",    "Swish",     "ThresholdedRelu",
};

class RegionFinder {
 public:
  RegionFinder(const ir::Module& module, const absl::flat_hash_set<ValueId>& taken)
      : module_(module), taken_(taken) {}

  PointwiseRegions Find(const ir::Function& function) {
    for (const ir::Block& block : function.body.blocks) {
      for (const ir::Binding& binding : block.bindings) AddTo(binding);
    }
    KeepResults(function);
    return {std::move(regions_), std::move(intermediate_)};
  }

 private:
  bool IsPointwiseCall(const ir::Call& call) const {
    if (call.op() == nullptr) return false;
    if (IsPointwise(call.op()->name)) return true;
    if (call.op()->name != "relax.call_tir" || call.sinfo_args.size() != 1) return false;
    const auto* id = call.args[0].As<ir::GlobalId>();
    const ir::PrimFunc* func = id == nullptr ? nullptr : module_.globals[*id].prim_func();
    const auto* name =
        func == nullptr ? nullptr : ir::FindAttr<std::string>(func->attrs, "operator_name");
    return name != nullptr && func->params.size() == 2 &&
           absl::c_linear_search(kPointwiseNests, *name);
  }

  bool IsNumber(const ir::Operand& operand) const {
    if (operand.As<ir::PrimValue>() != nullptr || operand.As<ir::GlobalId>() != nullptr)
      return true;
    const auto* id = operand.As<ir::ConstantId>();
    if (id == nullptr) return false;
    return absl::c_all_of(module_.constants[*id].shape, [](int64_t dim) { return dim == 1; });
  }

  void AddTo(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || !IsPointwiseCall(*call) || taken_.contains(binding.var)) return;
    std::optional<ValueId> base;
    bool one = true;
    PointwiseRegion region;
    for (const ir::Operand& arg : call->args) {
      ForEachLeaf(arg, [&](const ir::Operand& leaf) {
        if (leaf.As<ir::TupleExpr>() != nullptr || IsNumber(leaf)) return;
        const auto* id = leaf.As<ValueId>();
        if (id == nullptr) {
          one = false;
          return;
        }
        const auto inner = regions_.find(*id);
        const ValueId source = inner == regions_.end() ? *id : inner->second.base;
        if (inner != regions_.end()) region.steep |= inner->second.steep;
        one &= !base || *base == source;
        base = source;
      });
    }
    // Operands of other shapes are broadcast, which is no function of one element.
    if (!one || !base || module_.values[*base].info != module_.values[binding.var].info) return;
    region.base = *base;
    region.steep |= absl::c_linear_search(kSteepOps, call->op()->name) ||
                    (call->op()->name == "relax.divide" && !IsNumber(call->args[1]));
    regions_[binding.var] = region;
  }

  // Removes the intermediate results: those that only the same region uses.
  void KeepResults(const ir::Function& function) {
    absl::flat_hash_map<ValueId, int> uses_inside;
    for (const ir::Block& block : function.body.blocks) {
      for (const ir::Binding& binding : block.bindings) {
        const auto user = regions_.find(binding.var);
        if (user == regions_.end()) continue;
        ForEachOperand(binding.rhs, [&](const ir::Operand& operand) {
          ForEachLeaf(operand, [&](const ir::Operand& leaf) {
            const auto* id = leaf.As<ValueId>();
            const auto used = id == nullptr ? regions_.end() : regions_.find(*id);
            if (used != regions_.end() && used->second.base == user->second.base) {
              ++uses_inside[*id];
            }
          });
        });
      }
    }
    const Uses uses = CountUses(module_);
    for (const auto& [id, count] : uses_inside) {
      if (uses[id] == count) intermediate_.insert(id);
    }
    for (ValueId id : intermediate_) regions_.erase(id);
  }

  const ir::Module& module_;
  const absl::flat_hash_set<ValueId>& taken_;
  absl::flat_hash_map<ValueId, PointwiseRegion> regions_;
  absl::flat_hash_set<ValueId> intermediate_;
};

}  // namespace

PointwiseRegions FindPointwiseRegions(const ir::Module& module, const ir::Function& function,
                                      const absl::flat_hash_set<ValueId>& taken) {
  return RegionFinder(module, taken).Find(function);
}

}  // namespace lathe::transform
