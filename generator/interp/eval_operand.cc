#include "generator/interp/eval_operand.h"

#include <algorithm>
#include <cstring>

#include "generator/support/status.h"

namespace lathe::interp {
namespace {

// A constant becomes a new tensor at each evaluation, because tensors are mutable.
absl::StatusOr<Value> NewConstant(Runtime& rt, const ir::Constant& constant, const Location& loc) {
  absl::StatusOr<TensorRef> tensor = NewTensor(constant.dtype, constant.shape, rt.budget);
  if (!tensor.ok()) return rt.Report(tensor.status(), "run-bad-allocation", loc);
  const size_t size = std::min<size_t>((*tensor)->bytes(), constant.bytes->size());
  if (size > 0) std::memcpy((*tensor)->data(), constant.bytes->data(), size);
  return Value(*std::move(tensor));
}

}  // namespace

absl::StatusOr<Value> EvalGlobal(Runtime& rt, ir::GlobalId id, const Location& loc) {
  const ir::Global& global = rt.module.globals[id];
  return Match(
      global.def,
      [&](const ir::Function& f) -> absl::StatusOr<Value> {
        auto closure = std::make_shared<Closure>();
        closure->function = &f;
        closure->name = global.name;
        return Value(Value::Node(std::shared_ptr<const Closure>(std::move(closure))));
      },
      [&](const ir::PrimFunc&) -> absl::StatusOr<Value> {
        return Value(Value::Node(PrimFuncValue{&global}));
      },
      [&](const ir::ExternFunc& f) { return rt.FindExtern(f.name, loc); });
}

absl::StatusOr<Value> EvalOperand(Runtime& rt, const ir::Operand& operand, const Scope& scope,
                                  const Location& loc) {
  return Match(
      operand.node,
      [&](const ir::ValueId& id) -> absl::StatusOr<Value> {
        const Value* value = scope.Find(id);
        if (value != nullptr) return *value;
        return rt.diags->Error(loc, "run-unbound-variable")
               << "'" << rt.NameOf(id) << "' is unbound here";
      },
      [&](const ir::ConstantId& id) { return NewConstant(rt, rt.module.constants[id], loc); },
      [&](const ir::ShapeExpr& shape) -> absl::StatusOr<Value> {
        LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> dims, rt.EvalDims(shape.values, scope, loc));
        return Value::OfShape(std::move(dims));
      },
      [&](const ir::PrimValue& prim) -> absl::StatusOr<Value> {
        LATHE_ASSIGN_OR_RETURN(const Scalar scalar, rt.EvalScalar(prim.value, scope, loc));
        return Value(scalar);
      },
      [&](const ir::StringImm& s) -> absl::StatusOr<Value> { return Value::OfString(s.value); },
      [&](const ir::DTypeImm& d) -> absl::StatusOr<Value> { return Value(Value::Node(d.dtype)); },
      [&](const ir::TupleExpr& tuple) -> absl::StatusOr<Value> {
        std::vector<Value> fields;
        for (const ir::Operand& field : tuple.fields) {
          LATHE_ASSIGN_OR_RETURN(Value value, EvalOperand(rt, field, scope, loc));
          fields.push_back(std::move(value));
        }
        absl::StatusOr<Value> value = Value::OfTuple(std::move(fields), rt.budget);
        if (!value.ok()) return rt.Report(value.status(), "run-memory-limit", loc);
        return value;
      },
      [&](const ir::GlobalId& id) { return EvalGlobal(rt, id, loc); },
      [&](const ir::ExternFunc& f) { return rt.FindExtern(f.name, loc); });
}

}  // namespace lathe::interp
