// Declares the recursive-descent parser of Relay text. Its parts are in parser_*.cc, one for each
// construct.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_PARSER_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_PARSER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relay_text/syntax/lexer.h"
#include "generator/reader/relay_text/syntax/metadata.h"
#include "generator/reader/relay_text/syntax/scopes.h"
#include "generator/reader/relay_text/syntax/tree.h"
#include "generator/support/diagnostics.h"

namespace lathe::relay {

// After a failed Status the error was reported; the definition is abandoned.
class RelayParser {
 public:
  RelayParser(const SourceFile& file, Diagnostics& diags, ModuleTree& tree,
              std::vector<Name>& imports);

  void ParseModule();  // parser.cc

 private:
  // Tokens.
  const Token& At(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  absl::string_view TextOf(const Token& t) const {
    return file_.text().substr(t.begin, t.end - t.begin);
  }
  bool Is(absl::string_view text, size_t ahead = 0) const;
  bool IsKind(TokenKind kind, size_t ahead = 0) const { return At(ahead).kind == kind; }
  // Consumes the token if it has this text.
  bool Accept(absl::string_view text);
  absl::Status Expect(absl::string_view text, absl::string_view where);
  Token Take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  // `a.b.c` as one name.
  absl::StatusOr<Name> DottedName(absl::string_view what);
  bool IsAttrName() const;

  TextSpan Span(const Token& t) const { return {&file_, t.begin, t.end}; }
  TextSpan SpanFrom(uint32_t begin) const {
    return {&file_, begin, at_ == 0 ? begin : tokens_[at_ - 1].end};
  }
  DiagnosticBuilder Error(const TextSpan& loc) { return diags_.Error(loc, "relay-syntax"); }
  DiagnosticBuilder ErrorHere() { return Error(Span(At())); }
  std::string Found() const;  // the current token, for messages

  // Counts the nesting depth during its lifetime.
  class Deeper {
   public:
    explicit Deeper(RelayParser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    absl::Status Check();

   private:
    RelayParser& parser_;
  };

  // Definitions: parser.cc.
  absl::Status ParseDefinition();
  absl::Status ParseDataType();

  absl::Status ParseConstructor(DataTree& data);
  absl::Status ParseConstructorType(const DataTree& data, ConstructorTree& constructor);
  absl::Status ParseExternType();
  absl::Status ParseImport();
  bool StartsLastExpression() const;
  absl::Status ParseLoneExpression();
  absl::Status CheckVersion();
  void SkipToDefinition();

  // Expressions: parser_block.cc, parser_expr.cc, parser_operand.cc.
  absl::StatusOr<ExprId> ParseSequence();
  absl::StatusOr<ExprId> ParseBraces(absl::string_view where);
  absl::StatusOr<bool> ParseItem(BlockTree& block);
  absl::Status ParseLet(BlockTree& block);
  absl::Status ParseGraphBinding(BlockTree& block);
  absl::Status ParseFreeVar();
  absl::StatusOr<ExprId> ParseBoundValue();
  bool EndsSequence() const;
  bool IsFnLiteral() const;
  absl::StatusOr<ExprId> ParseExpr(int binding_power = 0);
  absl::StatusOr<ExprId> ParsePostfix();
  absl::StatusOr<ExprId> ParseOperand();
  absl::StatusOr<ExprId> ParseParentheses();
  absl::StatusOr<ExprId> ParseNegative();
  absl::StatusOr<ExprId> ParseLocal();
  absl::StatusOr<ExprId> ParseGraphVar();
  std::string GraphVarName(const Token& token) const;
  absl::StatusOr<ExprId> ParseNamed();
  absl::StatusOr<ExprId> ParseIf();
  absl::StatusOr<ExprId> ParseMatch();
  absl::StatusOr<Arm> ParseArm(bool reference_form);
  absl::StatusOr<ExprId> ParseFn();
  absl::StatusOr<ExprId> ParseRefCall(absl::string_view name, const Token& begin);
  absl::StatusOr<ExprId> ParseSplat(const Token& begin);  // Constant(v, shape, dtype)
  absl::StatusOr<ExprId> ParseMeta();
  absl::StatusOr<ExprId> ParseCall(ExprId callee);
  absl::StatusOr<Pattern> ParsePattern();
  absl::Status BindPattern(const Pattern& pattern, std::vector<std::string>& bound);
  absl::StatusOr<std::shared_ptr<FunctionTree>> ParseFunction(const Token& begin);
  absl::Status ParseTypeParams(std::vector<Name>& params);
  absl::Status ParseParam(FunctionTree& function);
  // Reads a local's name, including the dots of an exported name.
  Name TakeLocalName();

  // Literals and attributes: parser_attrs.cc.
  absl::StatusOr<ir::Constant> ParseNumber(bool negative);
  absl::StatusOr<ir::AttrValue> ParseAttrValue();
  absl::StatusOr<ir::AttrValue> ParseAttrList(absl::string_view close);
  absl::StatusOr<ir::AttrValue> ParseAttrNumber(bool negative);
  absl::Status ParseAttr(ir::AttrMap& attrs);
  absl::StatusOr<std::string> ParseString();
  // meta[K][n]
  struct MetaRef {
    std::string key;
    int64_t index = 0;
    TextSpan loc;
  };
  absl::StatusOr<MetaRef> ParseMetaRef();
  absl::StatusOr<int64_t> ParseInteger(absl::string_view what);

  // Types: parser_type.cc.
  absl::StatusOr<TypeTree> ParseType();
  absl::StatusOr<TypeTree> ParseTensorType(const Token& begin);
  absl::StatusOr<TypeTree> ParseFunctionType(const Token& begin);
  absl::Status ParseDims(TypeTree& type);
  absl::Status ParseTypeList(absl::string_view close, std::vector<TypeTree>& types);

  ExprId Add(Expr::Node node, TextSpan loc);
  absl::Status CheckHeight(ExprId id);
  ExprId AddCall(const char* op, std::vector<ExprId> args, TextSpan loc);

  const SourceFile& file_;
  Diagnostics& diags_;
  ModuleTree& tree_;
  std::vector<Name>& imports_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  IdVector<ExprId, int> heights_;
  Metadata metadata_;
  Scopes scopes_;
  // Graph variables of the definition.
  struct GraphVar {
    ExprId value;
    TextSpan loc;
  };
  absl::flat_hash_map<std::string, GraphVar> graph_vars_;
  std::vector<VarId> free_vars_;  // of a lone expression
  bool in_lone_expression_ = false;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_PARSER_H_
