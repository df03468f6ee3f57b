// Parses literals, attributes, and references to the metadata.
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/number.h"
#include "generator/reader/relay_text/syntax/parser.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<ir::Constant> RelayParser::ParseNumber(bool negative) {
  const Token t = Take();
  const absl::StatusOr<Number> number = ReadNumber(TextOf(t), negative, /*bare_floats=*/false);
  if (!number.ok()) return Error(Span(t)) << number.status().message();
  return relay::ConstantOf(*number);
}

absl::StatusOr<int64_t> RelayParser::ParseInteger(absl::string_view what) {
  const Token t = At();
  if (t.kind != TokenKind::kNumber) {
    return ErrorHere() << "expected " << what << ", an integer, found " << Found();
  }
  Take();
  const absl::StatusOr<Number> number = ReadNumber(TextOf(t), false, false);
  if (!number.ok()) return Error(Span(t)) << number.status().message();
  const int64_t* value = std::get_if<int64_t>(&number->value);
  if (value == nullptr) return Error(Span(t)) << "expected " << what << ", an integer";
  return *value;
}

absl::StatusOr<std::string> RelayParser::ParseString() {
  const Token t = Take();
  absl::string_view quoted = TextOf(t);
  quoted = quoted.substr(1, quoted.size() - 2);
  std::string text;
  if (!absl::CUnescape(quoted, &text)) return Error(Span(t)) << "invalid escape in a string";
  return text;
}

absl::StatusOr<RelayParser::MetaRef> RelayParser::ParseMetaRef() {
  const Token begin = Take();  // 'meta'
  LATHE_RETURN_IF_ERROR(Expect("[", "after 'meta'"));
  LATHE_ASSIGN_OR_RETURN(const Name key, DottedName("the type of a metadata entry"));
  LATHE_RETURN_IF_ERROR(Expect("]", "after the type of a metadata entry"));
  LATHE_RETURN_IF_ERROR(Expect("[", "before the index of a metadata entry"));
  LATHE_ASSIGN_OR_RETURN(const int64_t index, ParseInteger("the index of a metadata entry"));
  LATHE_RETURN_IF_ERROR(Expect("]", "after the index of a metadata entry"));
  return MetaRef{key.text, index, SpanFrom(begin.begin)};
}

absl::Status RelayParser::ParseAttr(ir::AttrMap& attrs) {
  Name name;
  if (IsKind(TokenKind::kString)) {  // a quoted key of a function's attribute
    name.loc = Span(At());
    LATHE_ASSIGN_OR_RETURN(name.text, ParseString());
  } else {
    LATHE_ASSIGN_OR_RETURN(name, DottedName("an attribute"));
  }
  LATHE_RETURN_IF_ERROR(Expect("=", "after the name of an attribute"));
  LATHE_ASSIGN_OR_RETURN(attrs[name.text], ParseAttrValue());
  return absl::OkStatus();
}

absl::StatusOr<ir::AttrValue> RelayParser::ParseAttrNumber(bool negative) {
  const Token t = At();
  if (t.kind != TokenKind::kNumber) {
    return ErrorHere() << "expected a number, found " << Found();
  }
  Take();
  const absl::StatusOr<Number> number = ReadNumber(TextOf(t), negative, /*bare_floats=*/true);
  if (!number.ok()) return Error(Span(t)) << number.status().message();
  if (const int64_t* integer = std::get_if<int64_t>(&number->value)) return ir::AttrValue(*integer);
  return ir::AttrValue(std::get<double>(number->value));
}

absl::StatusOr<ir::AttrValue> RelayParser::ParseAttrList(absl::string_view close) {
  ir::AttrList list;
  while (!Is(close)) {
    LATHE_ASSIGN_OR_RETURN(ir::AttrValue item, ParseAttrValue());
    list.push_back(std::move(item));
    if (!Accept(",")) break;
  }
  LATHE_RETURN_IF_ERROR(Expect(close, "after a list"));
  return ir::AttrValue(std::move(list));
}

absl::StatusOr<ir::AttrValue> RelayParser::ParseAttrValue() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  if (Accept("[")) return ParseAttrList("]");
  if (Accept("(")) return ParseAttrList(")");
  if (IsKind(TokenKind::kNumber)) return ParseAttrNumber(false);
  if (Accept("-")) return ParseAttrNumber(true);
  if (IsKind(TokenKind::kString)) {
    LATHE_ASSIGN_OR_RETURN(std::string text, ParseString());
    return ir::AttrValue(std::move(text));
  }
  if (Accept("None") || Accept("nullptr")) return ir::AttrValue();
  if (Accept("True")) return ir::AttrValue(true);
  if (Accept("False")) return ir::AttrValue(false);
  if (Is("meta") && Is("[", 1)) {
    LATHE_ASSIGN_OR_RETURN(const MetaRef meta, ParseMetaRef());
    const absl::StatusOr<ir::AttrMap> fields = metadata_.AttrsAt(meta.key, meta.index);
    if (fields.ok() && fields->contains("value")) {  // runtime.BoxInt and related objects
      const auto* object = fields->at("value").As<ir::AttrObject>();
      int64_t integer = 0;
      double number = 0;
      const std::string* text = ir::FindAttr<std::string>(*object->fields, "text");
      if (absl::SimpleAtoi(*text, &integer)) return ir::AttrValue(integer);
      if (absl::SimpleAtod(*text, &number)) return ir::AttrValue(number);
    }
    return ir::AttrValue(ir::AttrObject{"meta", std::make_shared<const ir::AttrMap>()});
  }
  // Some attributes repeat an argument, such as the ends of `arange`; the argument counts.
  LATHE_RETURN_IF_ERROR(ParsePostfix().status());
  return ir::AttrValue(ir::AttrObject{"expression", std::make_shared<const ir::AttrMap>()});
}

}  // namespace lathe::relay
