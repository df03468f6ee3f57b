// Parses types.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/limits.h"
#include "generator/reader/relay_text/syntax/parser.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::Status RelayParser::ParseTypeList(absl::string_view close, std::vector<TypeTree>& types) {
  while (!Is(close)) {
    LATHE_ASSIGN_OR_RETURN(TypeTree type, ParseType());
    types.push_back(std::move(type));
    if (!Accept(",")) break;
  }
  return Expect(close, "after a list of types");
}

// (2, ?, 3i64)
absl::Status RelayParser::ParseDims(TypeTree& type) {
  LATHE_RETURN_IF_ERROR(Expect("(", "before a shape"));
  while (!Is(")")) {
    if (Accept("?")) {
      type.dims.push_back(kAnyDim);
    } else if (Is("meta") && Is("[", 1)) {
      LATHE_RETURN_IF_ERROR(ParseMetaRef().status());
      type.dims.push_back(kAnyDim);
    } else {
      LATHE_ASSIGN_OR_RETURN(const int64_t dim, ParseInteger("a dimension"));
      type.dims.push_back(dim);
    }
    if (!Accept(",")) break;
  }
  LATHE_RETURN_IF_ERROR(Expect(")", "after a shape"));
  if (type.dims.size() <= kMaxRank) return absl::OkStatus();
  return diags_.LimitExceeded(type.loc, "relay-limit")
         << "a tensor of rank " << type.dims.size() << "; at most " << kMaxRank << " is supported";
}

// Tensor[(2, 3), float32]
absl::StatusOr<TypeTree> RelayParser::ParseTensorType(const Token& begin) {
  TypeTree type;
  type.kind = TypeTree::Kind::kTensor;
  type.loc = Span(begin);
  LATHE_RETURN_IF_ERROR(Expect("[", "after 'Tensor'"));
  if (!Is("(")) {
    return diags_.Unsupported(Span(At()), "relay-unsupported")
           << "a shape variable " << Found() << "; supported are shapes such as (2, ?)";
  }
  LATHE_RETURN_IF_ERROR(ParseDims(type));
  LATHE_RETURN_IF_ERROR(Expect(",", "before the dtype of a tensor"));
  LATHE_ASSIGN_OR_RETURN(const Name dtype, DottedName("a dtype"));
  const std::optional<ir::DType> element = ir::ParseDType(dtype.text);
  if (!element || element->is_void()) {
    return Error(dtype.loc) << "'" << dtype.text << "' is not a dtype";
  }
  type.dtype = *element;
  LATHE_RETURN_IF_ERROR(Expect("]", "after the dtype of a tensor"));
  type.loc = SpanFrom(begin.begin);
  return type;
}

// fn (int32, A) -> A, or fn [A](A) -> A
absl::StatusOr<TypeTree> RelayParser::ParseFunctionType(const Token& begin) {
  TypeTree type;
  type.kind = TypeTree::Kind::kFunction;
  LATHE_RETURN_IF_ERROR(ParseTypeParams(type.type_params));
  LATHE_RETURN_IF_ERROR(Expect("(", "before the parameters of a function type"));
  LATHE_RETURN_IF_ERROR(ParseTypeList(")", type.args));
  LATHE_RETURN_IF_ERROR(Expect("->", "before the result of a function type"));
  LATHE_ASSIGN_OR_RETURN(TypeTree result, ParseType());
  type.args.push_back(std::move(result));
  type.loc = SpanFrom(begin.begin);
  return type;
}

absl::StatusOr<TypeTree> RelayParser::ParseType() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  const Token begin = At();
  TypeTree type;
  type.loc = Span(begin);
  if (Accept("_")) return type;
  if (Accept("?")) return type;
  if (Accept("(")) {  // one type in parentheses is a tuple of one
    type.kind = TypeTree::Kind::kTuple;
    LATHE_RETURN_IF_ERROR(ParseTypeList(")", type.args));
    type.loc = SpanFrom(begin.begin);
    return type;
  }
  if (begin.kind != TokenKind::kName) {
    return ErrorHere() << "expected a type, found " << Found();
  }
  if (Is("meta") && Is("[", 1)) {  // meta[IncompleteType][0]
    LATHE_RETURN_IF_ERROR(ParseMetaRef().status());
    return type;
  }
  Take();
  const absl::string_view name = TextOf(begin);
  if (name == "Tensor" && Is("[")) return ParseTensorType(begin);
  if (name == "fn" || name == "fun") return ParseFunctionType(begin);
  if ((name == "ref" && Is("(")) || (name == "Ref" && Is("["))) {
    const bool bracket = Is("[");
    Take();
    type.kind = TypeTree::Kind::kRef;
    LATHE_RETURN_IF_ERROR(ParseTypeList(bracket ? "]" : ")", type.args));
    if (type.args.size() != 1) return Error(type.loc) << "a reference has one type";
    return type;
  }
  bool scalar = name == "bfloat16";
  for (absl::string_view prefix : {"int", "uint", "float", "bool"}) {
    scalar = scalar || absl::StartsWith(name, prefix);
  }
  const bool bare = name == "int" || name == "uint" || name == "float";  // of 32 bits
  const std::optional<ir::DType> dtype =
      scalar ? ir::ParseDType(bare ? absl::StrCat(name, 32) : std::string(name)) : std::nullopt;
  if (dtype && !dtype->is_void()) {
    type.kind = TypeTree::Kind::kTensor;
    type.dtype = *dtype;
    return type;
  }
  type.kind = TypeTree::Kind::kName;
  type.name = std::string(name);
  const bool angle = Is("<");
  if (Accept("[") || Accept("<")) {
    LATHE_RETURN_IF_ERROR(ParseTypeList(angle ? ">" : "]", type.args));
  }
  type.loc = SpanFrom(begin.begin);
  return type;
}

}  // namespace lathe::relay
