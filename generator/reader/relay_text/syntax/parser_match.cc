// Parses `match` and its patterns.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/parser.h"
#include "generator/support/status.h"

namespace lathe::relay {

// match (%l) { Cons(%x, _) => %x, Nil => 0, }, or with `case P { e }`.
absl::StatusOr<ExprId> RelayParser::ParseMatch() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  const Token begin = Take();
  MatchTree match;
  match.complete = TextOf(begin) == "match";
  LATHE_ASSIGN_OR_RETURN(match.value, ParseOperand());
  LATHE_RETURN_IF_ERROR(Expect("{", "before the clauses of a match"));
  while (!Is("}")) {
    const bool reference_form = Is("case");
    LATHE_ASSIGN_OR_RETURN(Arm arm, ParseArm(reference_form));
    match.arms.push_back(std::move(arm));
    if (!Accept(",") && !reference_form) break;
  }
  LATHE_RETURN_IF_ERROR(Expect("}", "after the clauses of a match"));
  return Add(std::move(match), SpanFrom(begin.begin));
}

absl::StatusOr<Arm> RelayParser::ParseArm(bool reference_form) {
  if (reference_form) Take();
  LATHE_ASSIGN_OR_RETURN(Pattern pattern, ParsePattern());
  const Scopes::Open scope(scopes_);
  std::vector<std::string> bound;
  LATHE_RETURN_IF_ERROR(BindPattern(pattern, bound));
  ExprId body;
  if (reference_form) {
    LATHE_ASSIGN_OR_RETURN(body, ParseBraces("of a clause"));
  } else {
    LATHE_RETURN_IF_ERROR(Expect("=>", "after the pattern of a clause"));
    LATHE_ASSIGN_OR_RETURN(body, ParseSequence());
  }
  return Arm{std::move(pattern), body};
}

absl::StatusOr<Pattern> RelayParser::ParsePattern() {
  Deeper deeper(*this);
  LATHE_RETURN_IF_ERROR(deeper.Check());
  const Token begin = At();
  Pattern pattern;
  pattern.loc = Span(begin);
  if (Accept("_")) return pattern;
  if (IsKind(TokenKind::kLocal)) {
    pattern.kind = Pattern::Kind::kVar;
    Take();
    Var var{std::string(TextOf(begin).substr(1)), Span(begin), std::nullopt};
    if (Accept(":")) {
      LATHE_ASSIGN_OR_RETURN(var.annotation, ParseType());
    }
    pattern.var = tree_.vars.Add(std::move(var));
    return pattern;
  }
  if (Is("(")) {
    pattern.kind = Pattern::Kind::kTuple;
  } else if (IsKind(TokenKind::kName)) {
    pattern.kind = Pattern::Kind::kConstructor;
    pattern.name = std::string(TextOf(Take()));
    if (!Is("(")) return pattern;
    pattern.has_fields = true;
  } else {
    return ErrorHere() << "expected a pattern: a constructor, a variable, a tuple or '_', found "
                       << Found();
  }
  Take();
  while (!Is(")")) {
    LATHE_ASSIGN_OR_RETURN(Pattern field, ParsePattern());
    pattern.fields.push_back(std::move(field));
    if (!Accept(",")) break;
  }
  LATHE_RETURN_IF_ERROR(Expect(")", "after the fields of a pattern"));
  pattern.loc = SpanFrom(begin.begin);
  return pattern;
}

absl::Status RelayParser::BindPattern(const Pattern& pattern, std::vector<std::string>& bound) {
  if (pattern.kind == Pattern::Kind::kVar) {
    const std::string& name = tree_.vars[pattern.var].name;
    if (std::find(bound.begin(), bound.end(), name) != bound.end()) {
      return Error(pattern.loc) << "%" << name << " is bound twice in one pattern";
    }
    bound.push_back(name);
    scopes_.Bind(name, pattern.var);
  }
  for (const Pattern& field : pattern.fields) LATHE_RETURN_IF_ERROR(BindPattern(field, bound));
  return absl::OkStatus();
}

}  // namespace lathe::relay
