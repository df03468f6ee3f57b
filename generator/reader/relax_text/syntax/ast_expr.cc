#include "generator/reader/relax_text/syntax/ast_expr.h"

#include <vector>

#include "absl/strings/str_join.h"
#include "generator/support/match.h"

namespace lathe::relax_text::ast {

std::optional<std::string> DottedName(const Expr& e) {
  std::vector<absl::string_view> parts;
  const Expr* object = &e;
  while (const auto* attribute = object->As<Attribute>()) {
    parts.push_back(attribute->name);
    object = attribute->object;
  }
  const auto* name = object->As<Name>();
  if (name == nullptr) return std::nullopt;
  parts.push_back(name->id);
  return absl::StrJoin(parts.rbegin(), parts.rend(), ".");
}

absl::string_view Describe(const Expr& e) {
  return Match(
      e.node(), [](const Name&) { return absl::string_view("a name"); },
      [](const Int&) { return absl::string_view("an integer"); },
      [](const Float&) { return absl::string_view("a floating-point number"); },
      [](const Str&) { return absl::string_view("a string"); },
      [](const Constant& c) {
        constexpr absl::string_view kNames[] = {"True", "False", "None"};
        return kNames[static_cast<int>(c.kind)];
      },
      [](const Ellipsis&) { return absl::string_view("an ellipsis"); },
      [](const Tuple&) { return absl::string_view("a tuple"); },
      [](const List&) { return absl::string_view("a list"); },
      [](const Set&) { return absl::string_view("a set"); },
      [](const Dict&) { return absl::string_view("a dict"); },
      [](const Attribute&) { return absl::string_view("an attribute"); },
      [](const Call&) { return absl::string_view("a call"); },
      [](const Subscript&) { return absl::string_view("a subscript"); },
      [](const Slice&) { return absl::string_view("a slice"); },
      [](const Unary&) { return absl::string_view("a unary operation"); },
      [](const Binary&) { return absl::string_view("an arithmetic expression"); },
      [](const BoolOp&) { return absl::string_view("a boolean expression"); },
      [](const Compare&) { return absl::string_view("a comparison"); },
      [](const IfExp&) { return absl::string_view("a conditional expression"); },
      [](const Lambda&) { return absl::string_view("a lambda"); },
      [](const Starred&) { return absl::string_view("a starred expression"); },
      [](const Comprehension& c) {
        constexpr absl::string_view kNames[] = {"a list comprehension", "a set comprehension",
                                                "a dict comprehension", "a generator expression"};
        return kNames[static_cast<int>(c.kind)];
      },
      [](const FString&) { return absl::string_view("an f-string"); },
      [](const UnsupportedExpr& u) { return u.what; });
}

}  // namespace lathe::relax_text::ast
