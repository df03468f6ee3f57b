#include "generator/transform/post_training/quantized_layers.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "generator/ops/args/attributes.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/post_training/normalization_values.h"
#include "generator/transform/post_training/pointwise_regions.h"

namespace lathe::transform {
namespace {

using ir::ValueId;

constexpr absl::string_view kArithmeticOps[] = {
    "relax.add",
    "relax.concat",
    "relax.matmul",
    "relax.mean",
    "relax.multiply",
    "relax.nn.adaptive_avg_pool1d",
    "relax.nn.adaptive_avg_pool2d",
    "relax.nn.avg_pool1d",
    "relax.nn.avg_pool2d",
    "relax.subtract",
};
constexpr absl::string_view kMoveOps[] = {
    "relax.expand_dims",   "relax.flatten",       "relax.nn.batch_flatten",
    "relax.nn.max_pool1d", "relax.nn.max_pool2d", "relax.permute_dims",
    "relax.reshape",       "relax.squeeze",       "relax.strided_slice",
};

bool IsFloatTensor(const ir::Module& module, const ir::Operand& operand) {
  if (const auto* id = operand.As<ir::ConstantId>()) {
    return module.constants[*id].dtype == ir::DType::Float(32);
  }
  const auto* id = operand.As<ValueId>();
  const ir::StructInfoRef info = id == nullptr ? nullptr : module.values[*id].info;
  const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  return tensor != nullptr && tensor->dtype == ir::DType::Float(32);
}

const std::vector<int64_t>* ConstantShape(const ir::Module& module, const ir::Operand& operand) {
  const auto* id = operand.As<ir::ConstantId>();
  return id == nullptr ? nullptr : &module.constants[*id].shape;
}

class LayerFinder {
 public:
  LayerFinder(const ir::Module& module, const absl::flat_hash_set<std::string>& keep)
      : module_(module), keep_(keep), uses_(CountUses(module)) {}

  NetworkLayers Find(const ir::Function& function) {
    for (const ir::Block& block : function.body.blocks) {
      for (const ir::Binding& binding : block.bindings) Note(binding);
    }
    taken_ = FindNormalizationValues(module_, function);
    // Products first, so that their activations are not layers of their own.
    for (const bool products : {true, false}) {
      if (!products) FindRegions(function);
      for (const ir::Block& block : function.body.blocks) {
        for (const ir::Binding& binding : block.bindings) AddLayer(binding, products);
      }
    }
    MarkPoints(function);
    return std::move(out_);
  }

 private:
  // Remembers the binding that uses a value, for values with one use.
  void Note(const ir::Binding& binding) {
    ForEachOperand(binding.rhs, [&](const ir::Operand& operand) {
      if (const auto* id = operand.As<ValueId>()) user_[*id] = &binding;
    });
  }

  // The call of an operator that alone uses `value`.
  const ir::Call* OnlyUser(ValueId value, ValueId& result) const {
    const auto user = user_.find(value);
    if (uses_[value] != 1 || user == user_.end()) return nullptr;
    const auto* call = std::get_if<ir::Call>(&user->second->rhs);
    if (call == nullptr || call->op() == nullptr || call->args.empty()) return nullptr;
    result = user->second->var;
    return call;
  }

  // A constant of one element per channel that is added to `value`.
  void TakeBias(const ir::Call& product, QuantizedLayer& layer) {
    ValueId sum;
    const ir::Call* call = OnlyUser(layer.result, sum);
    if (call == nullptr || call->op()->name != "relax.add") return;
    const auto* first = call->args[0].As<ir::ConstantId>();
    const auto* constant = first != nullptr ? first : call->args[1].As<ir::ConstantId>();
    const auto* tensor = module_.values[layer.core].info->As<ir::TensorInfo>();
    if (constant == nullptr || tensor->dims() == nullptr) return;
    const ProductAxes& axes = layer.axes;
    const std::vector<int64_t>& shape = module_.constants[*constant].shape;
    const auto& weights = module_.constants[*product.args[1].As<ir::ConstantId>()];
    const int64_t channels = weights.shape[static_cast<size_t>(axes.weights)];
    const auto rank = static_cast<int64_t>(tensor->dims()->size());
    if (std::ssize(shape) > rank) return;
    int64_t elements = 1;
    for (size_t a = 0; a < shape.size(); ++a) {
      const int64_t axis = rank - std::ssize(shape) + static_cast<int64_t>(a);
      if (shape[a] != 1 && axis != axes.result) return;
      elements *= shape[a];
    }
    if (elements != channels || module_.constants[*constant].dtype != ir::DType::Float(32)) return;
    layer.sum = sum;
    layer.bias_operand = first != nullptr ? 0 : 1;
    layer.bias = *constant;
    layer.result = sum;
  }

  // A number that bounds the values: R.maximum(x, R.const(0)).
  bool IsBound(const ir::Operand& operand) const {
    const std::vector<int64_t>* shape = ConstantShape(module_, operand);
    return shape != nullptr && absl::c_all_of(*shape, [](int64_t dim) { return dim == 1; });
  }

  bool IsClamp(const ir::Call& call) const {
    const absl::string_view name = call.op()->name;
    if (name == "relax.nn.relu" || name == "relax.clip") return true;
    return (name == "relax.maximum" || name == "relax.minimum") &&
           (IsBound(call.args[0]) || IsBound(call.args[1]));
  }

  // Several clamps may follow each other: a maximum and a minimum.
  void TakeActivation(QuantizedLayer& layer) {
    ValueId result;
    for (const ir::Call* call = OnlyUser(layer.result, result); call != nullptr && IsClamp(*call);
         call = OnlyUser(layer.result, result)) {
      layer.result = result;
      taken_.insert(result);
    }
  }

  std::optional<LayerKind> KindOf(const ir::Call& call) const {
    const absl::string_view name = call.op()->name;
    if (IsProductWithWeights(module_, call)) return LayerKind::kProduct;
    // Matrices that are constants in other places, and batches of them, stay in float32.
    const auto is_constant = [](const ir::Operand& arg) {
      return arg.As<ir::ConstantId>() != nullptr;
    };
    if (name == "relax.matmul" && absl::c_any_of(call.args, is_constant)) return std::nullopt;
    if (absl::c_linear_search(kArithmeticOps, name)) return LayerKind::kArithmetic;
    if (absl::c_linear_search(kMoveOps, name)) return LayerKind::kMove;
    return std::nullopt;
  }

  void FindRegions(const ir::Function& function) {
    PointwiseRegions found = FindPointwiseRegions(module_, function, taken_);
    regions_ = std::move(found.results);
    taken_.insert(found.intermediate.begin(), found.intermediate.end());
  }

  // Of an operator whose results are elementwise functions of one tensor.
  bool AddRegion(const ir::Binding& binding, const ir::Call& call) {
    const auto region = regions_.find(binding.var);
    if (region == regions_.end()) return false;
    if (region->second.steep) return true;
    QuantizedLayer layer;
    const absl::string_view name = call.op()->name;
    const bool simple =
        call.args[0].As<ValueId>() != nullptr && *call.args[0].As<ValueId>() == region->second.base;
    layer.op = simple && name != "relax.call_tir" ? ShortNameOf(call) : "elementwise";
    layer.core = layer.result = binding.var;
    layer.inputs = {region->second.base};
    layer.is_function = true;
    Keep(std::move(layer));
    return true;
  }

  static std::string ShortNameOf(const ir::Call& call) {
    return call.op()->name.substr(std::string("relax.").size());
  }

  void Keep(QuantizedLayer layer) {
    layer.name = module_.values[layer.result].name;
    // Names of layers are unique, so that --keep can name each.
    const int count = ++names_[layer.name];
    if (count > 1) layer.name = absl::StrCat(layer.name, ".", count);
    taken_.insert(layer.result);
    if (!keep_.contains(layer.name)) out_.layers.push_back(std::move(layer));
  }

  void AddLayer(const ir::Binding& binding, bool products) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr || taken_.contains(binding.var)) return;
    if (!IsFloatTensor(module_, ir::Operand{binding.var})) return;
    if (!products && AddRegion(binding, *call)) return;
    const std::optional<LayerKind> kind = KindOf(*call);
    if (!kind) return;
    const bool sums = call->op()->name == "relax.add" || call->op()->name == "relax.matmul" ||
                      call->op()->name == "relax.subtract";
    if (products && *kind != LayerKind::kProduct && !sums) return;
    QuantizedLayer layer;
    layer.kind = *kind;
    layer.op = ShortNameOf(*call);
    layer.core = layer.result = binding.var;
    bool is_real = true;
    for (const ir::Operand& arg : call->args) {
      ForEachLeaf(arg, [&](const ir::Operand& leaf) {
        const auto* id = leaf.As<ValueId>();
        if (id == nullptr && leaf.As<ir::ConstantId>() == nullptr) return;
        is_real &= IsFloatTensor(module_, leaf);
        if (id != nullptr) layer.inputs.push_back(*id);
      });
    }
    if (!is_real || layer.inputs.empty()) return;
    // A sum with a constant may be a part of an elementwise function.
    if (products && *kind != LayerKind::kProduct && layer.inputs.size() < 2) return;
    if (layer.kind == LayerKind::kProduct) {
      layer.axes = AxesOfProduct(module_, *call);
      TakeBias(*call, layer);
    }
    if (layer.sum) taken_.insert(*layer.sum);
    if (layer.kind != LayerKind::kMove) TakeActivation(layer);
    taken_.insert(layer.core);
    Keep(std::move(layer));
  }

  // An elementwise function between operators in float32 gains nothing from integers.
  void DropUnusedFunctions(const ir::Function& function) {
    absl::flat_hash_set<ValueId> read;
    for (const QuantizedLayer& layer : out_.layers) {
      read.insert(layer.inputs.begin(), layer.inputs.end());
    }
    ForEachLeaf(function.body.result, [&](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<ValueId>()) read.insert(*id);
    });
    const auto unused = [&](const QuantizedLayer& layer) {
      return layer.is_function && !read.contains(layer.result);
    };
    out_.layers.erase(std::remove_if(out_.layers.begin(), out_.layers.end(), unused),
                      out_.layers.end());
  }

  void SortByProgram(const ir::Function& function) {
    absl::flat_hash_map<ValueId, int> order;
    for (const ir::Block& block : function.body.blocks) {
      for (const ir::Binding& binding : block.bindings) {
        order.try_emplace(binding.var, static_cast<int>(order.size()));
      }
    }
    std::stable_sort(out_.layers.begin(), out_.layers.end(),
                     [&](const QuantizedLayer& a, const QuantizedLayer& b) {
                       return order[a.result] < order[b.result];
                     });
  }

  // Quantizes what layers read and write; a move only if its input is quantized anyway.
  void MarkPoints(const ir::Function& function) {
    DropUnusedFunctions(function);
    SortByProgram(function);
    absl::flat_hash_set<ValueId> points;
    for (const QuantizedLayer& layer : out_.layers) {
      if (layer.kind == LayerKind::kMove) continue;
      points.insert(layer.inputs.begin(), layer.inputs.end());
      points.insert(layer.result);
    }
    std::vector<QuantizedLayer> kept;
    for (QuantizedLayer& layer : out_.layers) {
      if (layer.kind == LayerKind::kMove) {
        if (!points.contains(layer.inputs[0])) continue;
        points.insert(layer.result);
        const auto source = out_.moved_from.find(layer.inputs[0]);
        out_.moved_from[layer.result] =
            source == out_.moved_from.end() ? layer.inputs[0] : source->second;
      }
      kept.push_back(std::move(layer));
    }
    out_.layers = std::move(kept);
    const auto add = [&](ValueId id) {
      if (points.contains(id)) out_.points.push_back(id);
    };
    for (ValueId param : function.params) add(param);
    for (const ir::Block& block : function.body.blocks) {
      for (const ir::Binding& binding : block.bindings) add(binding.var);
    }
  }

  const ir::Module& module_;
  const absl::flat_hash_set<std::string>& keep_;
  NetworkLayers out_;
  const Uses uses_;
  absl::flat_hash_map<ValueId, const ir::Binding*> user_;
  absl::flat_hash_set<ValueId> taken_;  // values of layers, and of normalizations
  absl::flat_hash_map<ValueId, PointwiseRegion> regions_;
  absl::flat_hash_map<std::string, int> names_;
};

}  // namespace

bool IsProductWithWeights(const ir::Module& module, const ir::Call& call) {
  const absl::string_view name = call.op()->name;
  const bool conv = name == "relax.nn.conv1d" || name == "relax.nn.conv2d";
  if (!conv && name != "relax.matmul") return false;
  const auto* weights = call.args[1].As<ir::ConstantId>();
  if (weights == nullptr || call.args[0].As<ValueId>() == nullptr) return false;
  if (module.constants[*weights].dtype != ir::DType::Float(32)) return false;
  if (!conv) return module.constants[*weights].shape.size() == 2;
  const auto has_blocks = [&](const char* attribute) {
    return ops::FindString(call, attribute).find_first_of("0123456789") != std::string::npos;
  };
  return !has_blocks("data_layout") && !has_blocks("kernel_layout") && !has_blocks("out_layout");
}

ProductAxes AxesOfProduct(const ir::Module& module, const ir::Call& call) {
  const auto& weights = module.constants[*call.args[1].As<ir::ConstantId>()];
  if (call.op()->name == "relax.matmul") {
    const auto* data = module.values[*call.args[0].As<ValueId>()].info->As<ir::TensorInfo>();
    return {static_cast<int>(weights.shape.size()) - 1, std::max(data->ndim, 1) - 1,
            std::max(data->ndim, 1) - 1, 0};
  }
  const std::string out = ops::FindString(call, "out_layout");
  const std::string image = out.empty() ? ops::FindString(call, "data_layout") : out;
  const std::string kernel = ops::FindString(call, "kernel_layout");
  return {static_cast<int>(kernel.find('O')), static_cast<int>(image.find('C')),
          static_cast<int>(ops::FindString(call, "data_layout").find('C')),
          static_cast<int>(kernel.find('I'))};
}

NetworkLayers FindLayers(const ir::Module& module, const ir::Function& function,
                         const absl::flat_hash_set<std::string>& keep) {
  return LayerFinder(module, keep).Find(function);
}

NetworkLayers OnlyProducts(NetworkLayers network) {
  NetworkLayers out;
  absl::flat_hash_set<ValueId> points;
  for (QuantizedLayer& layer : network.layers) {
    if (layer.kind != LayerKind::kProduct) continue;
    points.insert(layer.inputs.begin(), layer.inputs.end());
    points.insert(layer.result);
    out.layers.push_back(std::move(layer));
  }
  for (const ValueId point : network.points) {
    if (points.contains(point)) out.points.push_back(point);
  }
  return out;
}

}  // namespace lathe::transform
