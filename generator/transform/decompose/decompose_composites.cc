#include "generator/transform/decompose/decompose_composites.h"

#include <utility>

#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/transform/decompose/decompose_activation.h"
#include "generator/transform/decompose/decompose_attention.h"
#include "generator/transform/decompose/decompose_loss.h"
#include "generator/transform/decompose/decompose_norm.h"
#include "generator/transform/decompose/decompose_sum.h"

namespace lathe::transform {
namespace {

struct CompositeRow {
  absl::string_view op;
  Decomposition (*decompose)(const CompositeCall&);
};
constexpr CompositeRow kCompositeRows[] = {
    {"relax.collapse_sum_like", DecomposeSum},
    {"relax.collapse_sum_to", DecomposeSum},
    {"relax.einsum", DecomposeEinsum},
    {"relax.matmul", DecomposeProduct},
    {"relax.nn.attention", DecomposeAttention},
    {"relax.nn.attention_bias", DecomposeAttention},
    {"relax.nn.batch_norm", DecomposeBatchNorm},
    {"relax.nn.conv1d", DecomposeProduct},
    {"relax.nn.conv1d_transpose", DecomposeProduct},
    {"relax.nn.conv2d", DecomposeProduct},
    {"relax.nn.conv2d_transpose", DecomposeProduct},
    {"relax.nn.conv3d", DecomposeProduct},
    {"relax.nn.conv3d_transpose", DecomposeProduct},
    {"relax.nn.cross_entropy_with_logits", DecomposeCrossEntropy},
    {"relax.nn.gelu", DecomposeGelu},
    {"relax.nn.gelu_tanh", DecomposeGeluTanh},
    {"relax.nn.group_norm", DecomposeGroupNorm},
    {"relax.nn.instance_norm", DecomposeGroupNorm},
    {"relax.nn.layer_norm", DecomposeLayerNorm},
    {"relax.nn.log_softmax", DecomposeSoftmax},
    {"relax.nn.nll_loss", DecomposeNllLoss},
    {"relax.nn.rms_norm", DecomposeLayerNorm},
    {"relax.nn.silu", DecomposeSilu},
    {"relax.nn.softmax", DecomposeSoftmax},
    {"relax.sum", DecomposeSum},
};

const CompositeRow* RowOf(const ir::Rhs& rhs, const std::set<std::string>& keep) {
  const auto* call = std::get_if<ir::Call>(&rhs);
  if (call == nullptr || call->op() == nullptr || keep.count(call->op()->name) > 0) return nullptr;
  for (const CompositeRow& row : kCompositeRows) {
    if (row.op == call->op()->name) return &row;
  }
  return nullptr;
}

void In(ir::Context& context, ir::Module& module, const std::set<std::string>& keep,
        ir::Body& body) {
  for (ir::Block& block : body.blocks) {
    std::vector<ir::Binding> bindings;
    for (ir::Binding& binding : block.bindings) {
      ForEachBody(binding.rhs, [&](ir::Body& inner) { In(context, module, keep, inner); });
      if (const CompositeRow* row = RowOf(binding.rhs, keep)) {
        const size_t before = bindings.size();
        EmitOps emit(module, bindings, block.dataflow, binding.loc);
        const ir::Call call = std::get<ir::Call>(binding.rhs);
        if (Decomposition whole = row->decompose({context, module, call, emit})) {
          // The last emitted binding becomes the variable itself.
          const auto* last = whole->As<ir::ValueId>();
          if (last != nullptr && bindings.size() > before && bindings.back().var == *last) {
            binding.rhs = std::move(bindings.back().rhs);
            bindings.pop_back();
          } else {
            binding.rhs = *std::move(whole);
          }
        }
      }
      bindings.push_back(std::move(binding));
    }
    block.bindings = std::move(bindings);
  }
}

}  // namespace

const ir::TensorInfo* CompositeCall::Tensor(size_t i) const {
  if (i >= call.args.size()) return nullptr;
  return analysis::KnownInfo(context, module, call.args[i])->As<ir::TensorInfo>();
}

std::vector<absl::string_view> CompositeOps() {
  std::vector<absl::string_view> names;
  for (const CompositeRow& row : kCompositeRows) names.push_back(row.op);
  return names;
}

std::vector<absl::string_view> SumOps() {
  std::vector<absl::string_view> names;
  for (const CompositeRow& row : kCompositeRows) {
    const bool sums = row.decompose == DecomposeSum || row.decompose == DecomposeProduct ||
                      row.decompose == DecomposeEinsum;
    if (sums) names.push_back(row.op);
  }
  return names;
}

void DecomposeComposites(ir::Context& context, ir::Module& module,
                         const std::set<std::string>& keep) {
  ForEachFunction(module, [&](ir::Function& f) { In(context, module, keep, f.body); });
}

}  // namespace lathe::transform
