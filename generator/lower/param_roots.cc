#include "generator/lower/param_roots.h"

#include "absl/algorithm/container.h"
#include "generator/ir/op.h"
#include "generator/lower/stored_params.h"
#include "generator/ops/call_tir.h"
#include "generator/support/match.h"
#include "generator/transform/effects.h"

namespace lathe::lower {
namespace {

using ir::GlobalId;
using ir::Operand;
using ir::ValueId;

// Returns whether the operator's result never shares memory with an argument.
bool MakesItsResult(const ir::Op& op) {
  return op.compute != nullptr || op.name == "relax.call_tir" ||
         op.name == "relax.call_tir_with_grad" || op.name == "relax.builtin.alloc_tensor" ||
         op.name == "relax.shape_of" || op.name == "relax.tensor_to_shape";
}

const ir::TupleExpr* InplaceArgs(const ir::Call& call) {
  const ir::Op* op = call.op();
  return op != nullptr && op->name == "relax.call_tir_inplace" ? call.args[1].As<ir::TupleExpr>()
                                                               : nullptr;
}

}  // namespace

ParamRoots::ParamRoots(const ir::Module& module, const FunctionEffects& effects,
                       const ir::Function& f)
    : module_(module), effects_(effects), f_(f) {
  for (size_t i = 0; i < f.params.size(); ++i) roots_[f.params[i]] = static_cast<int>(i);
  In(f.body);
  // Arguments that a recursive call passes for written parameters are written too.
  for (bool changed = true; changed && written_;) {
    const size_t before = written_->size();
    for (const ir::Call* call : own_calls_) {
      const absl::flat_hash_set<int> now = written_ ? *written_ : absl::flat_hash_set<int>();
      for (int param : now) WriteInto(call->args[static_cast<size_t>(param)]);
    }
    changed = written_ && written_->size() != before;
  }
}

std::optional<int> ParamRoots::Of(const Operand& operand) const {
  if (const auto* id = operand.As<ValueId>()) {
    const auto it = roots_.find(*id);
    return it == roots_.end() ? std::nullopt : it->second;
  }
  const auto* tuple = operand.As<ir::TupleExpr>();
  if (tuple == nullptr) return kOwnBytes;
  for (const Operand& field : tuple->fields) {
    if (Of(field) != kOwnBytes) return std::nullopt;
  }
  return kOwnBytes;
}

bool ParamRoots::KeepsParamsDisjoint(const ir::Call& call) const {
  if (!written_) return false;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const int param = static_cast<int>(i);
    const std::optional<int> root = Of(call.args[i]);
    if (!root) return false;
    const bool fits = written_->contains(param) ? *root == param : !written_->contains(*root);
    if (!fits) return false;
  }
  return true;
}

int ParamRoots::Returned(size_t index) const {
  const bool is_tuple = f_.ret_info != nullptr && f_.ret_info->As<ir::TupleInfo>() != nullptr;
  for (size_t i = 0; i < f_.params.size(); ++i) {
    if (!written_ || !written_->contains(static_cast<int>(i))) continue;
    const auto field = is_tuple ? std::optional(index) : std::nullopt;
    if (Returns(f_.body.result, field, static_cast<int>(i))) return static_cast<int>(i);
  }
  return kOwnBytes;
}

void ParamRoots::In(const ir::Body& body) {
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      bindings_[binding.var] = &binding;
      if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
        In(branch->then_body);
        In(branch->else_body);
      }
      roots_[binding.var] = Of(binding);
      if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) Write(*call);
    }
  }
}

std::optional<int> ParamRoots::Of(const ir::Binding& binding) {
  return Match(
      binding.rhs, [&](const Operand& operand) { return Of(operand); },
      [&](const ir::Call& call) { return Of(call); },
      [&](const ir::GetField& get) { return Field(get); },
      [&](const ir::MatchCast& cast) { return Of(cast.value); },
      [&](const ir::If& branch) -> std::optional<int> {
        const std::optional<int> first = Of(branch.then_body.result);
        return first == Of(branch.else_body.result) ? first : std::nullopt;
      },
      [](const ir::Function&) -> std::optional<int> { return std::nullopt; });
}

std::optional<int> ParamRoots::Of(const ir::Call& call) {
  if (const ir::Op* op = call.op()) {
    if (MakesItsResult(*op)) return kOwnBytes;
    const ir::TupleExpr* args = InplaceArgs(call);
    if (args == nullptr) return std::nullopt;
    const std::vector<int64_t> indices = ops::InplaceIndices(call, 0);
    if (indices.size() != 1 || indices[0] >= std::ssize(args->fields)) return std::nullopt;
    return indices[0] < 0 ? kOwnBytes : Of(args->fields[static_cast<size_t>(indices[0])]);
  }
  const auto* gv = std::get_if<GlobalId>(&call.callee);
  if (gv == nullptr || module_.globals[*gv].function() == nullptr) return std::nullopt;
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (effects_.Keeps(*gv, i) && Of(call.args[i]) != kOwnBytes) return std::nullopt;
  }
  return kOwnBytes;
}

std::optional<int> ParamRoots::Field(const ir::GetField& get) const {
  const auto* tuple = get.tuple.As<ir::TupleExpr>();
  const auto* id = get.tuple.As<ValueId>();
  if (id != nullptr) {
    if (Of(get.tuple) == kOwnBytes) return kOwnBytes;
    const auto it = bindings_.find(*id);
    const auto* bound = it == bindings_.end() ? nullptr : std::get_if<Operand>(&it->second->rhs);
    if (bound != nullptr) tuple = bound->As<ir::TupleExpr>();
  }
  if (tuple == nullptr || get.index >= std::ssize(tuple->fields)) return std::nullopt;
  return Of(tuple->fields[static_cast<size_t>(get.index)]);
}

bool ParamRoots::IsOwnCall(const ir::Call& call) const {
  const auto* gv = std::get_if<GlobalId>(&call.callee);
  return gv != nullptr && module_.globals[*gv].function() == &f_ &&
         call.args.size() == f_.params.size();
}

void ParamRoots::Write(const ir::Call& call) {
  if (const ir::Op* op = call.op()) {
    if (const ir::TupleExpr* args = InplaceArgs(call)) {
      for (int64_t index : ops::InplaceIndices(call, 0)) {
        if (index >= 0 && index < std::ssize(args->fields)) {
          WriteInto(args->fields[static_cast<size_t>(index)]);
        }
      }
    } else if (!op->pure || transform::IsInplace(*op) || op->name == "relax.invoke_closure") {
      written_.reset();
    }
    return;
  }
  if (IsOwnCall(call)) return own_calls_.push_back(&call);
  const auto* gv = std::get_if<GlobalId>(&call.callee);
  const ir::PrimFunc* kernel = gv == nullptr ? nullptr : module_.globals[*gv].prim_func();
  const bool known = gv != nullptr && module_.globals[*gv].function() != nullptr;
  if (kernel == nullptr && !known) return written_.reset();
  std::optional<StoredParams> stored;
  if (kernel != nullptr) stored.emplace(*kernel);
  for (size_t i = 0; i < call.args.size(); ++i) {
    const bool writes =
        stored ? i < kernel->params.size() && stored->Has(i) : effects_.Writes(*gv, i);
    if (writes) WriteInto(call.args[i]);
  }
}

void ParamRoots::WriteInto(const Operand& operand) {
  const std::optional<int> root = Of(operand);
  if (!root) {
    written_.reset();
  } else if (written_ && *root != kOwnBytes) {
    written_->insert(*root);
  }
}

bool ParamRoots::Returns(const Operand& result, std::optional<size_t> index, int param) const {
  if (const auto* tuple = result.As<ir::TupleExpr>()) {
    return index && *index < tuple->fields.size() && Of(tuple->fields[*index]) == param;
  }
  if (!index && Of(result) == param) return true;
  const auto* id = result.As<ValueId>();
  const auto it = id == nullptr ? bindings_.end() : bindings_.find(*id);
  if (it == bindings_.end()) return false;
  const ir::Rhs& rhs = it->second->rhs;
  if (const auto* operand = std::get_if<Operand>(&rhs)) {
    const auto* tuple = operand->As<ir::TupleExpr>();  // aliases are resolved already
    return tuple != nullptr && Returns(*operand, index, param);
  }
  if (const auto* branch = std::get_if<ir::If>(&rhs)) {
    return Returns(branch->then_body.result, index, param) &&
           Returns(branch->else_body.result, index, param);
  }
  const auto* call = std::get_if<ir::Call>(&rhs);
  return call != nullptr && IsOwnCall(*call) && Of(call->args[static_cast<size_t>(param)]) == param;
}

}  // namespace lathe::lower
