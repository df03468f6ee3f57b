#include "generator/interp/concrete_info.h"

#include "generator/interp/closure_structure.h"

namespace lathe::interp {
namespace {

using ir::StructInfoRef;

std::vector<ir::PrimRef> Numbers(ir::Context& ir, const std::vector<int64_t>& dims) {
  std::vector<ir::PrimRef> numbers;
  for (int64_t dim : dims) numbers.push_back(ir.Int(dim));
  return numbers;
}

StructInfoRef InfoOf(Runtime& rt, const Value& value, int depth) {
  ir::Context& ir = rt.ir;
  if (depth > kMaxValueDepth) return ir.Object();
  if (const Tensor* t = value.AsTensor()) {
    return ir.Tensor(Numbers(ir, t->shape), t->dtype, t->device);
  }
  if (const auto* dims = value.AsShape()) return ir.Shape(Numbers(ir, *dims));
  if (const Scalar* s = value.AsScalar()) {
    return ir.Prim(s->dtype, s->dtype.is_floating() ? ir.Float(s->AsDouble(), s->dtype)
                                                    : ir.Int(s->AsInt(), s->dtype));
  }
  if (const auto* fields = value.AsTuple()) {
    std::vector<StructInfoRef> infos;
    for (const Value& field : *fields) infos.push_back(InfoOf(rt, field, depth + 1));
    return ir.Tuple(std::move(infos));
  }
  if (const Closure* closure = value.AsClosure()) return StructureOf(rt, *closure);
  return ir.Object();
}

bool AllNumbers(const ir::TensorInfo& t) {
  if (t.dims() == nullptr || t.dtype.is_void()) return false;
  for (ir::PrimRef dim : *t.dims()) {
    if (dim->As<ir::IntImm>() == nullptr) return false;
  }
  return true;
}

}  // namespace

StructInfoRef ConcreteInfo(Runtime& rt, const Value& value) { return InfoOf(rt, value, 0); }

StructInfoRef ConcreteInfo(Runtime& rt, const ir::Operand& operand, const Scope& scope) {
  if (const auto* id = operand.As<ir::ValueId>()) {
    const Value* value = scope.Find(*id);
    return value == nullptr ? rt.ir.Object() : ConcreteInfo(rt, *value);
  }
  if (const auto* id = operand.As<ir::ConstantId>()) {
    const ir::Constant& c = rt.module.constants[*id];
    return rt.ir.Tensor(Numbers(rt.ir, c.shape), c.dtype);
  }
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    std::vector<StructInfoRef> infos;
    for (const ir::Operand& field : tuple->fields) infos.push_back(ConcreteInfo(rt, field, scope));
    return rt.ir.Tuple(std::move(infos));
  }
  // The operands were evaluated before, so their variables have values.
  if (const auto* shape = operand.As<ir::ShapeExpr>()) {
    const auto dims = rt.EvalDims(shape->values, scope, {});
    return dims.ok() ? rt.ir.Shape(Numbers(rt.ir, *dims)) : rt.ir.Object();
  }
  if (const auto* prim = operand.As<ir::PrimValue>()) {
    const auto scalar = rt.EvalScalar(prim->value, scope, {});
    return scalar.ok() ? ConcreteInfo(rt, Value(*scalar)) : rt.ir.Object();
  }
  return rt.ir.Object();
}

std::optional<std::vector<StructInfoRef>> ConcreteTensors(StructInfoRef info) {
  std::vector<StructInfoRef> tensors;
  std::vector<StructInfoRef> pending = {info};
  while (!pending.empty()) {
    const StructInfoRef part = pending.back();
    pending.pop_back();
    if (const auto* tuple = part->As<ir::TupleInfo>()) {
      pending.insert(pending.end(), tuple->fields.rbegin(), tuple->fields.rend());
      continue;
    }
    const auto* tensor = part->As<ir::TensorInfo>();
    if (tensor == nullptr || !AllNumbers(*tensor)) return std::nullopt;
    tensors.push_back(part);
  }
  return tensors;
}

}  // namespace lathe::interp
