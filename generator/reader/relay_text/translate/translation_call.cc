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
                                         : Coerce(field, TypeAt(call.args[i]), type->params[i],
                                                  At(call.args[i]).loc));
      }
      return Construct(*constructor, std::move(fields));
    }
  }
  const TypeRef callee_type = TypeAt(call.callee);
  if (const auto* op = callee_type->As<OpType>()) return TranslateOperator(id, call, *op->row);
  const std::vector<CellId> cells = EffectsOf(call.callee);
  const Operand callee =
      cells.empty() || stored_ ? Translate(call.callee) : EffectfulCallee(call.callee);
  if (diags_.has_errors()) return builder_.Number(0);  // the callee may not be a function
  const auto* type = InstanceType(call.callee)->As<FuncType>();
  Operands args;
  for (size_t i = 0; i < call.args.size(); ++i) {
    Operand arg = Coerce(Translate(call.args[i]), TypeAt(call.args[i]), type->params[i],
                         At(call.args[i]).loc);
    // A parameter binds the sizes in a tuple only if they are known.
    const TypeRef param = types_.Resolve(type->params[i]);
    const bool open = param->As<TupleType>() != nullptr && HasAnyDims(param);
    args.push_back(open ? WithKnownDims(arg, param) : arg);
  }
  // Arguments may write references; the callee takes their values after that.
  for (const CellId cell : cells) args.push_back(cells_[cell].value);
  builder_.At(At(id).loc);
  const auto* global = callee.As<ir::GlobalId>();
  const Operand called = global != nullptr ? builder_.Call(*global, std::move(args))
                                           : builder_.Call(callee, std::move(args));
  const Operand result = TakeCells(cells, called);
  return Coerce(result, type->ret, callee_type->As<FuncType>()->ret, At(id).loc);
}

// The function that a callee names, or null.
const FunctionTree* Translation::FunctionOf(ExprId callee) const {
  while (true) {
    const Expr& e = At(callee);
    if (const auto* fn = e.As<Fn>()) return fn->function.get();
    if (const auto* global = e.As<GlobalRef>()) {
      const auto at = static_cast<size_t>(m_.definitions.at(global->name));
      return m_.tree.definitions[at].function.get();
    }
    const auto* local = e.As<LocalRef>();
    if (local == nullptr) return nullptr;
    const auto found = m_.let_values.find(local->var);
    if (found == m_.let_values.end()) return nullptr;
    callee = found->second;
  }
}

// The type of a callee with the type arguments of its instance, of which deep ones are erased.
TypeRef Translation::InstanceType(ExprId callee) {
  const FunctionTree* function = FunctionOf(callee);
  const std::vector<TypeRef> args = TypeArgsAt(callee);
  if (function == nullptr || args.empty()) return TypeAt(callee);
  const Signature& signature = m_.signatures[function];
  TypeArgs all = type_args_;
  for (size_t i = 0; i < args.size(); ++i) all[signature.type_params[i]] = args[i];
  return types_.ResolveAll(types_.Substitute(signature.type, all));
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
  if (type->As<TensorType>() == nullptr) return x;
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

}  // namespace lathe::relay
