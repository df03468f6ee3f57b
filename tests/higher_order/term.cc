#include "tests/higher_order/term.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lathe::higher_order {

std::string Show(const Type& type) {
  const auto list = [](const std::vector<TypeRef>& types) {
    std::string text;
    for (const TypeRef& one : types) absl::StrAppend(&text, Show(*one), ",");
    return text;
  };
  switch (type.kind) {
    case Type::Kind::kVector:
      return absl::StrCat("v", type.length);
    case Type::Kind::kScalar:
      return "s";
    case Type::Kind::kCounter:
      return "c";
    case Type::Kind::kBool:
      return "b";
    case Type::Kind::kShape:
      return absl::StrCat("shape", type.length);
    case Type::Kind::kTuple:
      return absl::StrCat("(", list(type.parts), ")");
    case Type::Kind::kFunction:
      return absl::StrCat(type.own_length ? "any " : "", type.pure ? "[" : "![", list(type.parts),
                          "]->", Show(*type.result));
    case Type::Kind::kKernel:
      return absl::StrCat("kernel", type.length);
    case Type::Kind::kExternal:
      return "external";
    case Type::Kind::kObject:
      return absl::StrCat("object of ", type.result == nullptr ? "nothing" : Show(*type.result));
  }
  return "";
}

TypeRef Make(Type type) { return std::make_shared<const Type>(std::move(type)); }

TypeRef Vector(Length length) { return Make({Type::Kind::kVector, std::move(length)}); }

TypeRef Scalar() { return Make({}); }

TypeRef TupleOf(std::vector<TypeRef> fields) {
  return Make({Type::Kind::kTuple, {}, std::move(fields)});
}

TypeRef FunctionOf(std::vector<TypeRef> params, TypeRef result, bool pure) {
  return Make({Type::Kind::kFunction, {}, std::move(params), std::move(result), pure});
}

TypeRef WithLength(const TypeRef& type, const Length& from, const Length& to) {
  if (type == nullptr) return type;
  Type made = *type;
  if (made.length == from) made.length = to;
  // A function inside that takes any length has a length of its own.
  const auto inside = [&](const TypeRef& part) {
    return part != nullptr && part->own_length ? part : WithLength(part, from, to);
  };
  for (TypeRef& part : made.parts) part = inside(part);
  made.result = inside(made.result);
  return Make(std::move(made));
}

bool IsComparable(const Type& type) {
  if (type.kind == Type::Kind::kTuple) {
    return std::all_of(type.parts.begin(), type.parts.end(),
                       [](const TypeRef& part) { return IsComparable(*part); });
  }
  return type.kind == Type::Kind::kVector || type.kind == Type::Kind::kScalar ||
         type.kind == Type::Kind::kCounter || type.kind == Type::Kind::kBool;
}

}  // namespace lathe::higher_order
