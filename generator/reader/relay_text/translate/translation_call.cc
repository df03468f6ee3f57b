// Translates calls.
#include "absl/strings/ascii.h"
#include "generator/reader/relay_text/ops/op_call.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "generator/reader/relay_text/translate/translation.h"

namespace lathe::relay {

ir::Operand Translation::TranslateCall(ExprId id, const CallTree& call) {
  if (const auto* name = At(call.callee).As<NameRef>()) {
    if (const Constructor* constructor = m_.FindConstructor(name->name)) {
      Operands fields;
      const auto* type = TypeAt(call.callee)->As<FuncType>();
      for (size_t i = 0; i < call.args.size(); ++i) {
        Operand field = Translate(call.args[i]);
        fields.push_back(type == nullptr ? std::move(field)
                                         : Coerce(field, type->params[i], At(call.args[i]).loc));
      }
      return Construct(*constructor, std::move(fields));
    }
  }
  const TypeRef callee_type = TypeAt(call.callee);
  if (const auto* op = callee_type->As<OpType>()) return TranslateOperator(id, call, *op->row);
  const std::vector<CellId> cells = EffectsOf(call.callee);
  const Operand callee = cells.empty() ? Translate(call.callee) : EffectfulCallee(call.callee);
  if (diags_.has_errors()) return builder_.Number(0);  // the callee may not be a function
  const auto* type = callee_type->As<FuncType>();
  Operands args;
  for (size_t i = 0; i < call.args.size(); ++i) {
    args.push_back(Coerce(Translate(call.args[i]), type->params[i], At(call.args[i]).loc));
  }
  // Arguments may write references; the callee takes their values after that.
  for (const CellId cell : cells) args.push_back(cells_[cell].value);
  builder_.At(At(id).loc);
  if (const auto* global = callee.As<ir::GlobalId>()) {
    return builder_.Call(*global, std::move(args));
  }
  return TakeCells(cells, builder_.Call(callee, std::move(args)));
}

ir::Operand Translation::EffectfulCallee(ExprId callee) {
  if (const auto* local = At(callee).As<LocalRef>()) return values_.at(local->var);
  return shared_.at(At(callee).As<SharedRef>()->target);
}

// A value of a data type is a tuple: the constructor's tag, and the tuple of its fields.
ir::Operand Translation::Construct(const Constructor& constructor, Operands fields) {
  const Operand tag =
      builder_.Constant(ir::DType::Int(32), {}, {static_cast<double>(constructor.tag)});
  const Operand value =
      builder_.Emit(transform::BlockBuilder::Tuple({tag, transform::BlockBuilder::Tuple(fields)}),
                    absl::AsciiStrToLower(constructor.name));
  if (const auto* var = value.As<ir::ValueId>()) {
    constructed_[*var] = {&constructor, std::move(fields)};
  }
  return value;
}

ir::Operand Translation::WithKnownDims(Operand x, TypeRef type) {
  type = types_.Resolve(type);
  if (const auto* tuple = type->As<TupleType>()) {
    Operands fields;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      fields.push_back(WithKnownDims(FieldOf(x, i), tuple->fields[i]));
    }
    return transform::BlockBuilder::Tuple(std::move(fields));
  }
  const auto* info = builder_.InfoOf(x)->As<ir::TensorInfo>();
  if (info != nullptr && info->dims() != nullptr) return x;
  const ir::StructInfoRef known = InfoOfType(context_, types_, type, AnyDims::kNewVars);
  return known == nullptr ? x : builder_.MatchCast(x, known);
}

ir::Operand Translation::TranslateOperator(ExprId id, const CallTree& call, const OpRow& row) {
  Operands args;
  for (const ExprId arg : call.args) args.push_back(WithKnownDims(Translate(arg), TypeAt(arg)));
  builder_.At(At(id).loc);
  OpCall op(context_, builder_, row, std::move(args), m_.call_attrs[id], At(id).loc, diags_);
  const absl::StatusOr<Operand> result = row.import(op);
  return result.ok() ? *result : builder_.Number(0);
}

// Whether a value of `info` is known to have `type`.
bool Translation::Satisfies(ir::StructInfoRef info, TypeRef type) {
  type = types_.Resolve(type);
  if (const auto* tuple = type->As<TupleType>()) {
    const auto* fields = info->As<ir::TupleInfo>();
    if (fields == nullptr || fields->fields.size() != tuple->fields.size()) return false;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      if (!Satisfies(fields->fields[i], tuple->fields[i])) return false;
    }
    return true;
  }
  const auto* tensor_type = type->As<TensorType>();
  if (tensor_type == nullptr) return true;
  const auto* tensor = info->As<ir::TensorInfo>();
  if (tensor == nullptr || tensor->ndim != std::ssize(tensor_type->dims) ||
      tensor->dtype != tensor_type->dtype) {
    return false;
  }
  for (size_t i = 0; i < tensor_type->dims.size(); ++i) {
    if (tensor_type->dims[i] == kAnyDim) continue;
    if (tensor->dims() == nullptr) return false;
    const auto* size = (*tensor->dims())[i]->As<ir::IntImm>();
    if (size == nullptr || size->value != tensor_type->dims[i]) return false;
  }
  return true;
}

ir::Operand Translation::Coerce(Operand x, TypeRef type, const TextSpan& loc) {
  if (Satisfies(builder_.InfoOf(x), type)) return x;
  return builder_.MatchCast(x, InfoOf(type, AnyDims::kNewVars, loc));
}

}  // namespace lathe::relay
