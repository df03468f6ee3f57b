#include "generator/transform/quantize/narrow_products.h"

#include <utility>

#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/ops/te/te.h"
#include "generator/support/check.h"
#include "generator/transform/call_to_tir.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/legalize.h"
#include "generator/transform/quantize/integer_graph.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;
using ir::PrimRef;

// The narrow source of an int32 operand.
struct SmallFactor {
  Operand data;
  ir::StructInfoRef info = nullptr;
  std::optional<Operand> zero;  // of int32, constant along the last dimension
};

// Weights of int8, with each column contiguous along the depth, and the sum of each column.
struct SmallWeights {
  std::vector<int64_t> dims;  // of the stored weights
  std::vector<int64_t> values;
  std::vector<int64_t> sums;
};

class ProductNarrowing {
 public:
  ProductNarrowing(ir::Context& context, ir::Module& module)
      : ir_(context),
        module_(module),
        graph_(context, module, IntegerLoops::kElements),
        names_(module) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
      }
      std::vector<ir::Binding> bindings;
      graph_.EnterBlock(bindings, block.dataflow);
      for (ir::Binding& binding : block.bindings) {
        EmitOps emit(module_, bindings, block.dataflow, binding.loc);
        if (auto made = MaybeOperand(binding, emit)) binding.rhs = *std::move(made);
        graph_.Define(binding);
        bindings.push_back(std::move(binding));
      }
      block.bindings = std::move(bindings);
    }
  }

 private:
  std::optional<ir::Rhs> MaybeOperand(const ir::Binding& binding, EmitOps& emit) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || call->op() == nullptr || call->op()->name != "relax.matmul" ||
        graph_.ElementTypeOf(Operand{binding.var}) != DType::Int(32)) {
      return std::nullopt;
    }
    const auto x = FactorOf(call->args[0]);
    const auto weights = x ? WeightsOf(call->args[1]) : std::nullopt;
    if (!weights) return std::nullopt;
    const int64_t moved = x->info->As<ir::TensorInfo>()->dtype.is_uint() ? kMiddle : 0;
    const Operand sums = Product(*x, *weights, moved, binding, emit);
    if (!x->zero && moved == 0) return ir::Rhs{sums};
    return ir::Rhs{WithoutZero(*x, *weights, moved, sums, binding)};
  }

  // Emits sums - (zero - moved) * the sum of the column's weights.
  ir::Call WithoutZero(const SmallFactor& x, const SmallWeights& weights, int64_t moved,
                       const Operand& sums, const ir::Binding& binding) {
    const DType wide = DType::Int(32);
    const int64_t columns = weights.dims[0];
    const std::vector<PrimRef> dims = DimsOfSums(x, weights);
    std::vector<ops::Te::NamedInfo> inputs = {
        {"sum", ir_.Tensor(dims, wide)}, {"weight_sums", ir_.Tensor({ir_.Int(columns)}, wide)}};
    std::vector<Operand> args = {sums, graph_.Constant(wide, {columns}, weights.sums)};
    if (x.zero) {
      inputs.push_back({"zero", analysis::KnownInfo(ir_, module_, *x.zero)});
      args.push_back(*x.zero);
    }
    absl::StatusOr<ops::Te> te = ops::Te::Of(ir_, inputs);
    LATHE_CHECK(te.ok(), "tensors of known ranks");
    ops::ScalarMath& m = te->math();
    const ir::BufferRef out = te->Compute("out", dims, wide, [&](const ops::Indices& at) {
      PrimRef off = m.ir().Int(-moved, wide);
      if (x.zero) off = m.Add(te->AtBroadcast(te->Input(2), at, dims), off);
      return m.Sub(te->At(te->Input(0), at), m.Mul(off, te->At(te->Input(1), {at.back()})));
    });
    return Kernel("zero_point", *te, out, args, binding);
  }

  const ir::TensorInfo* InfoOf(const Operand& operand) const {
    const auto* info = analysis::KnownInfo(ir_, module_, operand)->As<ir::TensorInfo>();
    return info != nullptr && info->dims() != nullptr ? info : nullptr;
  }

  std::optional<SmallFactor> FactorOf(const Operand& operand) const {
    SmallFactor factor;
    const ir::Call* call = graph_.CallOf(operand);
    const ir::TensorInfo* whole = InfoOf(operand);
    if (call != nullptr && call->op()->name == "relax.subtract") {
      factor.zero = call->args[1];
      const ir::TensorInfo* zero = InfoOf(*factor.zero);
      const bool fits = zero != nullptr && zero->dtype == DType::Int(32) &&
                        (zero->dims()->empty() || IsOne(zero->dims()->back()));
      if (!fits) return std::nullopt;
      call = graph_.CallOf(call->args[0]);
    }
    if (call == nullptr || call->op()->name != "relax.astype") return std::nullopt;
    factor.data = call->args[0];
    factor.info = analysis::KnownInfo(ir_, module_, factor.data);
    const ir::TensorInfo* info = InfoOf(factor.data);
    // The zero point must not have broadcast the factor to a larger shape.
    const bool same = info != nullptr && whole != nullptr && *info->dims() == *whole->dims() &&
                      info->dims()->size() >= 2;
    const bool small = same && (info->dtype == DType::Int(8) || info->dtype == DType::UInt(8));
    return small ? std::optional(factor) : std::nullopt;
  }

  static bool IsOne(PrimRef dim) {
    const auto* imm = dim->As<ir::IntImm>();
    return imm != nullptr && imm->value == 1;
  }

  std::optional<SmallWeights> WeightsOf(const Operand& operand) const {
    const auto tensor = graph_.Evaluate(operand, {});
    if (!tensor || tensor->ndim() != 2 || tensor->dtype != DType::Int(32)) return std::nullopt;
    const int64_t depth = tensor->shape[0], columns = tensor->shape[1];
    const std::vector<int64_t> from = IntegerGraph::IntegersOf(*tensor);
    SmallWeights weights = {{columns, depth}, {}, {}};
    for (int64_t c = 0; c < columns; ++c) {
      int64_t sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        const int64_t value = from[static_cast<size_t>(k * columns + c)];
        if (value < -kMiddle || value >= kMiddle) return std::nullopt;
        weights.values.push_back(value);
        sum += value;
      }
      weights.sums.push_back(sum);
    }
    return weights;
  }

  std::vector<PrimRef> DimsOfSums(const SmallFactor& x, const SmallWeights& weights) {
    std::vector<PrimRef> dims = *x.info->As<ir::TensorInfo>()->dims();
    dims.back() = ir_.Int(weights.dims[0]);
    return dims;
  }

  ir::Call Kernel(const char* name, ops::Te& te, ir::BufferRef out,
                  const std::vector<Operand>& args, const ir::Binding& binding) {
    ir::PrimFunc func = te.Finish({out});
    func.attrs[kOperatorName] = ir::AttrValue(std::string(name));
    const absl::StatusOr<std::vector<PrimRef>> sizes = AddSizeParams(func);
    LATHE_CHECK(sizes.ok(), "sizes of a tensor's dimensions");
    const ir::GlobalId id =
        module_.globals.Add({names_.Unique(name), std::move(func), binding.loc});
    return CallTir(id, args, *sizes, ir_.Tensor(out->shape, out->dtype));
  }

  Operand Product(const SmallFactor& x, const SmallWeights& weights, int64_t moved,
                  const ir::Binding& binding, EmitOps& emit) {
    const DType wide = DType::Int(32), small = DType::Int(8);
    const std::vector<PrimRef> stored = {ir_.Int(weights.dims[0]), ir_.Int(weights.dims[1])};
    absl::StatusOr<ops::Te> te =
        ops::Te::Of(ir_, {{"x", x.info}, {"weights", ir_.Tensor(stored, small)}});
    LATHE_CHECK(te.ok(), "tensors of known ranks");
    ops::ScalarMath& m = te->math();
    const auto left = [&](ops::Indices at) {
      const PrimRef value = te->At(te->Input(0), std::move(at));
      if (moved == 0) return value;
      return m.Cast(m.Sub(m.Cast(value, wide), m.ir().Int(moved, wide)), small);
    };
    const ir::BufferRef sums =
        te->Reduce("sum", DimsOfSums(x, weights), {stored[1]}, te->Sum(wide),
                   [&](const ops::Indices& at, const ops::Indices& r) {
                     ops::Indices from = at;
                     from.back() = r[0];
                     return m.Mul(m.Cast(left(std::move(from)), wide),
                                  m.Cast(te->At(te->Input(1), {at.back(), r[0]}), wide));
                   });
    const Operand constant = graph_.Constant(small, weights.dims, weights.values);
    return emit.Bind(Kernel("matmul", *te, sums, {x.data, constant}, binding),
                     module_.values[binding.var].name);
  }

  static constexpr int64_t kMiddle = 128;

  ir::Context& ir_;
  ir::Module& module_;
  IntegerGraph graph_;
  GlobalNames names_;
};

}  // namespace

void NarrowProducts(ir::Context& context, ir::Module& module) {
  ProductNarrowing narrowing(context, module);
  ir::RewriteEachFunction(module, [&](ir::Function& f) { narrowing.In(f.body); });
}

}  // namespace lathe::transform
