#include "generator/transform/quantize/narrow_factors.h"

#include <algorithm>
#include <iterator>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/transform/dead_code_elimination.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;

// Operators that convert each element to `out_dtype` before multiplying.
constexpr absl::string_view kProducts[] = {"relax.matmul",
                                           "relax.nn.conv1d",
                                           "relax.nn.conv2d",
                                           "relax.nn.conv3d",
                                           "relax.nn.conv1d_transpose",
                                           "relax.nn.conv2d_transpose",
                                           "relax.nn.conv3d_transpose"};

bool IsProduct(const ir::Call& call) {
  return call.op() != nullptr && std::find(std::begin(kProducts), std::end(kProducts),
                                           call.op()->name) != std::end(kProducts);
}

// True when `wide` represents every number of the format, and the sums of products.
bool Widens(DType narrow, DType wide) {
  if (wide == DType::Float(32)) return narrow.is_floating() && narrow.bits == 16;
  return wide == DType::Int(32) && narrow.is_integer() && narrow.bits == 8;
}

class FactorNarrowing {
 public:
  FactorNarrowing(ir::Context& context, ir::Module& module) : context_(context), module_(module) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      // Dataflow variables are not visible outside of their block.
      absl::flat_hash_map<ir::ValueId, Operand> widened;
      for (ir::Binding& binding : block.bindings) {
        ir::ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
        auto* call = std::get_if<ir::Call>(&binding.rhs);
        if (call == nullptr || call->op() == nullptr) continue;
        if (call->op()->name == "relax.astype") widened.emplace(binding.var, call->args[0]);
        if (IsProduct(*call)) Narrow(widened, *call);
      }
    }
  }

  bool has_changed() const { return changed_; }

 private:
  DType DTypeOf(const Operand& operand) const {
    const auto* info = analysis::KnownInfo(context_, module_, operand)->As<ir::TensorInfo>();
    return info == nullptr ? DType::Void() : info->dtype;
  }

  void Narrow(const absl::flat_hash_map<ir::ValueId, Operand>& widened, ir::Call& call) {
    Operand* const factors[] = {&call.args[0], &call.args[1]};
    const Operand* before[2] = {};
    const DType wide = DTypeOf(*factors[0]), out = ops::FindDType(call, "out_dtype");
    for (int i : {0, 1}) {
      const auto* id = factors[i]->As<ir::ValueId>();
      const auto found = id == nullptr ? widened.end() : widened.find(*id);
      if (found == widened.end() || DTypeOf(*factors[i]) != wide) return;
      before[i] = &found->second;
    }
    const DType narrow = DTypeOf(*before[0]);
    if (DTypeOf(*before[1]) != narrow || !Widens(narrow, wide)) return;
    if (!out.is_void() && out != wide) return;
    for (int i : {0, 1}) *factors[i] = *before[i];
    call.attrs["out_dtype"] = wide;
    changed_ = true;
  }

  ir::Context& context_;
  ir::Module& module_;
  bool changed_ = false;
};

}  // namespace

void NarrowFactors(ir::Context& context, ir::Module& module) {
  FactorNarrowing narrowing(context, module);
  ir::ForEachFunction(module, [&](ir::Function& f) { narrowing.In(f.body); });
  if (narrowing.has_changed()) DeadCodeElimination(context, module);
}

}  // namespace lathe::transform
