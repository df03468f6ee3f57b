// Parses sequences: let bindings, graph bindings, and the value of a block.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/parser.h"
#include "generator/support/status.h"

namespace lathe::relay {

bool RelayParser::EndsSequence() const {
  return IsKind(TokenKind::kEnd) || Is("}") || Is(")") || Is(",") || Is("]");
}

absl::StatusOr<ExprId> RelayParser::ParseBraces(absl::string_view where) {
  LATHE_RETURN_IF_ERROR(Expect("{", absl::StrCat("at the start of a block ", where)));
  LATHE_ASSIGN_OR_RETURN(const ExprId body, ParseSequence());
  LATHE_RETURN_IF_ERROR(Expect("}", absl::StrCat("at the end of a block ", where)));
  return body;
}

absl::StatusOr<ExprId> RelayParser::ParseSequence() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  const Scopes::Open scope(scopes_);
  const uint32_t begin = At().begin;
  BlockTree block;
  while (true) {
    LATHE_ASSIGN_OR_RETURN(const bool last, ParseItem(block));
    if (last) break;
  }
  if (block.items.empty()) return block.result;
  return Add(std::move(block), SpanFrom(begin));
}

// Returns true after the last item, which is the value.
absl::StatusOr<bool> RelayParser::ParseItem(BlockTree& block) {
  if (EndsSequence()) {
    return ErrorHere() << "expected an expression, the value of the block, found " << Found();
  }
  if (Is("let")) {
    LATHE_RETURN_IF_ERROR(ParseLet(block));
    return false;
  }
  if (IsKind(TokenKind::kGraph) && Is("=", 1)) {
    LATHE_RETURN_IF_ERROR(ParseGraphBinding(block));
    return false;
  }
  if (Is("free_var")) {
    LATHE_RETURN_IF_ERROR(ParseFreeVar());
    return false;
  }
  LATHE_ASSIGN_OR_RETURN(const ExprId value, ParseBoundValue());
  if (Accept(";")) {
    block.items.push_back({Item::Kind::kDrop, VarId(), value});
    return false;
  }
  block.result = value;
  return true;
}

// The value of a binding. TVM prints `match` and `let` here, although it does not read them back.
absl::StatusOr<ExprId> RelayParser::ParseBoundValue() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  if (Is("match") || Is("match?")) return ParseMatch();
  if (Is("{")) return ParseBraces("of an expression");
  if (!Is("let")) return ParseExpr();
  const Scopes::Open scope(scopes_);
  const uint32_t begin = At().begin;
  BlockTree block;
  LATHE_RETURN_IF_ERROR(ParseLet(block));
  LATHE_ASSIGN_OR_RETURN(block.result, ParseBoundValue());
  return Add(std::move(block), SpanFrom(begin));
}

// Whether the value is a function, rather than the call of one or an operator expression: the
// braces of its body are followed by the end of the binding.
bool RelayParser::IsFnLiteral() const {
  if (!Is("fn") && !Is("fun")) return false;
  int depth = 0;
  for (size_t ahead = 1; !IsKind(TokenKind::kEnd, ahead); ++ahead) {
    if (!IsKind(TokenKind::kSymbol, ahead)) continue;
    const absl::string_view symbol = TextOf(At(ahead));
    if (symbol == "(" || symbol == "[" || symbol == "{") ++depth;
    if (symbol == ")" || symbol == "]" || symbol == "}") --depth;
    if (depth < 0) return false;
    if (depth > 0 || symbol != "}") continue;
    for (absl::string_view infix :
         {"(", ".", "+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=", "&&", "||"}) {
      if (Is(infix, ahead + 1)) return false;
    }
    return true;
  }
  return false;
}

absl::Status RelayParser::ParseLet(BlockTree& block) {
  Take();
  if (!IsKind(TokenKind::kLocal) && !Is("_")) {
    return ErrorHere() << "expected a variable, such as %x, after 'let', found " << Found();
  }
  const Name name = Is("_") ? Name{"_", Span(Take())} : TakeLocalName();
  Var var{name.text, name.loc, std::nullopt};
  if (Accept(":")) {
    LATHE_ASSIGN_OR_RETURN(var.annotation, ParseType());
  }
  LATHE_RETURN_IF_ERROR(Expect("=", "after the variable of a 'let'"));
  const VarId id = tree_.vars.Add(std::move(var));
  // Only a function sees its own name, for recursion.
  const bool recursive = IsFnLiteral();
  if (recursive) scopes_.Bind(name.text, id);
  LATHE_ASSIGN_OR_RETURN(const ExprId value, ParseBoundValue());
  if (!recursive) scopes_.Bind(name.text, id);
  block.items.push_back({Item::Kind::kLet, id, value});
  // The language reference omits the semicolon where the value is complete.
  if (Accept(";")) return absl::OkStatus();
  if (!EndsSequence()) return absl::OkStatus();
  return ErrorHere() << "expected ';' and the value of the block after a 'let', found " << Found();
}

absl::Status RelayParser::ParseGraphBinding(BlockTree& block) {
  const Token token = Take();
  const std::string number = GraphVarName(token);
  Take();  // '='
  LATHE_ASSIGN_OR_RETURN(const ExprId value, ParseBoundValue());
  const auto [it, inserted] = graph_vars_.try_emplace(number, GraphVar{value, Span(token)});
  if (!inserted) {
    return Error(Span(token)).Note(it->second.loc, "first bound here")
           << "graph variable %" << number << " is bound twice in one definition";
  }
  block.items.push_back({Item::Kind::kGraph, VarId(), value});
  Accept(";");
  if (!EndsSequence()) return absl::OkStatus();
  return ErrorHere() << "expected the value of the block after a graph binding, found " << Found();
}

absl::Status RelayParser::ParseFreeVar() {
  const Token token = Take();
  if (!in_lone_expression_) {
    return Error(Span(token)) << "'free_var' in a definition; it belongs to an expression without "
                                 "'def', where it declares a parameter";
  }
  if (!IsKind(TokenKind::kLocal)) {
    return ErrorHere() << "expected a variable after 'free_var', found " << Found();
  }
  const Name name = TakeLocalName();
  Var var{name.text, name.loc, std::nullopt};
  if (Accept(":")) {
    LATHE_ASSIGN_OR_RETURN(var.annotation, ParseType());
  }
  for (const VarId other : free_vars_) {
    if (tree_.vars[other].name != name.text) continue;
    return Error(name.loc).Note(tree_.vars[other].loc, "first declared here")
           << "free variable %" << name.text << " is declared twice";
  }
  const VarId id = tree_.vars.Add(std::move(var));
  scopes_.Bind(name.text, id);
  free_vars_.push_back(id);
  return Expect(";", "after 'free_var'");
}

}  // namespace lathe::relay
