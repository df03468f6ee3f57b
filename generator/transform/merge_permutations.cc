#include "generator/transform/merge_permutations.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/reshape_like.h"
#include "generator/ops/complete_call.h"
#include "generator/transform/axis_runs.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/overwritten_values.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::PrimRef;
using ir::ValueId;

// A value as a permutation of another one.
struct Permuted {
  Operand source;
  AxisRuns runs;
  int copies = 0;  // the permutations from `source` to the value
};

class PermutationMerger {
 public:
  PermutationMerger(ir::Context& context, ir::Module& module)
      : context_(context), module_(module), overwritten_(OverwrittenValues(context, module)) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      // A dataflow variable is known in its block only.
      permuted_.clear();
      std::vector<ir::Binding> bindings;
      for (ir::Binding& binding : block.bindings) {
        Merge(block, binding, bindings);
        bindings.push_back(std::move(binding));
      }
      block.bindings = std::move(bindings);
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
      }
    }
  }

 private:
  const std::vector<PrimRef>* DimsOf(const Operand& operand) const {
    const auto* info = analysis::KnownInfo(context_, module_, operand)->As<ir::TensorInfo>();
    return info == nullptr ? nullptr : info->dims();
  }

  bool IsOverwritten(const Operand& operand) const {
    const auto* id = operand.As<ValueId>();
    return id != nullptr && overwritten_[*id];
  }

  // The operand as a permutation of the source of its chain, or of itself.
  std::optional<Permuted> Find(const Operand& operand) const {
    if (const auto* id = operand.As<ValueId>()) {
      if (const auto found = permuted_.find(*id); found != permuted_.end()) return found->second;
    }
    return Itself(operand);
  }

  std::optional<Permuted> Itself(const Operand& operand) const {
    const std::vector<PrimRef>* dims = DimsOf(operand);
    if (dims == nullptr || IsOverwritten(operand)) return std::nullopt;
    return Permuted{operand, AxisRuns(*dims)};
  }

  void Merge(const ir::Block& block, ir::Binding& binding, std::vector<ir::Binding>& out) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr || overwritten_[binding.var]) return;
    const bool permutes = call->op()->name == "relax.permute_dims";
    if (!permutes && !ops::IsReshapeLike(call->op()->name)) return;
    const std::vector<PrimRef>* dims = DimsOf(Operand{binding.var});
    std::optional<Permuted> value = Find(call->args[0]);
    if (dims == nullptr || !value) return;
    if (permutes) {
      value->runs.Permute(ops::PermutedAxes(*call, static_cast<int>(dims->size())));
      ++value->copies;
    } else if (!value->runs.Reshape(context_, *dims)) {
      // A new chain starts at the operand, whose own axes have runs that the reshape may split.
      value = Itself(call->args[0]);
      if (!value || !value->runs.Reshape(context_, *dims)) return;
    }
    const AxisRuns::Permutation merged = value->runs.Merged(context_);
    const int copies = merged.axes.empty() ? 0 : 1;
    if (copies < value->copies) {
      value->copies = copies;
      binding.rhs = Merged(block, binding, value->source, merged, *dims, out);
    }
    permuted_.insert_or_assign(binding.var, *std::move(value));
  }

  // The call that computes `binding` from `source`, after calls that are added to `out`.
  ir::Call Merged(const ir::Block& block, const ir::Binding& binding, Operand source,
                  const AxisRuns::Permutation& merged, const std::vector<PrimRef>& dims,
                  std::vector<ir::Binding>& out) {
    EmitOps emit(module_, out, block.dataflow, binding.loc);
    const std::string name = module_.values[binding.var].name;
    const auto reshaped = [&](Operand data, std::vector<PrimRef> to) {
      return ops::CallOf("relax.reshape", {std::move(data), Operand{ir::ShapeExpr{std::move(to)}}});
    };
    if (merged.axes.empty()) return reshaped(std::move(source), dims);
    if (*DimsOf(source) != merged.from) {
      source = emit.Bind(reshaped(std::move(source), merged.from), name);
    }
    ir::AttrList axes;
    std::vector<PrimRef> permuted;
    for (int64_t axis : merged.axes) {
      axes.emplace_back(axis);
      permuted.push_back(merged.from[axis]);
    }
    ir::Call copy = ops::CallOf("relax.permute_dims", {std::move(source)},
                                {{"axes", ir::AttrValue(std::move(axes))}});
    if (permuted == dims) return copy;
    return reshaped(emit.Bind(std::move(copy), name), dims);
  }

  ir::Context& context_;
  ir::Module& module_;
  const IdVector<ValueId, char> overwritten_;
  absl::flat_hash_map<ValueId, Permuted> permuted_;
};

}  // namespace

void MergePermutations(ir::Context& context, ir::Module& module) {
  PermutationMerger merger(context, module);
  ir::ForEachFunction(module, [&](ir::Function& f) { merger.In(f.body); });
}

}  // namespace lathe::transform
