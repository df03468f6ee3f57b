#include "generator/reader/relay_text/syntax/parser.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/each_expr.h"
#include "generator/reader/relay_text/syntax/limits.h"
#include "generator/reader/relay_text/syntax/parse.h"
#include "generator/support/status.h"

namespace lathe::relay {

RelayParser::RelayParser(const SourceFile& file, Diagnostics& diags, ModuleTree& tree,
                         std::vector<Name>& imports)
    : file_(file), diags_(diags), tree_(tree), imports_(imports), tokens_(Tokenize(file, diags)) {}

bool RelayParser::Is(absl::string_view text, size_t ahead) const {
  const Token& t = At(ahead);
  return (t.kind == TokenKind::kSymbol || t.kind == TokenKind::kName) && TextOf(t) == text;
}

bool RelayParser::Accept(absl::string_view text) {
  if (!Is(text)) return false;
  Take();
  return true;
}

std::string RelayParser::Found() const {
  if (IsKind(TokenKind::kEnd)) return "the end of the file";
  return absl::StrCat("'", TextOf(At()).substr(0, 40), "'");
}

absl::Status RelayParser::Expect(absl::string_view text, absl::string_view where) {
  if (Accept(text)) return absl::OkStatus();
  return ErrorHere() << "expected '" << text << "' " << where << ", found " << Found();
}

absl::Status RelayParser::Deeper::Check() {
  if (parser_.depth_ <= kMaxDepth) return absl::OkStatus();
  return parser_.diags_.LimitExceeded(parser_.Span(parser_.At()), "relay-limit")
         << "nested deeper than " << kMaxDepth << " levels";
}

ExprId RelayParser::Add(Expr::Node node, TextSpan loc) {
  const ExprId id = tree_.exprs.Add({std::move(node), loc});
  int below = 0;
  ForEachChild(tree_.exprs[id], [&](ExprId child) { below = std::max(below, heights_[child]); });
  // Other modules have expressions in the tree, which this one does not refer to.
  while (heights_.size() < tree_.exprs.size()) heights_.Add(0);
  heights_[id] = below + 1;
  return id;
}

absl::Status RelayParser::CheckHeight(ExprId id) {
  if (heights_[id] <= kMaxHeight) return absl::OkStatus();
  return diags_.LimitExceeded(tree_.exprs[id].loc, "relay-limit")
         << "an expression of more than " << kMaxHeight << " levels, such as a chain of operators";
}

absl::StatusOr<Name> RelayParser::DottedName(absl::string_view what) {
  if (!IsKind(TokenKind::kName)) {
    return ErrorHere() << "expected " << what << ", found " << Found();
  }
  const Token first = Take();
  while (Is(".") && IsKind(TokenKind::kName, 1)) {
    Take();
    Take();
  }
  const TextSpan loc = SpanFrom(first.begin);
  return Name{std::string(file_.text().substr(loc.begin, loc.end - loc.begin)), loc};
}

absl::Status RelayParser::CheckVersion() {
  const Token t = Take();
  const absl::string_view text = TextOf(t);
  if (absl::StrContains(text, "\"0.0.5\"")) return absl::OkStatus();
  return diags_.Unsupported(Span(t), "relay-version")
         << "unsupported version of Relay text; supported is #[version = \"0.0.5\"]";
}

void RelayParser::ParseModule() {
  // Constants are needed before the section at the end of the file is reached.
  const auto metadata = std::find_if(tokens_.begin(), tokens_.end(),
                                     [](const Token& t) { return t.kind == TokenKind::kMetadata; });
  if (metadata != tokens_.end()) {
    constexpr absl::string_view kHeading = "#[metadata]";
    const absl::Status read = metadata_.Read(TextOf(*metadata).substr(kHeading.size()));
    if (!read.ok()) {
      const uint32_t begin = metadata->begin;
      Error({&file_, begin, begin + static_cast<uint32_t>(kHeading.size())}) << read.message();
    }
    tokens_.erase(metadata);
  }
  while (!IsKind(TokenKind::kEnd) && diags_.error_count() < kMaxErrors) {
    if (!ParseDefinition().ok()) SkipToDefinition();
  }
}

void RelayParser::SkipToDefinition() {
  depth_ = 0;
  while (!IsKind(TokenKind::kEnd) && !(Is("def") && IsKind(TokenKind::kGlobal, 1)) &&
         !(Is("type") && IsKind(TokenKind::kName, 1))) {
    Take();
  }
}

absl::Status RelayParser::ParseDefinition() {
  graph_vars_.clear();
  if (IsKind(TokenKind::kVersion)) return CheckVersion();
  if (Accept(";")) return absl::OkStatus();
  if (Is("import")) return ParseImport();
  if (Is("type") || (Is("data") && IsKind(TokenKind::kName, 1))) return ParseDataType();
  if (Is("extern")) return ParseExternType();
  if (!Is("def")) {
    if (!tree_.definitions.empty() && !StartsLastExpression()) {
      return ErrorHere() << "expected a definition ('def', 'type', 'extern type', 'import'), found "
                         << Found();
    }
    return ParseLoneExpression();
  }
  const Token begin = Take();
  if (!IsKind(TokenKind::kGlobal)) {
    return ErrorHere() << "expected the name of a function, such as @main, found " << Found();
  }
  const Token token = Take();
  const Name name{std::string(TextOf(token).substr(1)), Span(token)};
  if (Accept("=")) {
    return diags_.Unsupported(SpanFrom(begin.begin), "relay-unsupported")
           << "@" << name.text << " is lowered or external code, which is not Relay text; "
           << "supported are functions with a body";
  }
  LATHE_ASSIGN_OR_RETURN(std::shared_ptr<FunctionTree> function, ParseFunction(token));
  tree_.definitions.push_back({name, std::move(function)});
  return absl::OkStatus();
}

absl::Status RelayParser::ParseImport() {
  Take();
  if (!IsKind(TokenKind::kString)) {
    return ErrorHere() << "expected the file to import, such as \"prelude.rly\", found " << Found();
  }
  const TextSpan loc = Span(At());
  LATHE_ASSIGN_OR_RETURN(std::string path, ParseString());
  imports_.push_back({std::move(path), loc});
  Accept(";");
  return absl::OkStatus();
}

// Cons(A, List[A]), or Cons : (A, List[A]) -> List[A], as the language reference writes it.
absl::Status RelayParser::ParseConstructor(DataTree& data) {
  if (!IsKind(TokenKind::kName)) {
    return ErrorHere() << "expected a constructor, found " << Found();
  }
  const Token name = Take();
  ConstructorTree constructor{{std::string(TextOf(name)), Span(name)}, {}};
  if (Accept("(")) {
    LATHE_RETURN_IF_ERROR(ParseTypeList(")", constructor.fields));
  } else if (Accept(":")) {
    LATHE_RETURN_IF_ERROR(ParseConstructorType(data, constructor));
  }
  data.constructors.push_back(std::move(constructor));
  return absl::OkStatus();
}

// (A, List[A]) -> List[A], with or without `fun<A>` before it; List[A] alone has no fields.
absl::Status RelayParser::ParseConstructorType(const DataTree& data, ConstructorTree& constructor) {
  std::vector<Name> type_params;
  if (Accept("fun") || Accept("fn")) LATHE_RETURN_IF_ERROR(ParseTypeParams(type_params));
  if (Accept("(")) {
    LATHE_RETURN_IF_ERROR(ParseTypeList(")", constructor.fields));
    LATHE_RETURN_IF_ERROR(Expect("->", "after the fields of a constructor"));
  }
  const Token begin = At();
  LATHE_ASSIGN_OR_RETURN(const TypeTree result, ParseType());
  if (Is("->")) {
    return Error(Span(begin)) << "expected '(' before the fields of a constructor, found '"
                              << TextOf(begin) << "'";
  }
  bool own = result.kind == TypeTree::Kind::kName && result.name == data.name.text &&
             (result.args.empty() || result.args.size() == data.type_params.size());
  for (size_t i = 0; own && i < result.args.size(); ++i) {
    own = result.args[i].kind == TypeTree::Kind::kName &&
          result.args[i].name == data.type_params[i].text;
  }
  if (own) return absl::OkStatus();
  return Error(result.loc) << "constructor '" << constructor.name.text
                           << "' has another result, expected the type '" << data.name.text
                           << "' with its parameters";
}

// type List[A] { Cons(A, List[A]), Nil, }, or data Nat { Z : () -> Nat  S : (Nat) -> Nat } as the
// language reference writes it.
absl::Status RelayParser::ParseDataType() {
  Take();
  if (!IsKind(TokenKind::kName)) {
    return ErrorHere() << "expected the name of a type, found " << Found();
  }
  const Token name = Take();
  DataTree data{{std::string(TextOf(name)), Span(name)}, {}, {}, false};
  LATHE_RETURN_IF_ERROR(ParseTypeParams(data.type_params));
  LATHE_RETURN_IF_ERROR(Expect("{", "before the constructors"));
  while (!Is("}")) {
    const bool typed = Is(":", 1);
    LATHE_RETURN_IF_ERROR(ParseConstructor(data));
    if (Accept(",") || Accept("|")) continue;
    if (!typed) break;
    Accept(";");
  }
  LATHE_RETURN_IF_ERROR(Expect("}", "after the constructors"));
  tree_.types.push_back(std::move(data));
  return absl::OkStatus();
}

absl::Status RelayParser::ParseExternType() {
  Take();
  LATHE_RETURN_IF_ERROR(Expect("type", "after 'extern'"));
  if (!IsKind(TokenKind::kName)) {
    return ErrorHere() << "expected the name of a type, found " << Found();
  }
  const Token name = Take();
  DataTree data{{std::string(TextOf(name)), Span(name)}, {}, {}, true};
  LATHE_RETURN_IF_ERROR(ParseTypeParams(data.type_params));
  if (Is("{")) return ErrorHere() << "an external type has no constructors";
  Accept(";");
  tree_.types.push_back(std::move(data));
  return absl::OkStatus();
}

// Whether an expression follows the definitions, whose value is that of the module.
bool RelayParser::StartsLastExpression() const {
  for (const Definition& definition : tree_.definitions) {
    if (definition.name.text == "main") return false;
  }
  for (absl::string_view first : {"let", "if", "match", "fn", "fun", "free_var", "(", "{", "-"}) {
    if (Is(first)) return true;
  }
  return IsKind(TokenKind::kLocal) || IsKind(TokenKind::kGraph) || IsKind(TokenKind::kGlobal) ||
         IsKind(TokenKind::kNumber) || (IsKind(TokenKind::kName) && Is("(", 1));
}

// The expression becomes @main. A lone `fn` is @main itself.
absl::Status RelayParser::ParseLoneExpression() {
  const Token begin = At();
  in_lone_expression_ = true;
  const Scopes::Open scope(scopes_);
  const absl::StatusOr<ExprId> parsed = ParseSequence();
  in_lone_expression_ = false;
  LATHE_RETURN_IF_ERROR(parsed.status());
  if (!IsKind(TokenKind::kEnd) && !Is("def") && !Is("type")) {
    return ErrorHere() << "expected the end of the expression, found " << Found();
  }
  const Name name{"main", Span(begin)};
  const Fn* fn = tree_.exprs[*parsed].As<Fn>();
  if (fn != nullptr && free_vars_.empty()) {
    tree_.definitions.push_back({name, fn->function});
    return absl::OkStatus();
  }
  auto function = std::make_shared<FunctionTree>();
  function->params = free_vars_;
  function->body = *parsed;
  function->loc = SpanFrom(begin.begin);
  tree_.definitions.push_back({name, std::move(function)});
  return absl::OkStatus();
}

absl::Status RelayParser::ParseTypeParams(std::vector<Name>& params) {
  const bool angle = Is("<");
  if (!Accept("[") && !Accept("<")) return absl::OkStatus();
  const absl::string_view close = angle ? ">" : "]";
  while (!Is(close)) {
    if (!IsKind(TokenKind::kName)) {
      return ErrorHere() << "expected a type parameter, found " << Found();
    }
    const Token name = Take();
    for (const Name& other : params) {
      if (other.text == TextOf(name)) {
        return Error(Span(name)) << "type parameter '" << other.text << "' is declared twice";
      }
    }
    params.push_back({std::string(TextOf(name)), Span(name)});
    if (Accept(":") && !Accept("Type")) {
      return diags_.Unsupported(Span(At()), "relay-unsupported")
             << "type parameters of kind " << Found() << " are not supported; supported is Type";
    }
    if (!Accept(",")) break;
  }
  return Expect(close, "after the type parameters");
}

void Parse(const SourceFile& file, Diagnostics& diags, ModuleTree& tree,
           std::vector<Name>& imports) {
  RelayParser(file, diags, tree, imports).ParseModule();
}

}  // namespace lathe::relay
