#include "generator/transform/legalize.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/derive/reinfer_call.h"
#include "generator/ir/each_body.h"
#include "generator/ops/external_call.h"
#include "generator/transform/call_key.h"
#include "generator/transform/call_to_tir.h"
#include "generator/transform/effects.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/global_names.h"
#include "generator/transform/same_info.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::StructInfoRef;

class Legalization {
 public:
  Legalization(ir::Context& context, ir::Module& module, const std::set<std::string>& keep)
      : context_(context),
        module_(module),
        keep_(keep),
        bound_(BoundShapeVars(module)),
        names_(module) {}

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> bindings;
      for (ir::Binding& binding : block.bindings) {
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
        EmitOps emit(module_, bindings, block.dataflow, binding.loc);
        if (std::optional<ir::Rhs> legal = Legal(binding, emit)) binding.rhs = *std::move(legal);
        bindings.push_back(std::move(binding));
      }
      block.bindings = std::move(bindings);
    }
  }

 private:
  struct Made {
    ir::GlobalId func;
    std::vector<ir::PrimRef> sizes;
  };

  std::optional<ir::Rhs> Legal(const ir::Binding& binding, EmitOps& emit) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    const ir::Op* op = call == nullptr ? nullptr : call->op();
    if (op == nullptr || keep_.count(op->name) > 0) return std::nullopt;
    const bool external = !ops::ExternalFunction(*op).empty();
    if (op->compute == nullptr && !external) return std::nullopt;
    if (!IsEffectFree(context_, module_, *call)) return std::nullopt;
    StructInfoRef info = module_.values[binding.var].info;
    if (info == nullptr) return std::nullopt;
    if (external) {
      if (!IsComputable(info)) return std::nullopt;
      return ops::ExternalCall(context_, *call, info);
    }
    // The annotation may be stricter than the derived info, but is not part of the computation.
    const auto inferred = analysis::ReinferCall(context_, module_, *call);
    if (!inferred || !IsComputable(inferred->info)) return std::nullopt;
    StructInfoRef result = inferred->info;
    size_t inputs = 0;
    for (const Operand& arg : call->args) {
      if (!CountTensors(arg, &inputs)) return std::nullopt;
    }
    const std::optional<Made> made = PrimFuncOf(*call, *inferred, inputs);
    if (!made) return std::nullopt;
    std::vector<Operand> tensors;
    for (const Operand& arg : call->args) AddTensors(arg, emit, tensors);
    ir::Rhs computed = CallTir(made->func, tensors, made->sizes, result);
    // R.call_tir with a single output tensor returns the tensor, not a tuple.
    const auto* tuple = result->As<ir::TupleInfo>();
    if (tuple != nullptr && tuple->fields.size() == 1) {
      ir::Call whole = CallTir(made->func, tensors, made->sizes, tuple->fields[0]);
      computed = Operand{ir::TupleExpr{{emit.Bind(std::move(whole), "lv")}}};
    }
    if (SameInfo(context_, module_, bound_, info, result)) return computed;
    return ir::MatchCast{emit.Bind(std::move(computed), "lv"), info, binding.loc};
  }

  // False for tensors and tuples that cannot be arguments of a PrimFunc.
  bool CountTensors(const Operand& arg, size_t* count) const {
    StructInfoRef info = analysis::KnownInfo(context_, module_, arg);
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      if (tuple->fields.empty() || tuple->fields[0]->As<ir::PrimInfo>() != nullptr) return true;
      *count += tuple->fields.size();
      return IsComputable(info);
    }
    if (info->As<ir::TensorInfo>() == nullptr)
      return info->As<ir::ObjectInfo>() == nullptr || arg.As<ir::ValueId>() == nullptr;
    ++*count;
    return IsComputable(info);
  }

  void AddTensors(const Operand& arg, EmitOps& emit, std::vector<Operand>& tensors) const {
    StructInfoRef info = analysis::KnownInfo(context_, module_, arg);
    if (info->As<ir::TensorInfo>() != nullptr) tensors.push_back(arg);
    const auto* tuple = info->As<ir::TupleInfo>();
    if (tuple == nullptr || tuple->fields.empty()) return;
    if (tuple->fields[0]->As<ir::TensorInfo>() == nullptr) return;
    const auto* literal = arg.As<ir::TupleExpr>();
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      tensors.push_back(literal != nullptr
                            ? literal->fields[i]
                            : emit.Bind(ir::GetField{arg, static_cast<int>(i)}, "lv"));
    }
  }

  std::optional<Made> PrimFuncOf(const ir::Call& call, const analysis::Inferred& inferred,
                                 size_t inputs) {
    StructInfoRef result = inferred.info;
    const std::string key = Key(call, result);
    if (const auto it = made_.find(key); it != made_.end()) return it->second;
    absl::StatusOr<CallTirFunc> tir =
        CallToTir(context_, module_, call, call.op()->compute, result, inferred.needs);
    if (!tir.ok()) return std::nullopt;
    const auto* several = result->As<ir::TupleInfo>();
    const size_t outputs = several == nullptr ? 1 : several->fields.size();
    if (tir->func.params.size() != inputs + outputs + tir->sizes.size()) return std::nullopt;
    const absl::string_view name = call.op()->name;
    tir->func.attrs[kOperatorName] = ir::AttrValue(std::string(name));
    const absl::string_view last = name.substr(name.rfind('.') + 1);
    Made made{module_.globals.Add({names_.Unique(last), std::move(tir->func), {}}),
              std::move(tir->sizes)};
    made_.emplace(key, made);
    return made;
  }

  // The key has the infos of arguments, and the values of literals, which the loop nest contains.
  std::string Key(const ir::Call& call, StructInfoRef result) const {
    ir::Call key_call = call;
    std::string key;
    for (Operand& arg : key_call.args) {
      StructInfoRef info = analysis::KnownInfo(context_, module_, arg);
      absl::StrAppend(&key, absl::Hex(reinterpret_cast<uintptr_t>(info)), " ");
      const bool tensors =
          info->As<ir::TensorInfo>() != nullptr || info->As<ir::TupleInfo>() != nullptr;
      if (tensors) arg = Operand{ir::StringImm{"tensors"}};
    }
    absl::StrAppend(&key, absl::Hex(reinterpret_cast<uintptr_t>(result)), " ", KeyOf(key_call));
    return key;
  }

  ir::Context& context_;
  ir::Module& module_;
  const std::set<std::string>& keep_;
  const analysis::ShapeScope bound_;
  GlobalNames names_;
  absl::flat_hash_map<std::string, Made> made_;
};

}  // namespace

bool IsComputable(StructInfoRef info) {
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    for (StructInfoRef field : tuple->fields) {
      if (field->As<ir::TensorInfo>() == nullptr || !IsComputable(field)) return false;
    }
    return !tuple->fields.empty();
  }
  const auto* tensor = info->As<ir::TensorInfo>();
  return tensor != nullptr && tensor->dims() != nullptr && !tensor->dtype.is_void();
}

void Legalize(ir::Context& context, ir::Module& module, const std::set<std::string>& keep) {
  Legalization legalization(context, module, keep);
  ir::RewriteEachFunction(module, [&](ir::Function& f) { legalization.In(f.body); });
}

}  // namespace lathe::transform
