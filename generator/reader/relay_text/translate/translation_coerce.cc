// Converts values to the types that their uses expect.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/translate/translation.h"

namespace lathe::relay {

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
  if (type->As<FuncType>() != nullptr) return info->As<ir::FuncInfo>() != nullptr;
  if (type->As<RefType>() != nullptr) return info->As<ir::TensorInfo>() != nullptr;
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

// Whether values of a type are or contain functions.
bool Translation::HasFunctions(TypeRef type) const {
  type = types_.Resolve(type);
  if (const auto* tuple = type->As<TupleType>()) {
    return std::any_of(tuple->fields.begin(), tuple->fields.end(),
                       [&](TypeRef field) { return HasFunctions(field); });
  }
  return type->As<FuncType>() != nullptr;
}

// Whether a tensor, or one in a tuple, has a dimension of any size.
bool Translation::HasAnyDims(TypeRef type) const {
  type = types_.Resolve(type);
  if (const auto* tuple = type->As<TupleType>()) {
    return std::any_of(tuple->fields.begin(), tuple->fields.end(),
                       [&](TypeRef field) { return HasAnyDims(field); });
  }
  const auto* tensor = type->As<TensorType>();
  if (tensor == nullptr) return false;
  return std::find(tensor->dims.begin(), tensor->dims.end(), kAnyDim) != tensor->dims.end();
}

// Calls `function` with the parameters of `from` in a function with those of `to`: another may know
// less about sizes, or have erased values where this one has tensors.
ir::Operand Translation::AdaptFunction(const Operand& function, const FuncType& from,
                                       const FuncType& to, const TextSpan& loc) {
  std::vector<Param> params;
  for (size_t i = 0; i < to.params.size(); ++i) {
    params.push_back({absl::StrCat("x", i), InfoOf(to.params[i], AnyDims::kUnknown, loc)});
  }
  return MakeFunction("adapted", std::move(params), InfoOf(to.ret, AnyDims::kUnknown, loc),
                      [&](const Operands& in) {
                        Operands args;
                        for (size_t i = 0; i < to.params.size(); ++i) {
                          args.push_back(WithKnownDims(
                              Coerce(in[i], to.params[i], from.params[i], loc), from.params[i]));
                        }
                        const std::vector<CellId> cells = CellsIn({});
                        for (const CellId cell : cells) args.push_back(cells_[cell].value);
                        const auto* global = function.As<ir::GlobalId>();
                        const Operand called = global != nullptr
                                                   ? builder_.Call(*global, std::move(args))
                                                   : builder_.Call(function, std::move(args));
                        return Coerce(TakeCells(cells, called), from.ret, to.ret, loc);
                      });
}

ir::Operand Translation::Coerce(Operand x, TypeRef from, TypeRef to, const TextSpan& loc) {
  from = types_.Resolve(from);
  to = types_.Resolve(to);
  const auto* func = to->As<FuncType>();
  if (func != nullptr && builder_.InfoOf(x)->As<ir::FuncInfo>() != nullptr) {
    const auto* known = from->As<FuncType>();
    if (known == nullptr || builder_.InfoOf(x) == InfoOf(to, AnyDims::kUnknown, loc)) return x;
    return AdaptFunction(x, *known, *func, loc);
  }
  const auto* tuple = to->As<TupleType>();
  const auto* fields = from->As<TupleType>();
  if (tuple != nullptr && fields != nullptr && HasFunctions(to) &&
      builder_.InfoOf(x)->As<ir::TupleInfo>() != nullptr) {
    Operands coerced;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      coerced.push_back(Coerce(FieldOf(x, i), fields->fields[i], tuple->fields[i], loc));
    }
    return transform::BlockBuilder::Tuple(std::move(coerced));
  }
  if (Satisfies(builder_.InfoOf(x), to)) return x;
  return builder_.MatchCast(x, InfoOf(to, AnyDims::kNewVars, loc));
}

}  // namespace lathe::relay
