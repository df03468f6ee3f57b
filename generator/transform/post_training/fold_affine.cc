#include "generator/transform/post_training/fold_affine.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "generator/interp/eval_op.h"
#include "generator/interp/eval_operand.h"
#include "generator/interp/runtime.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/ops/complete_call.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/post_training/constant_values.h"
#include "generator/transform/post_training/quantize_weights.h"
#include "generator/transform/post_training/quantized_layers.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

constexpr absl::string_view kAffineOps[] = {"relax.divide", "relax.multiply", "relax.nn.batch_norm",
                                            "relax.subtract"};

// y = a * x + b for each channel.
struct ChannelFunction {
  std::vector<float> a, b;
};

std::optional<std::vector<int64_t>> DimsOf(const ir::Module& module, ValueId id) {
  const ir::StructInfoRef info = module.values[id].info;
  const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  if (tensor == nullptr || tensor->dims() == nullptr || tensor->dtype != ir::DType::Float(32)) {
    return std::nullopt;
  }
  std::vector<int64_t> dims;
  for (ir::PrimRef dim : *tensor->dims()) {
    const auto* number = dim->As<ir::IntImm>();
    // A symbolic batch: one element is representative.
    dims.push_back(number == nullptr ? 1 : number->value);
  }
  return dims;
}

class AffineFolder {
 public:
  AffineFolder(ir::Context& context, ir::Module& module) : context_(context), module_(module) {}

  int In(ir::Function& function) {
    uses_ = CountUses(module_);
    for (ir::Block& block : function.body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        Fold(binding);
        Note(binding);
      }
    }
    return folded_;
  }

 private:
  // A convolution or matrix product, possibly with a bias.
  struct Product {
    ir::Call* call = nullptr;
    ValueId core;
    std::vector<float> bias;  // of each channel; empty: none
  };

  void Note(ir::Binding& binding) {
    auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr) return;
    const absl::string_view name = call->op()->name;
    if (name == "relax.add") return NoteBias(binding.var, *call);
    if (!IsProductWithWeights(module_, *call)) return;
    products_[binding.var] = {call, binding.var, {}};
  }

  void NoteBias(ValueId var, const ir::Call& call) {
    const auto* id = call.args[0].As<ValueId>();
    const auto* bias = call.args[1].As<ir::ConstantId>();
    const auto found = id == nullptr ? products_.end() : products_.find(*id);
    if (bias == nullptr || found == products_.end() || uses_[*id] != 1) return;
    Product product = found->second;
    const std::vector<int64_t>& shape = module_.constants[*bias].shape;
    const auto dims = DimsOf(module_, *id);
    const int axis = AxesOfProduct(module_, *product.call).result;
    if (!product.bias.empty() || !dims || shape.size() > dims->size()) return;
    for (size_t a = 0; a < shape.size(); ++a) {
      const size_t at = dims->size() - shape.size() + a;
      if (shape[a] != 1 && static_cast<int>(at) != axis) return;
    }
    product.bias = FloatsOf(module_.constants[*bias]);
    if (product.bias.size() != static_cast<size_t>((*dims)[static_cast<size_t>(axis)])) return;
    products_[var] = std::move(product);
  }

  // The operand of the call that a product computes, if all others are constants.
  const ValueId* ProductOperand(const ir::Call& call) const {
    const ValueId* found = nullptr;
    bool others = true;
    for (const Operand& arg : call.args) {
      ForEachLeaf(arg, [&](const Operand& leaf) {
        const auto* id = leaf.As<ValueId>();
        if (id == nullptr) return;
        others &= found == nullptr && products_.contains(*id);
        found = id;
      });
    }
    return others ? found : nullptr;
  }

  static bool IsAffine(const ir::Module& module, const ir::Call& call) {
    if (call.op() == nullptr) return false;
    if (absl::c_linear_search(kAffineOps, call.op()->name)) return true;
    if (call.op()->name != "relax.call_tir") return false;
    const auto* id = call.args[0].As<ir::GlobalId>();
    const ir::PrimFunc* func = id == nullptr ? nullptr : module.globals[*id].prim_func();
    const auto* name =
        func == nullptr ? nullptr : ir::FindAttr<std::string>(func->attrs, "operator_name");
    return name != nullptr && *name == "batch_norm";
  }

  void Fold(ir::Binding& binding) {
    const auto* field = std::get_if<ir::GetField>(&binding.rhs);
    if (field != nullptr && field->index == 0) {
      const auto* id = field->tuple.As<ValueId>();
      const auto found = id == nullptr ? tuples_.end() : tuples_.find(*id);
      if (found != tuples_.end()) return Replace(binding, *found->second);
    }
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || !IsAffine(module_, *call)) return;
    if (call->op()->name == "relax.nn.batch_norm") {
      const ir::AttrValue& training = call->attrs.at("training");
      if (training.As<bool>() == nullptr || *training.As<bool>()) return;
      tuples_[binding.var] = call;
      return;
    }
    Replace(binding, *call);
  }

  void Replace(ir::Binding& binding, const ir::Call& affine) {
    const ValueId* operand = ProductOperand(affine);
    if (operand == nullptr || uses_[*operand] != 1) return;
    const Product product = products_.at(*operand);
    const ProductAxes axes = AxesOfProduct(module_, *product.call);
    const auto dims = DimsOf(module_, *operand);
    const auto function = Probe(affine, *operand, axes.result);
    if (!function) return;
    auto* weights = product.call->args[1].As<ir::ConstantId>();
    const ir::Constant old = module_.constants[*weights];
    if (function->a.size() != static_cast<size_t>(old.shape[static_cast<size_t>(axes.weights)])) {
      return;
    }
    std::vector<float> scaled = FloatsOf(old), bias = function->b;
    const std::vector<size_t> channels = ChannelsOf(old.shape, axes.weights);
    for (size_t i = 0; i < scaled.size(); ++i) scaled[i] *= function->a[channels[i]];
    for (size_t c = 0; c < product.bias.size(); ++c) bias[c] += function->a[c] * product.bias[c];
    *weights = module_.constants.Add(FloatConstant(old.shape, scaled));
    std::vector<int64_t> shape(dims->size() - static_cast<size_t>(axes.result), 1);
    shape[0] = static_cast<int64_t>(bias.size());
    const Operand constant{module_.constants.Add(FloatConstant(shape, bias))};
    binding.rhs = ops::CallOf("relax.add", {Operand{product.core}, constant});
    ++folded_;
  }

  // Evaluates the call on constant images: its value at 0 is b, its slope a.
  std::optional<ChannelFunction> Probe(const ir::Call& call, ValueId variable, int axis) {
    const auto dims = DimsOf(module_, variable);
    if (!dims || axis < 0 || axis >= static_cast<int>(dims->size())) return std::nullopt;
    const std::vector<int64_t>& probed = *dims;
    const std::vector<size_t> channels = ChannelsOf(probed, axis);
    constexpr float kFar = 16;
    const auto at = [&](float x) { return Evaluate(call, variable, probed, x); };
    const auto zero = at(0), high = at(kFar), low = at(-kFar), middle = at(kFar / 2);
    if (!zero || !high || !low || !middle) return std::nullopt;
    if (zero->size() != channels.size()) return std::nullopt;
    ChannelFunction out;
    const auto count = static_cast<size_t>(probed[static_cast<size_t>(axis)]);
    out.a.resize(count);
    out.b.resize(count);
    std::vector<bool> seen(count);
    for (size_t i = 0; i < channels.size(); ++i) {
      const size_t c = channels[i];
      const float a = ((*high)[i] - (*low)[i]) / (2 * kFar), b = (*zero)[i];
      if (seen[c] && (out.a[c] != a || out.b[c] != b)) return std::nullopt;
      const float expected = a * (kFar / 2) + b;
      const float tolerance = 1e-4F * (std::abs(a) * kFar + std::abs(b));
      if (!(std::abs((*middle)[i] - expected) <= tolerance)) return std::nullopt;
      seen[c] = true;
      out.a[c] = a;
      out.b[c] = b;
    }
    return out;
  }

  std::optional<std::vector<float>> Evaluate(const ir::Call& call, ValueId variable,
                                             const std::vector<int64_t>& dims, float x) {
    interp::Options options;
    options.packed = interp::PackedTable();  // no external calls
    interp::Runtime rt(context_, module_, std::move(options));
    Diagnostics ignored;
    rt.diags = &ignored;
    auto tensor = interp::NewTensor(ir::DType::Float(32), dims, rt.budget);
    if (!tensor.ok()) return std::nullopt;
    const std::vector<float> values((*tensor)->num_elements(), x);
    if (!values.empty()) std::memcpy((*tensor)->data(), values.data(), values.size() * sizeof(x));
    interp::Scope scope;
    scope.Bind(variable, interp::Value(*tensor));
    std::vector<interp::Value> args;
    for (const Operand& arg : call.args) {
      auto value = interp::EvalOperand(rt, arg, scope, {});
      if (!value.ok()) return std::nullopt;
      args.push_back(*std::move(value));
    }
    const Location nowhere;
    auto value = interp::EvalOp({rt, scope, call, *call.op(), args, nowhere, nullptr});
    if (!value.ok()) return std::nullopt;
    const interp::Tensor* result = value->AsTensor();
    if (const auto* fields = value->AsTuple()) {
      result = fields->empty() ? nullptr : fields->front().AsTensor();
    }
    if (result == nullptr || result->dtype != ir::DType::Float(32)) return std::nullopt;
    return FloatsOf(*result);
  }

  ir::Context& context_;
  ir::Module& module_;
  Uses uses_;
  absl::flat_hash_map<ValueId, Product> products_;
  absl::flat_hash_map<ValueId, const ir::Call*> tuples_;  // results of batch_norm
  int folded_ = 0;
};

}  // namespace

int FoldAffine(ir::Context& context, ir::Module& module) {
  int folded = 0;
  ir::ForEachFunction(module,
                      [&](ir::Function& f) { folded += AffineFolder(context, module).In(f); });
  return folded;
}

}  // namespace lathe::transform
