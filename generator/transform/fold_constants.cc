#include "generator/transform/fold_constants.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/interp/eval_op.h"
#include "generator/interp/eval_operand.h"
#include "generator/ir/each_body.h"
#include "generator/ir/packed_elements.h"
#include "generator/ops/te/weight_blocks.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/effects.h"
#include "generator/transform/legalize.h"
#include "generator/transform/overwritten_values.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {
namespace {

using interp::Value;
using ir::Operand;

// Small packed constants, such as 4-bit weights, are unpacked at run time when the result is larger
// than this.
constexpr uint64_t kUnpackedBytes = 64;

// Roots that are recorded per constant.
constexpr size_t kMaxRoots = 64;

class Folding {
 public:
  Folding(ir::Context& context, ir::Module& module, const FoldBudget& budget)
      : context_(context),
        module_(module),
        budget_(budget),
        steps_left_(budget.max_steps),
        replacement_(context, module),
        changed_(OverwrittenValues(context, module)) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> kept;
      for (ir::Binding& binding : block.bindings) {
        replacement_.In(binding);
        if (std::optional<Operand> known = Known(binding)) {
          replacement_.Set(binding.var, *std::move(known));
          continue;
        }
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
        kept.push_back(std::move(binding));
      }
      block.bindings = std::move(kept);
    }
    replacement_.In(body.result);
    ConsolidateBlocks(body);
  }

 private:
  std::optional<Operand> Known(const ir::Binding& binding) {
    if (changed_[binding.var] || IsPlaced(module_.values[binding.var].info)) return std::nullopt;
    if (const auto* get = std::get_if<ir::GetField>(&binding.rhs)) {
      const auto* tuple = get->tuple.As<ir::TupleExpr>();
      if (tuple == nullptr || !IsKnown(get->tuple)) return std::nullopt;
      if (get->index < 0 || get->index >= std::ssize(tuple->fields)) return std::nullopt;
      return tuple->fields[get->index];
    }
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || !MayFold(*call)) return std::nullopt;
    return Evaluate(binding, *call);
  }

  // Constants have no device; a value with a known device is computed there.
  static bool IsPlaced(ir::StructInfoRef info) {
    const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
    return tensor != nullptr && tensor->vdevice != nullptr;
  }

  bool IsKnown(const Operand& operand) const {
    bool known = true;
    ir::ForEachLeaf(operand, [&](const Operand& leaf) {
      if (leaf.As<ir::ValueId>() != nullptr) known = false;
      if (const auto* shape = leaf.As<ir::ShapeExpr>()) {
        for (ir::PrimRef e : shape->values) known &= analysis::VarsIn(e).empty();
      } else if (const auto* prim = leaf.As<ir::PrimValue>()) {
        known &= analysis::VarsIn(prim->value).empty();
      }
    });
    return known;
  }

  bool MayFold(const ir::Call& call) const {
    const ir::Op* op = call.op();
    const bool tir = op != nullptr && op->name == "relax.call_tir";
    if (op == nullptr || (op->compute == nullptr && !tir)) return false;
    if (!IsEffectFree(context_, module_, call)) return false;
    for (const Operand& arg : call.args) {
      if (!IsKnown(arg)) return false;
    }
    for (ir::StructInfoRef info : call.sinfo_args) {
      if (!analysis::FreeVars(info).empty()) return false;
    }
    return true;
  }

  uint64_t BytesOf(const Operand& leaf) const {
    const auto* id = leaf.As<ir::ConstantId>();
    return id == nullptr ? 0 : module_.constants[*id].bytes->size();
  }

  // Adds the constants of the program that `operand` was computed from.
  void AddRoots(const Operand& operand) {
    ir::ForEachLeaf(operand, [&](const Operand& leaf) {
      const auto* id = leaf.As<ir::ConstantId>();
      if (id == nullptr) return;
      const auto known = roots_of_.find(*id);
      if (known == roots_of_.end()) {
        roots_.insert(*id);
      } else {
        roots_.insert(known->second.begin(), known->second.end());
      }
    });
  }

  uint64_t RootBytes() const {
    uint64_t bytes = 0;
    for (ir::ConstantId id : roots_) bytes += module_.constants[id].bytes->size();
    return bytes;
  }

  bool HasPacked(const Operand& operand) const {
    bool found = false;
    ir::ForEachLeaf(operand, [&](const Operand& leaf) {
      const auto* id = leaf.As<ir::ConstantId>();
      found = found || (id != nullptr && ir::IsPacked(module_.constants[*id].dtype));
    });
    return found;
  }

  // Returns whether the call makes floats of weights, which kernels read as integers.
  bool IsDequantization(const ir::Call& call) const {
    if (call.op()->name == "relax.dequantize") return true;
    const auto* id =
        call.op()->name == "relax.call_tir" ? call.args[0].As<ir::GlobalId>() : nullptr;
    const ir::PrimFunc* func = id == nullptr ? nullptr : module_.globals[*id].prim_func();
    if (func == nullptr) return false;
    const auto* name = ir::FindAttr<std::string>(func->attrs, kOperatorName);
    return name != nullptr && *name == ops::kDequantizeBlocks;
  }

  std::optional<Operand> Evaluate(const ir::Binding& binding, const ir::Call& call) {
    uint64_t given = 0, largest = 0;
    bool is_packed = IsDequantization(call);
    roots_ = {};
    for (const Operand& arg : call.args) {
      ir::ForEachLeaf(arg, [&](const Operand& leaf) {
        const uint64_t bytes = BytesOf(leaf);
        given += bytes;
        largest = std::max(largest, bytes);
      });
      is_packed = is_packed || HasPacked(arg);
      AddRoots(arg);
    }
    // The bound is relative to the roots, so constants that grow repeatedly are bounded as well.
    const uint64_t allowed = is_packed ? std::max({kUnpackedBytes, largest, RootBytes()})
                                       : std::max({budget_.max_bytes, largest, 2 * RootBytes()});
    interp::Options options;
    options.packed = interp::PackedTable();  // no external calls
    // The arguments, the result, and the same again for intermediate values.
    options.max_bytes = 4 * (allowed + given) + 4096;
    interp::Runtime rt(context_, module_, std::move(options));
    rt.steps_left = steps_left_;
    Diagnostics ignored;
    rt.diags = &ignored;
    const std::optional<Value> value = Call(rt, binding, call);
    steps_left_ = rt.steps_left;
    return value ? AsOperand(*value, allowed) : std::nullopt;
  }

  std::optional<Value> Call(interp::Runtime& rt, const ir::Binding& binding,
                            const ir::Call& call) const {
    if (steps_left_ <= 0) return std::nullopt;
    const interp::Scope scope;
    std::vector<Value> args;
    for (const Operand& arg : call.args) {
      auto value = interp::EvalOperand(rt, arg, scope, binding.loc);
      if (!value.ok()) return std::nullopt;
      args.push_back(*std::move(value));
    }
    auto value = interp::EvalOp(
        {rt, scope, call, *call.op(), args, binding.loc, module_.values[binding.var].info});
    if (!value.ok()) return std::nullopt;
    // A call that overwrites an argument cannot be folded.
    for (size_t i = 0; i < args.size(); ++i) {
      if (IsChanged(call.args[i], args[i])) return std::nullopt;
    }
    return *std::move(value);
  }

  bool IsChanged(const Operand& given, const Value& value) const {
    if (const auto* id = given.As<ir::ConstantId>()) {
      const std::vector<uint8_t>& bytes = *module_.constants[*id].bytes;
      const interp::Tensor* tensor = value.AsTensor();
      return tensor != nullptr && !std::equal(bytes.begin(), bytes.end(), tensor->data());
    }
    const auto* tuple = given.As<ir::TupleExpr>();
    const auto* fields = value.AsTuple();
    for (size_t i = 0; tuple != nullptr && fields != nullptr && i < fields->size(); ++i) {
      if (IsChanged(tuple->fields[i], (*fields)[i])) return true;
    }
    return false;
  }

  std::optional<Operand> AsOperand(const Value& value, uint64_t allowed) {
    if (const interp::Tensor* tensor = value.AsTensor()) {
      if (tensor->bytes() > allowed) return std::nullopt;
      auto bytes =
          std::make_shared<std::vector<uint8_t>>(tensor->data(), tensor->data() + tensor->bytes());
      const ir::ConstantId id =
          module_.constants.Add({tensor->dtype, tensor->shape, std::move(bytes)});
      // With too many roots, the constant counts as one of the program's.
      if (roots_.size() <= kMaxRoots) roots_of_[id] = roots_;
      return Operand{id};
    }
    const auto* fields = value.AsTuple();
    if (fields == nullptr) return std::nullopt;
    ir::TupleExpr tuple;
    for (const Value& field : *fields) {
      std::optional<Operand> operand = AsOperand(field, allowed);
      if (!operand) return std::nullopt;
      tuple.fields.push_back(*std::move(operand));
    }
    return Operand{std::move(tuple)};
  }

  ir::Context& context_;
  ir::Module& module_;
  const FoldBudget budget_;
  int64_t steps_left_;
  Replacement replacement_;
  const IdVector<ir::ValueId, char> changed_;
  absl::btree_set<ir::ConstantId> roots_;  // of the current call
  absl::flat_hash_map<ir::ConstantId, absl::btree_set<ir::ConstantId>> roots_of_;
};

}  // namespace

void FoldConstants(ir::Context& context, ir::Module& module, const FoldBudget& budget) {
  Folding folding(context, module, budget);
  ForEachFunction(module, [&](ir::Function& f) { folding.In(f.body); });
}

}  // namespace lathe::transform
