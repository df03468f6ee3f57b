#include "generator/transform/quantize/signed_activations.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "generator/ir/each_body.h"
#include "generator/ops/args/attributes.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;
using ir::ValueId;

constexpr int kMiddle = 128;

ir::Call* OperatorCall(ir::Binding& binding) {
  auto* call = std::get_if<ir::Call>(&binding.rhs);
  return call != nullptr && call->op() != nullptr ? call : nullptr;
}

bool IsComputedOnSigned(const ir::Call& call) {
  static const auto* const kNames = new absl::flat_hash_set<absl::string_view>{
      "relax.reshape",       "relax.permute_dims", "relax.squeeze", "relax.expand_dims",
      "relax.flatten",       "relax.concat",       "relax.tile",    "relax.strided_slice",
      "relax.broadcast_to",  "relax.repeat",       "relax.flip",    "relax.nn.max_pool2d",
      "relax.nn.max_pool1d", "relax.max"};
  return kNames->contains(call.op()->name);
}

class SignedActivations {
 public:
  SignedActivations(ir::Context& context, ir::Module& module)
      : context_(context), module_(module) {}

  bool has_changed() const { return changed_; }

  void In(ir::Function& f) {
    const absl::flat_hash_set<ValueId> read = ReadByDequantize(f.body);
    if (!HasProducts(f.body)) return;
    for (size_t i = 0; i < f.body.blocks.size(); ++i) {
      ir::Block& block = f.body.blocks[i];
      std::vector<ir::Binding> bindings;
      for (ir::Binding& binding : block.bindings) {
        if (i == 0 && bindings.empty()) ConvertParams(f, read, block.dataflow, bindings);
        Rewrite(binding, block.dataflow, bindings);
      }
      block.bindings = std::move(bindings);
    }
    ConvertResult(f.body);
  }

 private:
  // The uint8 values that a R.dequantize outside of branches reads.
  absl::flat_hash_set<ValueId> ReadByDequantize(ir::Body& body) const {
    absl::flat_hash_set<ValueId> read;
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        const ir::Call* call = OperatorCall(binding);
        if (call == nullptr || call->op()->name != "relax.dequantize") continue;
        const auto* id = call->args[0].As<ValueId>();
        if (id != nullptr && ZeroOf(call->args[2]) != nullptr) read.insert(*id);
      }
    }
    return read;
  }

  // True if a convolution or product outside of branches reads uint8 values. Others have kernels of
  // uint8, which need no conversion.
  bool HasProducts(ir::Body& body) const {
    absl::flat_hash_set<ValueId> real;  // of uint8 values
    for (ir::Block& block : body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        const ir::Call* call = OperatorCall(binding);
        if (call == nullptr) continue;
        const absl::string_view name = call->op()->name;
        const auto* id = call->args.empty() ? nullptr : call->args[0].As<ValueId>();
        if (id == nullptr) continue;
        if (name == "relax.dequantize" && ZeroOf(call->args[2]) != nullptr)
          real.insert(binding.var);
        if (!real.contains(*id)) continue;
        if (IsComputedOnSigned(*call)) real.insert(binding.var);
        if (name == "relax.matmul" || absl::StartsWith(name, "relax.nn.conv")) return true;
      }
    }
    return false;
  }

  const ir::Constant* ZeroOf(const Operand& operand) const {
    const auto* id = operand.As<ir::ConstantId>();
    const ir::Constant* zero = id == nullptr ? nullptr : &module_.constants[*id];
    return zero != nullptr && zero->dtype == DType::UInt(8) ? zero : nullptr;
  }

  Operand SignedZero(const Operand& operand) {
    ir::Constant zero = *ZeroOf(operand);
    std::vector<uint8_t> bytes = *zero.bytes;
    for (uint8_t& byte : bytes) byte ^= kMiddle;
    zero.dtype = DType::Int(8);
    zero.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    return {module_.constants.Add(std::move(zero))};
  }

  Operand Moved(EmitOps& emit, const Operand& value, absl::string_view by, DType to) {
    const DType wide = DType::Int(16);
    const Operand widened = emit.Op("relax.astype", {value}, {{"dtype", wide}});
    const Operand sum = emit.Op(by, {widened, emit.Number(kMiddle, wide)});
    return emit.Op("relax.astype", {sum}, {{"dtype", to}});
  }

  void ConvertParams(const ir::Function& f, const absl::flat_hash_set<ValueId>& read, bool dataflow,
                     std::vector<ir::Binding>& out) {
    for (ValueId param : f.params) {
      const ir::StructInfoRef info = module_.values[param].info;
      const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
      if (tensor == nullptr || tensor->dtype != DType::UInt(8) || !read.contains(param)) continue;
      EmitOps emit(module_, out, dataflow, module_.values[param].loc);
      const Operand moved = Moved(emit, {param}, "relax.subtract", DType::Int(8));
      signed_of_[param] = *moved.As<ValueId>();
      changed_ = true;
    }
  }

  // Returns the signed form of `operand`, or null.
  const ValueId* SignedOf(const Operand& operand) const {
    const auto* id = operand.As<ValueId>();
    const auto found = id == nullptr ? signed_of_.end() : signed_of_.find(*id);
    return found == signed_of_.end() ? nullptr : &found->second;
  }

  void Rewrite(ir::Binding& binding, bool dataflow, std::vector<ir::Binding>& out) {
    ir::Call* call = OperatorCall(binding);
    if (call != nullptr && call->op()->name == "relax.quantize") {
      if (ops::FindDType(*call, "out_dtype") == DType::UInt(8) &&
          ZeroOf(call->args[2]) != nullptr) {
        call->args[2] = SignedZero(call->args[2]);
        call->attrs["out_dtype"] = DType::Int(8);
        return BindSigned(binding, out);
      }
    } else if (call != nullptr && call->op()->name == "relax.dequantize") {
      const ValueId* from = SignedOf(call->args[0]);
      if (from != nullptr && ZeroOf(call->args[2]) != nullptr) {
        call->args[0] = Operand{*from};
        call->args[2] = SignedZero(call->args[2]);
        out.push_back(std::move(binding));
        return;
      }
    } else if (call != nullptr && IsComputedOnSigned(*call) && ReadsSigned(*call)) {
      return BindSigned(binding, out);
    }
    Unsigned(binding, dataflow, out);
    out.push_back(std::move(binding));
  }

  // Makes the first argument, or all fields of it, signed. Returns false without changes if they
  // have no signed form.
  bool ReadsSigned(ir::Call& call) {
    if (const ValueId* from = SignedOf(call.args[0])) {
      call.args[0] = Operand{*from};
      return true;
    }
    auto* tuple = call.args[0].As<ir::TupleExpr>();
    if (tuple == nullptr || tuple->fields.empty()) return false;
    for (const Operand& field : tuple->fields) {
      if (SignedOf(field) == nullptr) return false;
    }
    for (Operand& field : tuple->fields) field = Operand{*SignedOf(field)};
    return true;
  }

  // The variable keeps its place, and has another dtype.
  void BindSigned(ir::Binding& binding, std::vector<ir::Binding>& out) {
    ir::Value& value = module_.values[binding.var];
    value.annotation = nullptr;
    value.info = nullptr;
    signed_of_[binding.var] = binding.var;
    changed_ = true;
    out.push_back(std::move(binding));
  }

  // Returns the values of `place`, a binding or an operand, that have another dtype now, each once.
  template <typename... Place>
  std::vector<ValueId> MadeIn(const Place&... place) const {
    std::vector<ValueId> read;
    ForEachUse(place..., [&](ValueId id) {
      const auto found = signed_of_.find(id);
      const bool is_made = found != signed_of_.end() && found->second == id;
      if (is_made && !absl::c_linear_search(read, id)) read.push_back(id);
    });
    return read;
  }

  // Replaces the signed values that `binding` reads by unsigned ones.
  void Unsigned(ir::Binding& binding, bool dataflow, std::vector<ir::Binding>& out) {
    const std::vector<ValueId> read = MadeIn(module_, binding);
    if (read.empty()) return;
    Replacement replaced(context_, module_);
    for (ValueId id : read) {
      EmitOps emit(module_, out, dataflow, binding.loc);
      replaced.Set(id, Moved(emit, {id}, "relax.add", DType::UInt(8)));
    }
    replaced.In(binding);
  }

  // A result is bound outside of dataflow blocks.
  void ConvertResult(ir::Body& body) {
    const std::vector<ValueId> read = MadeIn(body.result);
    if (read.empty()) return;
    ir::Block block;
    block.dataflow = false;
    Replacement replaced(context_, module_);
    for (ValueId id : read) {
      EmitOps emit(module_, block.bindings, false, module_.values[id].loc);
      const Operand moved = Moved(emit, {id}, "relax.add", DType::UInt(8));
      module_.values[*moved.As<ValueId>()].name = module_.values[id].name;
      replaced.Set(id, moved);
    }
    if (!body.blocks.empty() && !body.blocks.back().dataflow) {
      auto& last = body.blocks.back().bindings;
      std::move(block.bindings.begin(), block.bindings.end(), std::back_inserter(last));
    } else {
      body.blocks.push_back(std::move(block));
    }
    replaced.In(body.result);
  }

  ir::Context& context_;
  ir::Module& module_;
  // The variable itself, whose dtype is int8 now, or, of a parameter, another one.
  absl::flat_hash_map<ValueId, ValueId> signed_of_;
  bool changed_ = false;
};

}  // namespace

bool MakeActivationsSigned(ir::Context& context, ir::Module& module) {
  SignedActivations rewriting(context, module);
  ir::ForEachFunction(module, [&](ir::Function& f) { rewriting.In(f); });
  if (rewriting.has_changed()) {
    Diagnostics diags;
    RederiveInfo(context, module, diags);
  }
  return rewriting.has_changed();
}

}  // namespace lathe::transform
