#include "generator/transform/quantize/fuse_requantized.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/support/check.h"
#include "generator/target/gpu.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/dead_code_elimination.h"
#include "generator/transform/quantize/integer_depthwise.h"
#include "generator/transform/quantize/integer_graph.h"
#include "generator/transform/quantize/integer_product.h"
#include "generator/transform/quantize/product_numbers.h"
#include "generator/transform/quantize/prune_channels.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;

// A product with the variables of the operators that it replaces.
struct FoundProduct {
  ChainedProduct chained;
  ir::ValueId result;
  absl::flat_hash_set<ir::ValueId> inner;
};

class RequantizedFusion {
 public:
  RequantizedFusion(ir::Context& context, ir::Module& module, IntegerLoops loops)
      : module_(module), uses_(CountUses(module)), graph_(context, module, loops) {}

  bool has_changed() const { return changed_; }

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
      }
      FindProducts(block);
      PruneInputs(block);
      Emit(block);
    }
  }

 private:
  void FindProducts(ir::Block& block) {
    found_.clear();
    std::vector<ir::Binding> none;
    graph_.EnterBlock(none, block.dataflow);
    for (const ir::Binding& binding : block.bindings) {
      graph_.At(binding);
      inner_.clear();
      if (auto product = ProductOf(binding)) {
        FoundProduct found = {{*std::move(product), -1, false}, binding.var, inner_};
        if (const auto* x = found.chained.product.x.data.As<ir::ValueId>()) {
          for (size_t i = 0; i < found_.size(); ++i) {
            if (found_[i].result == *x) found.chained.from = static_cast<int>(i);
          }
        }
        found_.push_back(std::move(found));
      }
      graph_.Define(binding);
    }
  }

  // Removes columns that no other operators than these products read.
  void PruneInputs(const ir::Block& block) {
    absl::flat_hash_map<ir::ValueId, int> here;
    absl::flat_hash_map<ir::ValueId, std::vector<ir::ValueId>> readers;
    for (const ir::Binding& binding : block.bindings) {
      ForEachUse(module_, binding, [&](ir::ValueId id) {
        ++here[id];
        readers[id].push_back(binding.var);
      });
    }
    // Whether only products with the input `from` read the variable.
    const auto is_private = [&](ir::ValueId id, int from) {
      if (here[id] != uses_[id]) return false;
      for (ir::ValueId reader : readers[id]) {
        const auto reads = [&](const FoundProduct& product) {
          return product.chained.from == from &&
                 (product.inner.contains(reader) || product.result == reader);
        };
        if (std::none_of(found_.begin(), found_.end(), reads)) return false;
      }
      return true;
    };
    std::vector<ChainedProduct> products;
    for (size_t i = 0; i < found_.size(); ++i) {
      if (!is_private(found_[i].result, static_cast<int>(i))) found_[i].chained.open = true;
      const int from = found_[i].chained.from;
      for (ir::ValueId id : found_[i].inner) {
        if (from >= 0 && !is_private(id, from))
          found_[static_cast<size_t>(from)].chained.open = true;
      }
    }
    for (const FoundProduct& found : found_) products.push_back(found.chained);
    // Loops over four channels at a time have no rest.
    const int64_t granule = graph_.pairs() || graph_.helium() || graph_.quads() ? 4 : 1;
    if (!PruneChannels(products, granule)) return;
    for (size_t i = 0; i < found_.size(); ++i) found_[i].chained = std::move(products[i]);
  }

  // Replaces the products by kernels.
  void Emit(ir::Block& block) {
    std::vector<ir::Binding> bindings;
    graph_.EnterBlock(bindings, block.dataflow);
    size_t next = 0;
    for (ir::Binding& binding : block.bindings) {
      graph_.At(binding);
      if (next < found_.size() && found_[next].result == binding.var) {
        ChainedProduct& chained = found_[next++].chained;
        IntegerProduct& p = chained.product;
        if (chained.from >= 0) p.x.data = Operand{found_[static_cast<size_t>(chained.from)].result};
        const RequiredResult wanted = {p.dims, Affine{p.epilogue->range().dtype, 1, 0}};
        const MaybeOperand made = IsDepthwise(p) ? EmitIntegerDepthwise(graph_, p, {}, wanted)
                                                 : EmitIntegerProduct(graph_, p, {}, wanted);
        LATHE_CHECK(made, "sums of 32 bits");
        binding.rhs = *made;
        ir::Value& value = module_.values[binding.var];
        value.info = module_.values[graph_.VariableOf(*made)].info;
        value.annotation = nullptr;
        changed_ = true;
      }
      graph_.Define(binding);
      bindings.push_back(std::move(binding));
    }
    block.bindings = std::move(bindings);
  }

  std::optional<IntegerProduct> ProductOf(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr) return std::nullopt;
    if (call->op()->name != "relax.lathe.requantize") return std::nullopt;
    const auto dims = graph_.DimsOf(Operand{binding.var});
    if (!dims || dims->empty() || HasNoElements(*dims)) return std::nullopt;
    const DType out = ops::FindDType(*call, "out_dtype");
    if (ops::FindString(*call, "rounding") != "twice" || out.bits > 16) return std::nullopt;
    IntegerProduct p;
    p.dims = *dims;
    p.columns = dims->back();
    const int64_t axis = ops::IntAttr(*call, "axis"), rank = std::ssize(*dims);
    if (axis != -1 && axis != rank - 1) return std::nullopt;
    const auto epilogue = EpilogueOf(*call, p.columns);
    if (!epilogue) return std::nullopt;
    p.epilogue = *epilogue;
    const ir::Call* core = CoreOf(call->args[0], p);
    if (core == nullptr) return std::nullopt;
    const bool fits = core->op()->name == "relax.nn.conv2d" ? Conv(*core, p)
                      : core->op()->name == "relax.matmul"  ? Product(*core, p)
                                                            : false;
    // Only the dtype counts.
    const RequiredResult wanted = {*dims, Affine{out, 1, 0}};
    return fits && NumbersOf(p, {}, wanted) ? std::optional(std::move(p)) : std::nullopt;
  }

  std::optional<IntegerEpilogue> EpilogueOf(const ir::Call& call, int64_t columns) {
    const auto mantissas = graph_.Evaluate(call.args[1], {});
    const auto shifts = graph_.Evaluate(call.args[2], {});
    if (!mantissas || !shifts) return std::nullopt;
    const std::vector<int64_t> m = IntegerGraph::IntegersOf(*mantissas);
    const std::vector<int64_t> s = IntegerGraph::IntegersOf(*shifts);
    if (m.size() != s.size() || (m.size() != 1 && std::ssize(m) != columns)) return std::nullopt;
    std::vector<ops::FixedFactor> factors;
    for (size_t i = 0; i < m.size(); ++i) {
      constexpr int64_t kShifts = 31;
      if (s[i] < -kShifts || s[i] > kShifts || m[i] < 0) return std::nullopt;
      factors.push_back({m[i], static_cast<int>(s[i])});
    }
    return IntegerEpilogue::MakeTwice(
        std::move(factors), {ops::FindDType(call, "out_dtype"), ops::IntAttr(call, "zero_point"),
                             ops::IntAttr(call, "low"), ops::IntAttr(call, "high")});
  }

  // The operator below an optional addition of constants along the columns, which become the bias.
  const ir::Call* CoreOf(const Operand& sums, IntegerProduct& p) {
    const ir::Call* call = InnerCall(sums);
    if (call == nullptr || call->op()->name != "relax.add") return call;
    const auto bias = graph_.Evaluate(call->args[1], {});
    if (!bias || bias->dtype != DType::Int(32)) return nullptr;
    const std::vector<int64_t> values = IntegerGraph::IntegersOf(*bias);
    if (std::ssize(values) != p.columns || bias->shape.empty() || bias->shape.back() != p.columns) {
      return nullptr;
    }
    p.bias.assign(values.begin(), values.end());
    return InnerCall(call->args[0]);
  }

  // The call that computes `operand`, an operator of the product.
  const ir::Call* InnerCall(const Operand& operand) {
    const ir::Call* call = graph_.CallOf(operand);
    if (call != nullptr) inner_.insert(graph_.VariableOf(operand));
    return call;
  }

  // The small integers that `operand` widens to int32, possibly less a constant.
  std::optional<IntegerTensor> Centred(const Operand& operand) {
    const ir::Call* call = InnerCall(operand);
    int64_t zero = 0;
    if (call != nullptr && call->op()->name == "relax.subtract") {
      const auto value = graph_.Evaluate(call->args[1], {});
      if (!value || value->num_elements() != 1) return std::nullopt;
      zero = IntegerGraph::IntegersOf(*value)[0];
      call = InnerCall(call->args[0]);
    }
    if (call == nullptr || call->op()->name != "relax.astype") return std::nullopt;
    const Operand data = call->args[0];
    const auto dims = graph_.DimsOf(data);
    const DType dtype = graph_.ElementTypeOf(data);
    if (!dims || !dtype.is_integer() || dtype.bits > 8) return std::nullopt;
    return IntegerTensor{data, *dims, {dtype, 1, zero}};
  }

  // The constant weights, whose dimensions `order` brings to [columns, ...].
  static std::vector<int32_t> Reordered(const interp::Tensor& w, const std::vector<int>& order) {
    const std::vector<int64_t> values = IntegerGraph::IntegersOf(w);
    std::vector<int64_t> strides(w.shape.size(), 1);
    for (size_t i = w.shape.size(); i-- > 1;) strides[i - 1] = strides[i] * w.shape[i];
    std::vector<int64_t> at(order.size(), 0);
    std::vector<int32_t> made;
    for (size_t count = 0; count < values.size(); ++count) {
      int64_t place = 0;
      for (size_t i = 0; i < order.size(); ++i) {
        place += at[i] * strides[static_cast<size_t>(order[i])];
      }
      made.push_back(static_cast<int32_t>(values[static_cast<size_t>(place)]));
      for (size_t i = order.size(); i-- > 0;) {
        if (++at[i] < w.shape[static_cast<size_t>(order[i])]) break;
        at[i] = 0;
      }
    }
    return made;
  }

  bool Conv(const ir::Call& call, IntegerProduct& p) {
    const std::string kernel = ops::FindString(call, "kernel_layout");
    if (ops::FindString(call, "data_layout") != "NHWC" ||
        ops::FindString(call, "out_layout") != "NHWC" || (kernel != "OHWI" && kernel != "HWOI")) {
      return false;
    }
    const auto x = Centred(call.args[0]);
    const auto weights = graph_.Evaluate(call.args[1], {});
    if (!x || !weights || weights->num_elements() == 0) return false;
    const std::vector<int> order =
        kernel == "OHWI" ? std::vector<int>{0, 1, 2, 3} : std::vector<int>{2, 0, 1, 3};
    const auto dim = [&](int i) { return weights->shape[static_cast<size_t>(order[i])]; };
    const std::vector<int64_t> strides = ops::IntsAttr(call, "strides");
    const std::vector<int64_t> dilation = ops::IntsAttr(call, "dilation");
    const std::vector<int64_t> pads = ops::IntsAttr(call, "padding");
    IntegerWindow w;
    w.batch = x->dims[0];
    w.height = x->dims[1];
    w.width = x->dims[2];
    w.channels = x->dims[3];
    w.kernel_h = dim(1);
    w.kernel_w = dim(2);
    w.stride_h = strides[0];
    w.stride_w = strides[1];
    w.dilation_h = dilation[0];
    w.dilation_w = dilation[1];
    w.top = pads[0];
    w.left = pads[1];
    w.bottom = pads[2];
    w.right = pads[3];
    w.out_h = p.dims[1];
    w.out_w = p.dims[2];
    w.groups = ops::IntAttr(call, "groups");
    p.depth = dim(1) * dim(2) * dim(3);
    p.rows = p.dims[0] * p.dims[1] * p.dims[2];
    p.weights = Reordered(*weights, order);
    p.x = *x;
    p.window = w;
    p.name = IsDepthwise(p) ? "depthwise_conv2d" : "conv2d";
    return true;
  }

  bool Product(const ir::Call& call, IntegerProduct& p) {
    const auto x = Centred(call.args[0]);
    const auto weights = graph_.Evaluate(call.args[1], {});
    if (!x || !weights || weights->shape.size() != 2 || weights->num_elements() == 0) {
      return false;
    }
    p.name = "matmul";
    p.depth = weights->shape[0];
    for (size_t i = 0; i + 1 < p.dims.size(); ++i) p.rows *= p.dims[i];
    p.weights = Reordered(*weights, {1, 0});
    p.x = *x;
    return true;
  }

  ir::Module& module_;
  const Uses uses_;  // in the module as it was
  IntegerGraph graph_;
  std::vector<FoundProduct> found_;              // of the block
  absl::flat_hash_set<ir::ValueId> inner_ = {};  // of the product
  bool changed_ = false;
};

}  // namespace

bool FuseRequantized(ir::Context& context, ir::Module& module, const Target& target, bool small) {
  // Tensor cores multiply the factors of narrow_products.
  if (target.name == CudaTarget().name) return false;
  RequantizedFusion fusion(context, module, IntegerLoopsFor(target, small));
  ir::RewriteEachFunction(module, [&](ir::Function& f) { fusion.In(f.body); });
  if (fusion.has_changed()) DeadCodeElimination(context, module);
  return fusion.has_changed();
}

}  // namespace lathe::transform
