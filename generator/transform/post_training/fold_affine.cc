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
  std::vector<double> a, b;
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
    // A constant of a higher rank, or a longer axis, gives the result another shape.
    if (module_.values[binding.var].info != module_.values[*operand].info) return;
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
    std::vector<float> scaled = FloatsOf(old), bias;
    const std::vector<size_t> channels = ChannelsOf(old.shape, axes.weights);
    for (size_t i = 0; i < scaled.size(); ++i) {
      const double exact = static_cast<double>(scaled[i]) * function->a[channels[i]];
      scaled[i] = static_cast<float>(exact);
      // The product has values for which the scaled weights have none.
      if (exact != 0 && !std::isnormal(scaled[i])) return;
    }
    for (size_t c = 0; c < function->b.size(); ++c) {
      const double of_product = product.bias.empty() ? 0 : static_cast<double>(product.bias[c]);
      bias.push_back(static_cast<float>(function->b[c] + function->a[c] * of_product));
      if (!std::isfinite(bias.back())) return;
    }
    *weights = module_.constants.Add(FloatConstant(old.shape, scaled));
    std::vector<int64_t> shape(dims->size() - static_cast<size_t>(axes.result), 1);
    shape[0] = static_cast<int64_t>(bias.size());
    const Operand constant{module_.constants.Add(FloatConstant(shape, bias))};
    binding.rhs = ops::CallOf("relax.add", {Operand{product.core}, constant});
    ++folded_;
  }

  // The values of the call on images that are x in channel c, for x = factor * far[c].
  struct Samples {
    std::vector<size_t> channels;  // of each element
    std::vector<double> far;
    std::vector<float> zero, low, high, middle;  // of the factors 0, -1, 1 and 1/2
  };

  // Its value at 0 is b, and its slope a. The slope is measured where a * x is at least b, which
  // would round a smaller term away.
  std::optional<ChannelFunction> Probe(const ir::Call& call, ValueId variable, int axis) {
    const auto dims = DimsOf(module_, variable);
    if (!dims || axis < 0 || axis >= static_cast<int>(dims->size())) return std::nullopt;
    constexpr double kNear = 16, kStep = 4096, kFarthest = 0x1p100;
    const auto count = static_cast<size_t>((*dims)[static_cast<size_t>(axis)]);
    Samples s{ChannelsOf(*dims, axis), std::vector<double>(count, kNear), {}, {}, {}, {}};
    const auto at = [&](double factor, std::vector<float>& to) {
      std::vector<float> image;
      for (const size_t c : s.channels) image.push_back(static_cast<float>(factor * s.far[c]));
      to = Evaluate(call, variable, *dims, image).value_or(std::vector<float>());
      return to.size() == image.size();
    };
    if (!at(0, s.zero)) return std::nullopt;
    for (bool grows = true; grows;) {
      if (!at(-1, s.low) || !at(1, s.high)) return std::nullopt;
      std::vector<double> next = s.far;
      for (size_t i = 0; i < s.channels.size(); ++i) {
        const size_t c = s.channels[i];
        const double spread = static_cast<double>(s.high[i]) - static_cast<double>(s.low[i]);
        const double offset = static_cast<double>(s.zero[i]);
        if (std::abs(spread) < 2 * std::abs(offset) && s.far[c] < kFarthest) {
          next[c] = s.far[c] * kStep;
        }
      }
      grows = next != s.far;
      s.far = std::move(next);
    }
    if (!at(0.5, s.middle)) return std::nullopt;
    return Fit(s);
  }

  // Nothing if the samples of a channel are on no straight line.
  static std::optional<ChannelFunction> Fit(const Samples& s) {
    ChannelFunction out{std::vector<double>(s.far.size()), std::vector<double>(s.far.size())};
    std::vector<bool> seen(s.far.size());
    for (size_t i = 0; i < s.channels.size(); ++i) {
      const size_t c = s.channels[i];
      const auto low = static_cast<double>(s.low[i]), high = static_cast<double>(s.high[i]);
      const double a = (high - low) / (2 * s.far[c]), b = static_cast<double>(s.zero[i]);
      if (seen[c] && (out.a[c] != a || out.b[c] != b)) return std::nullopt;
      // A slope that is small to the last is 0, as that of a channel that was pruned.
      if (std::abs(a) * s.far[c] < std::abs(b) && high != low) return std::nullopt;
      const double expected = a * s.far[c] / 2 + b;
      constexpr double kRounding = 1e-5;
      const double off = std::abs(static_cast<double>(s.middle[i]) - expected);
      if (!(off <= kRounding * std::abs(a) * s.far[c])) return std::nullopt;
      seen[c] = true;
      out.a[c] = a;
      out.b[c] = b;
    }
    return out;
  }

  std::optional<std::vector<float>> Evaluate(const ir::Call& call, ValueId variable,
                                             const std::vector<int64_t>& dims,
                                             const std::vector<float>& image) {
    interp::Options options;
    options.packed = interp::PackedTable();  // no external calls
    interp::Runtime rt(context_, module_, std::move(options));
    Diagnostics ignored;
    rt.diags = &ignored;
    auto tensor = interp::NewTensor(ir::DType::Float(32), dims, rt.budget);
    if (!tensor.ok()) return std::nullopt;
    if (!image.empty()) {
      std::memcpy((*tensor)->data(), image.data(), image.size() * sizeof(image[0]));
    }
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
