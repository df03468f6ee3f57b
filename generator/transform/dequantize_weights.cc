#include "generator/transform/dequantize_weights.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/ops/args/attributes.h"
#include "generator/transform/weight_kernels.h"

namespace lathe::transform {
namespace {

class WeightRewriter {
 public:
  WeightRewriter(ir::Context& context, ir::Module& module)
      : module_(module), kernels_(context, module) {}

  void In(ir::Body& body) {
    ForEachBinding(body, [&](const ir::Block&, ir::Binding& binding) {
      if (auto call = Replacement(binding)) binding.rhs = *std::move(call);
    });
  }

 private:
  std::optional<ir::Call> Replacement(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr || call->op()->name != "relax.dequantize") {
      return std::nullopt;
    }
    const auto* info = module_.values[binding.var].info->As<ir::TensorInfo>();
    const auto* integers = call->args[0].As<ir::ConstantId>();
    const auto* scales = call->args[1].As<ir::ConstantId>();
    const auto* zeros = call->args[2].As<ir::ConstantId>();
    if (integers == nullptr || scales == nullptr || zeros == nullptr) return std::nullopt;
    const ir::Constant &weights = module_.constants[*integers], &by = module_.constants[*scales];
    const bool real = info != nullptr && info->dtype == ir::DType::Float(32) &&
                      info->vdevice == nullptr && by.dtype == ir::DType::Float(32);
    if (!real || !weights.dtype.is_integer() || weights.dtype.bits > 8) return std::nullopt;
    const auto& zero_bytes = *module_.constants[*zeros].bytes;
    if (std::any_of(zero_bytes.begin(), zero_bytes.end(), [](uint8_t b) { return b != 0; })) {
      return std::nullopt;
    }
    const auto rank = static_cast<int64_t>(weights.shape.size());
    int64_t axis = ops::IntAttr(*call, "axis");
    if (axis < 0) axis += rank;
    if (by.shape.empty()) axis = 0;
    // A list of one scale is for all positions.
    const bool each = by.shape.size() == 1 && axis >= 0 && axis < rank &&
                      by.shape[0] == weights.shape[static_cast<size_t>(axis)];
    if (!by.shape.empty() && !each) return std::nullopt;
    auto replaced = kernels_.Dequantize(*integers, *scales, static_cast<int>(axis), 1);
    if (!replaced.ok()) return std::nullopt;
    return *std::move(replaced);
  }

  ir::Module& module_;
  WeightKernels kernels_;
};

}  // namespace

void DequantizeWeights(ir::Context& context, ir::Module& module) {
  WeightRewriter rewriter(context, module);
  ir::RewriteEachFunction(module, [&](ir::Function& f) { rewriter.In(f.body); });
}

}  // namespace lathe::transform
