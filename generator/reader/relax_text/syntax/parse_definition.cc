#include "generator/reader/relax_text/syntax/parse_definition.h"

#include "generator/reader/relax_text/syntax/parse_block.h"
#include "generator/reader/relax_text/syntax/parse_call.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"
#include "generator/reader/relax_text/syntax/parse_params.h"

namespace lathe::relax_text {
namespace {

bool ParseDecorators(Parser& p, Gathered<ast::ExprRef>& decorators) {
  while (p.Accept(TokenKind::kAt)) {
    ast::ExprRef decorator = ParseNamedExpression(p);
    if (decorator == nullptr) return false;
    decorators.push_back(decorator);
    if (!p.Expect(TokenKind::kNewline, "after a decorator")) return false;
  }
  return true;
}

ast::StmtRef ParseFunction(Parser& p, uint32_t begin, ast::ExprList decorators) {
  const uint32_t def = p.begin();
  p.Advance();
  ast::FunctionDef function{};
  function.decorators = decorators;
  Token name;
  if (!p.ExpectName("the function's name", name)) return nullptr;
  function.name = p.Text(name);
  function.name_span = p.Span(name);
  Gathered<ast::TypeParam> type_params;
  if (!ParseTypeParams(p, type_params)) return nullptr;
  function.type_params = p.tree().CopyList(type_params);
  if (!p.Expect(TokenKind::kLeftParen, "after the function's name")) return nullptr;
  Gathered<ast::Param> params;
  if (!ParseParams(p, ParamsOf::kFunction, params)) return nullptr;
  p.Advance();
  function.params = p.tree().CopyList(params);
  if (p.Accept(TokenKind::kArrow)) {
    function.return_annotation = ParseExpression(p);
    if (function.return_annotation == nullptr) return nullptr;
  }
  if (!ParseBlock(p, {"the function's signature", "the function's signature", def},
                  function.body)) {
    return nullptr;
  }
  return p.MakeStmt(begin, function);
}

ast::StmtRef ParseClass(Parser& p, uint32_t begin, ast::ExprList decorators) {
  const uint32_t keyword = p.begin();
  p.Advance();
  ast::ClassDef cls{};
  cls.decorators = decorators;
  Token name;
  if (!p.ExpectName("the class's name", name)) return nullptr;
  cls.name = p.Text(name);
  cls.name_span = p.Span(name);
  Gathered<ast::TypeParam> type_params;
  if (!ParseTypeParams(p, type_params)) return nullptr;
  cls.type_params = p.tree().CopyList(type_params);
  if (p.At(TokenKind::kLeftParen)) {
    Arguments bases;
    if (!ParseArguments(p, bases)) return nullptr;
    cls.bases = p.tree().CopyList(bases.positional);
    cls.keywords = p.tree().CopyList(bases.keywords);
  }
  if (!ParseBlock(p, {"the class's name", "the class's name", keyword}, cls.body)) {
    return nullptr;
  }
  return p.MakeStmt(begin, cls);
}

}  // namespace

ast::StmtRef ParseDefinition(Parser& p) {
  const uint32_t begin = p.begin();
  Gathered<ast::ExprRef> gathered;
  if (!ParseDecorators(p, gathered)) return nullptr;
  const ast::ExprList decorators = p.tree().CopyList(gathered);
  const bool is_async = p.Accept(TokenKind::kAsync);
  if (p.At(TokenKind::kDef)) {
    ast::StmtRef function = ParseFunction(p, begin, decorators);
    if (function == nullptr || !is_async) return function;
    return p.MakeStmt(begin, ast::UnsupportedStmt{"an async function"});
  }
  if (p.At(TokenKind::kClass) && !is_async) return ParseClass(p, begin, decorators);
  p.Unexpected(is_async ? "'def' after 'async'" : "'def' or 'class' after the decorators");
  return nullptr;
}

}  // namespace lathe::relax_text
