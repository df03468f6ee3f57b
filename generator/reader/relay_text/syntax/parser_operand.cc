// Parses operands: variables, literals, `if`, `fn`, names of operators and constructors.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/parser.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<ExprId> RelayParser::ParseOperand() {
  const Token t = At();
  switch (t.kind) {
    case TokenKind::kLocal:
      return ParseLocal();
    case TokenKind::kGraph:
      return ParseGraphVar();
    case TokenKind::kGlobal:
      Take();
      return Add(GlobalRef{std::string(TextOf(t).substr(1))}, Span(t));
    case TokenKind::kNumber: {
      LATHE_ASSIGN_OR_RETURN(ir::Constant value, ParseNumber(false));
      return Add(Literal{std::move(value)}, Span(t));
    }
    case TokenKind::kName:
      return ParseNamed();
    default:
      break;
  }
  if (Is("(")) return ParseParentheses();
  if (Is("-")) return ParseNegative();
  return ErrorHere() << "expected an expression, found " << Found();
}

// Exporters name parameters "layer.0.weight". After such a parameter, the longest declared name is
// meant; else a dot selects a field.
Name RelayParser::TakeLocalName() {
  const Token first = Take();
  while (Is(".") && (IsKind(TokenKind::kName, 1) || IsKind(TokenKind::kNumber, 1)) &&
         At().begin == tokens_[at_ - 1].end && At(1).begin == At().end) {
    Take();
    Take();
  }
  const TextSpan loc = SpanFrom(first.begin);
  return {std::string(file_.text().substr(loc.begin + 1, loc.end - loc.begin - 1)), loc};
}

absl::StatusOr<ExprId> RelayParser::ParseLocal() {
  const Token first = At();
  const size_t before = at_;
  const Name whole = TakeLocalName();
  // The tokens of the name are one for each part and one for each dot.
  std::string name = whole.text;
  for (size_t end = at_; end > before; end -= 2) {
    if (const std::optional<VarId> var = scopes_.Find(name)) {
      at_ = end;
      return Add(LocalRef{*var}, SpanFrom(first.begin));
    }
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos) break;
    name.resize(dot);
  }
  at_ = before + 1;
  diags_.Error(Span(first), "relay-unknown-name") << "use of undeclared variable %" << name;
  return Add(LocalRef{tree_.vars.Add({name, Span(first), std::nullopt})}, Span(first));
}

// %00 is %0.
std::string RelayParser::GraphVarName(const Token& token) const {
  std::string number(TextOf(token).substr(1));
  number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
  return number;
}

absl::StatusOr<ExprId> RelayParser::ParseGraphVar() {
  const Token t = Take();
  const std::string number = GraphVarName(t);
  const auto found = graph_vars_.find(number);
  if (found == graph_vars_.end()) {
    return diags_.Error(Span(t), "relay-unknown-name")
           << "use of undeclared graph variable %" << number
           << "; a graph variable is visible in its definition, after its binding";
  }
  return Add(SharedRef{found->second.value}, Span(t));
}

absl::StatusOr<ExprId> RelayParser::ParseNamed() {
  const Token t = At();
  if (Is("if")) return ParseIf();
  if (Is("fn") || Is("fun")) return ParseFn();
  if (Is("meta") && Is("[", 1)) return ParseMeta();
  for (absl::string_view keyword : {"let", "def", "else", "type", "extern", "free_var"}) {
    if (Is(keyword)) return ErrorHere() << "expected an expression, found '" << keyword << "'";
  }
  if (Is("match") || Is("match?")) {
    return ErrorHere() << "'match' as an operand; put it in parentheses";
  }
  if (Is("True") || Is("False")) {
    ir::Constant value;
    value.dtype = ir::DType::Bool();
    value.bytes = std::make_shared<std::vector<uint8_t>>(1, Is("True") ? 1 : 0);
    Take();
    return Add(Literal{std::move(value)}, Span(t));
  }
  for (absl::string_view name : {"ref", "ref_read", "ref_write"}) {
    if (Is(name) && Is("(", 1)) return ParseRefCall(name, Take());
  }
  if (Is("Constant") && Is("(", 1)) return ParseSplat(Take());
  LATHE_ASSIGN_OR_RETURN(Name name, DottedName("an operator or a constructor"));
  return Add(NameRef{std::move(name.text)}, name.loc);
}

absl::StatusOr<ExprId> RelayParser::ParseRefCall(absl::string_view name, const Token& begin) {
  LATHE_RETURN_IF_ERROR(Expect("(", absl::StrCat("after '", name, "'")));
  LATHE_ASSIGN_OR_RETURN(const ExprId first, ParseSequence());
  ExprId value;
  if (name == "ref_write") {
    LATHE_RETURN_IF_ERROR(Expect(",", "before the value that is written"));
    LATHE_ASSIGN_OR_RETURN(value, ParseSequence());
  }
  LATHE_RETURN_IF_ERROR(Expect(")", absl::StrCat("after the arguments of '", name, "'")));
  const TextSpan loc = SpanFrom(begin.begin);
  if (name == "ref") return Add(NewRef{first}, loc);
  if (name == "ref_read") return Add(ReadRef{first}, loc);
  return Add(WriteRef{first, value}, loc);
}

// Constant(0, (10, 10), float32), as the language reference writes a tensor of equal elements.
absl::StatusOr<ExprId> RelayParser::ParseSplat(const Token& begin) {
  Take();  // '('
  ir::AttrValue number;
  if (Is("True") || Is("False")) {
    number = static_cast<int64_t>(TextOf(Take()) == "True" ? 1 : 0);
  } else {
    const bool negative = Accept("-");
    LATHE_ASSIGN_OR_RETURN(number, ParseAttrNumber(negative));
  }
  LATHE_RETURN_IF_ERROR(Expect(",", "before the shape of a constant"));
  TypeTree type;
  LATHE_RETURN_IF_ERROR(ParseDims(type));
  LATHE_RETURN_IF_ERROR(Expect(",", "before the dtype of a constant"));
  LATHE_ASSIGN_OR_RETURN(const Name dtype, DottedName("a dtype"));
  const std::optional<ir::DType> element = ir::ParseDType(dtype.text);
  if (!element || element->is_void()) {
    return Error(dtype.loc) << "'" << dtype.text << "' is not a dtype";
  }
  LATHE_RETURN_IF_ERROR(Expect(")", "after a constant"));
  ir::AttrMap attrs;
  ir::AttrList shape;
  for (const int64_t dim : type.dims) {
    if (dim < 0) return Error(SpanFrom(begin.begin)) << "the shape of a constant has to be known";
    shape.emplace_back(dim);
  }
  attrs["shape"] = std::move(shape);
  attrs["dtype"] = ir::ToString(*element);
  const TextSpan loc = SpanFrom(begin.begin);
  ir::Constant scalar;
  scalar.dtype = ir::DType::Float(64);
  const double value = number.As<double>() != nullptr ? *number.As<double>()
                                                      : static_cast<double>(*number.As<int64_t>());
  auto bytes = std::make_shared<std::vector<uint8_t>>(sizeof value);
  std::memcpy(bytes->data(), &value, sizeof value);
  scalar.bytes = std::move(bytes);
  ir::AttrMap cast;
  cast["dtype"] = ir::ToString(*element);
  const ExprId literal = Add(Literal{std::move(scalar)}, loc);
  const ExprId converted =
      Add(CallTree{Add(NameRef{"cast"}, loc), {literal}, std::move(cast)}, loc);
  return Add(CallTree{Add(NameRef{"full"}, loc), {converted}, std::move(attrs)}, loc);
}

absl::StatusOr<ExprId> RelayParser::ParseMeta() {
  LATHE_ASSIGN_OR_RETURN(const MetaRef meta, ParseMetaRef());
  if (meta.key != "relay.Constant") {
    return diags_.Unsupported(meta.loc, "relay-unsupported")
           << "meta[" << meta.key << "] as a value; supported is meta[relay.Constant]";
  }
  const absl::StatusOr<ir::Constant> constant = metadata_.ConstantAt(meta.index);
  if (!constant.ok()) return Error(meta.loc) << constant.status().message();
  return Add(Literal{*constant}, meta.loc);
}

absl::StatusOr<ExprId> RelayParser::ParseIf() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  const Token begin = Take();
  LATHE_RETURN_IF_ERROR(Expect("(", "before the condition"));
  LATHE_ASSIGN_OR_RETURN(const ExprId cond, ParseSequence());
  LATHE_RETURN_IF_ERROR(Expect(")", "after the condition"));
  LATHE_ASSIGN_OR_RETURN(const ExprId then_body, ParseBraces("of an 'if'"));
  LATHE_RETURN_IF_ERROR(Expect("else", "after the first branch; an 'if' is a value"));
  ExprId else_body;
  if (Is("if")) {
    LATHE_ASSIGN_OR_RETURN(else_body, ParseIf());
  } else {
    LATHE_ASSIGN_OR_RETURN(else_body, ParseBraces("of an 'else'"));
  }
  return Add(IfTree{cond, then_body, else_body}, SpanFrom(begin.begin));
}

absl::StatusOr<ExprId> RelayParser::ParseFn() {
  const Token begin = Take();
  LATHE_ASSIGN_OR_RETURN(std::shared_ptr<FunctionTree> function, ParseFunction(begin));
  return Add(Fn{std::move(function)}, SpanFrom(begin.begin));
}

absl::StatusOr<std::shared_ptr<FunctionTree>> RelayParser::ParseFunction(const Token& begin) {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  auto function = std::make_shared<FunctionTree>();
  function->loc = Span(begin);
  LATHE_RETURN_IF_ERROR(ParseTypeParams(function->type_params));
  LATHE_RETURN_IF_ERROR(Expect("(", "before the parameters of a function"));
  const Scopes::Open scope(scopes_);
  while (!Is(")")) {
    if (IsAttrName() || IsKind(TokenKind::kString)) {
      LATHE_RETURN_IF_ERROR(ParseAttr(function->attrs));
    } else {
      LATHE_RETURN_IF_ERROR(ParseParam(*function));
    }
    if (!Accept(",")) break;
  }
  LATHE_RETURN_IF_ERROR(Expect(")", "after the parameters of a function"));
  if (Accept("->")) {
    LATHE_ASSIGN_OR_RETURN(function->ret, ParseType());
  }
  if (Is("where")) {
    return diags_.Unsupported(Span(At()), "relay-unsupported")
           << "'where' clauses are not supported; the operators of the body relate the types";
  }
  LATHE_ASSIGN_OR_RETURN(function->body, ParseBraces("of a function"));
  return function;
}

absl::Status RelayParser::ParseParam(FunctionTree& function) {
  if (!IsKind(TokenKind::kLocal)) {
    return ErrorHere() << "expected a parameter, such as %x, found " << Found();
  }
  const Name name = TakeLocalName();
  for (const VarId other : function.params) {
    if (tree_.vars[other].name == name.text) {
      return Error(name.loc).Note(tree_.vars[other].loc, "first declared here")
             << "parameter %" << name.text << " is declared twice";
    }
  }
  Var var{name.text, name.loc, std::nullopt};
  if (Is("{")) {  // {virtual_device=meta[VirtualDevice][0]}: a hint
    while (!Is("}") && !IsKind(TokenKind::kEnd)) Take();
    LATHE_RETURN_IF_ERROR(Expect("}", "after the attributes of a parameter"));
  }
  if (Accept(":")) {
    LATHE_ASSIGN_OR_RETURN(var.annotation, ParseType());
  }
  const VarId id = tree_.vars.Add(std::move(var));
  scopes_.Bind(name.text, id);
  function.params.push_back(id);
  return absl::OkStatus();
}

}  // namespace lathe::relay
