#include "generator/transform/quantize/fuse_quantized.h"

#include <utility>

#include "absl/strings/match.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/transform/dead_code_elimination.h"
#include "generator/transform/quantize/integer_graph.h"
#include "generator/transform/quantize/integer_operator.h"
#include "generator/transform/quantize/signed_activations.h"

namespace lathe::transform {
namespace {

using ir::Operand;

// The first walk matches quantized results; the second one products whose real results are used.
enum class FusionPhase { kForQuantized, kForProducts };

class Fusion {
 public:
  Fusion(ir::Context& context, ir::Module& module, FusionPhase phase, IntegerLoops loops)
      : graph_(context, module, loops), phase_(phase) {}

  bool has_changed() const { return changed_; }

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
      }
      std::vector<ir::Binding> bindings;
      graph_.EnterBlock(bindings, block.dataflow);
      for (ir::Binding& binding : block.bindings) {
        graph_.At(binding);
        MaybeOperand made = InIntegers(binding);
        // A following bias or activation matches the original product. The integer product alone is
        // dead then.
        if (phase_ == FusionPhase::kForProducts) graph_.Define(binding);
        if (made) {
          binding.rhs = *std::move(made);
          changed_ = true;
        }
        if (phase_ == FusionPhase::kForQuantized) graph_.Define(binding);
        bindings.push_back(std::move(binding));
      }
      block.bindings = std::move(bindings);
    }
  }

 private:
  MaybeOperand InIntegers(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr) return std::nullopt;
    const absl::string_view name = call->op()->name;
    const Operand result{binding.var};
    const auto dims = graph_.DimsOf(result);
    if (!dims || HasNoElements(*dims)) return std::nullopt;
    if (phase_ == FusionPhase::kForQuantized) {
      if (name != "relax.quantize") return std::nullopt;
      const auto affine = graph_.AffineOf(*call, ops::FindDType(*call, "out_dtype"));
      const auto op = RealOperatorOf(graph_, call->args[0]);
      if (!affine || !op) return std::nullopt;
      return FindIntegerOperator(op->core->op()->name)(graph_, *op, {*dims, affine});
    }
    const bool product = name == "relax.matmul" || absl::StartsWith(name, "relax.nn.conv");
    if (!product && name != "relax.add" && name != "relax.nn.relu") return std::nullopt;
    // Defined early, so that the variable can be matched.
    graph_.Define(binding);
    const auto op = RealOperatorOf(graph_, result);
    if (!op || graph_.ElementTypeOf(result) != ir::DType::Float(32)) return std::nullopt;
    const EmitInteger make = FindIntegerOperator(op->core->op()->name);
    if (make != IntegerMatMul && make != IntegerConv) return std::nullopt;
    return make(graph_, *op, {*dims, std::nullopt});
  }

  IntegerGraph graph_;
  const FusionPhase phase_;
  bool changed_ = false;
};

bool Walk(ir::Context& context, ir::Module& module, FusionPhase phase, IntegerLoops loops) {
  Fusion fusion(context, module, phase, loops);
  ir::RewriteEachFunction(module, [&](ir::Function& f) { fusion.In(f.body); });
  if (fusion.has_changed()) DeadCodeElimination(context, module);
  return fusion.has_changed();
}

// True for kernels that take int8 only.
bool IsOfMicrocontroller(IntegerLoops loops) {
  return loops == IntegerLoops::kPairs || loops == IntegerLoops::kSmallPairs ||
         loops == IntegerLoops::kQuads || loops == IntegerLoops::kPackedQuads ||
         loops == IntegerLoops::kV6m || loops == IntegerLoops::kHelium;
}

}  // namespace

bool FuseQuantized(ir::Context& context, ir::Module& module, const Target& target, bool small) {
  const IntegerLoops loops = IntegerLoopsFor(target, small);
  if (IsOfMicrocontroller(loops)) MakeActivationsSigned(context, module);
  const bool quantized = Walk(context, module, FusionPhase::kForQuantized, loops);
  const bool products = Walk(context, module, FusionPhase::kForProducts, loops);
  return quantized || products;
}

}  // namespace lathe::transform
