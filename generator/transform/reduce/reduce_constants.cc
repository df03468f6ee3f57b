#include "generator/transform/reduce/reduce_constants.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/each_body.h"
#include "generator/transform/reduce/copy_element.h"

namespace lathe::transform {
namespace {

// Constants of fewer elements are short as text.
constexpr uint64_t kLargeElements = 17;

using OperandVisit = std::function<void(ir::Operand&)>;

void EachLeafOf(ir::Operand& operand, const OperandVisit& visit) {
  visit(operand);
  auto* tuple = operand.As<ir::TupleExpr>();
  if (tuple == nullptr) return;
  for (ir::Operand& field : tuple->fields) EachLeafOf(field, visit);
}

void EachOperandOf(ir::Rhs& rhs, const OperandVisit& visit) {
  if (auto* operand = std::get_if<ir::Operand>(&rhs)) {
    EachLeafOf(*operand, visit);
  } else if (auto* call = std::get_if<ir::Call>(&rhs)) {
    for (ir::Operand& arg : call->args) EachLeafOf(arg, visit);
  } else if (auto* get = std::get_if<ir::GetField>(&rhs)) {
    EachLeafOf(get->tuple, visit);
  } else if (auto* cast = std::get_if<ir::MatchCast>(&rhs)) {
    EachLeafOf(cast->value, visit);
  } else if (auto* branch = std::get_if<ir::If>(&rhs)) {
    EachLeafOf(branch->cond, visit);
  }
}

// Calls `visit` with every operand in `body`, its results and those of inner bodies included.
void EachOperandOf(ir::Body& body, const OperandVisit& visit) {
  for (ir::Block& block : body.blocks) {
    for (ir::Binding& binding : block.bindings) {
      EachOperandOf(binding.rhs, visit);
      ForEachBody(binding.rhs, [&](ir::Body& inner) { EachOperandOf(inner, visit); });
    }
  }
  EachLeafOf(body.result, visit);
}

std::vector<ir::ConstantId> ConstantsIn(ir::Body& body) {
  std::vector<ir::ConstantId> ids;
  absl::flat_hash_set<ir::ConstantId> seen;
  EachOperandOf(body, [&](ir::Operand& operand) {
    const auto* id = operand.As<ir::ConstantId>();
    if (id != nullptr && seen.insert(*id).second) ids.push_back(*id);
  });
  return ids;
}

}  // namespace

std::vector<ir::ConstantId> LargeConstants(const ir::Module& module, ir::GlobalId function) {
  ir::Body body = module.globals[function].function()->body;
  std::vector<ir::ConstantId> large;
  for (ir::ConstantId id : ConstantsIn(body)) {
    const auto count = interp::CountElements(module.constants[id].shape);
    if (count && *count >= kLargeElements) large.push_back(id);
  }
  return large;
}

void ConstantsToParameters(ir::Context& context, ir::Module& module, ir::GlobalId function,
                           absl::Span<const ir::ConstantId> constants) {
  ir::Function& f = *module.globals[function].function();
  absl::flat_hash_map<ir::ConstantId, ir::ValueId> params;
  for (ir::ConstantId id : constants) {
    std::vector<ir::PrimRef> dims;
    for (int64_t size : module.constants[id].shape) dims.push_back(context.Int(size));
    ir::Value value;
    value.name = absl::StrCat("w", params.size());
    value.annotation = value.info = context.Tensor(std::move(dims), module.constants[id].dtype);
    params[id] = module.values.Add(std::move(value));
    f.params.push_back(params[id]);
  }
  EachOperandOf(f.body, [&](ir::Operand& operand) {
    const auto* id = operand.As<ir::ConstantId>();
    const auto param = id == nullptr ? params.end() : params.find(*id);
    if (param != params.end()) operand = {param->second};
  });
}

Reduced UniformConstant(ir::Context&, ir::Module& module, int place) {
  for (int32_t g = 0; g < std::ssize(module.globals); ++g) {
    ir::Function* f = module.globals[ir::GlobalId{g}].function();
    if (f == nullptr) continue;
    for (ir::ConstantId id : ConstantsIn(f->body)) {
      if (place-- > 0) continue;
      ir::Constant& constant = module.constants[id];
      const auto count = interp::CountElements(constant.shape);
      if (!count || *count < 2) return Reduced::kUnchanged;
      const std::vector<uint8_t>& given = *constant.bytes;
      if (given.size() != ir::StorageBytes(constant.dtype, *count)) return Reduced::kUnchanged;
      std::vector<uint8_t> bytes(given.size(), 0);
      for (uint64_t i = 0; i < *count; ++i) CopyElement(constant.dtype, given, 0, bytes, i);
      if (bytes == given) return Reduced::kUnchanged;
      constant.bytes = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
      return Reduced::kChanged;
    }
  }
  return Reduced::kNoSuchPlace;
}

}  // namespace lathe::transform
