#include "generator/reader/relax_text/syntax/parse_params.h"

#include "generator/reader/relax_text/syntax/parse_expr.h"

namespace lathe::relax_text {
namespace {

class ParamsParser {
 public:
  ParamsParser(Parser& p, ParamsOf of, Gathered<ast::Param>& params)
      : p_(p),
        is_function_(of == ParamsOf::kFunction),
        end_(is_function_ ? TokenKind::kRightParen : TokenKind::kColon),
        params_(params) {}

  bool Parse() {
    while (!p_.At(end_)) {
      const Token first = p_.token();
      if (last_) {
        p_.Error(p_.Span(first)) << "no parameter may follow '**" << params_.back().name << "'";
        return false;
      }
      const bool good = p_.Accept(TokenKind::kSlash)        ? AddSlash(first)
                        : p_.Accept(TokenKind::kStar)       ? AddStar(first)
                        : p_.Accept(TokenKind::kDoubleStar) ? AddDoubleStar()
                                                            : AddPlain();
      if (!good) return false;
      if (!p_.Accept(TokenKind::kComma)) break;
    }
    if (bare_star_.kind == TokenKind::kStar) {
      p_.Error(p_.Span(bare_star_)) << "a bare '*' has no parameters after it";
      return false;
    }
    if (p_.At(end_)) return true;
    p_.Unexpected(is_function_ ? "',' or ')' after a parameter" : "',' or ':' after a parameter");
    return false;
  }

 private:
  bool AddSlash(const Token& slash) {
    if (params_.empty() || had_slash_ || had_star_) {
      p_.Error(p_.Span(slash)) << (had_slash_  ? "a second '/' among the parameters"
                                   : had_star_ ? "'/' after '*' among the parameters"
                                               : "no parameters before '/'");
      return false;
    }
    had_slash_ = true;
    for (ast::Param& param : params_) param.kind = ast::ParamKind::kPositionalOnly;
    return true;
  }

  bool AddStar(const Token& star) {
    if (had_star_) {
      p_.Error(p_.Span(star)) << "a second '*' among the parameters";
      return false;
    }
    had_star_ = true;
    if (!p_.At(TokenKind::kComma) && !p_.At(end_)) return Add(ast::ParamKind::kStar);
    bare_star_ = star;
    return true;
  }

  bool AddDoubleStar() {
    last_ = true;
    return Add(ast::ParamKind::kDoubleStar);
  }

  bool AddPlain() {
    bare_star_ = Token();
    return Add(had_star_ ? ast::ParamKind::kKeywordOnly : ast::ParamKind::kPlain);
  }

  bool Add(ast::ParamKind kind) {
    Token name;
    if (!p_.ExpectName("a parameter's name", name)) return false;
    ast::Param param{kind, p_.Text(name), p_.Span(name), nullptr, nullptr};
    if (is_function_ && p_.Accept(TokenKind::kColon)) {
      param.annotation = kind == ast::ParamKind::kStar && p_.At(TokenKind::kStar)
                             ? ParseStarNamedExpression(p_)
                             : ParseExpression(p_);
      if (param.annotation == nullptr) return false;
    }
    const bool may_have_default =
        kind != ast::ParamKind::kStar && kind != ast::ParamKind::kDoubleStar;
    if (p_.At(TokenKind::kEqual)) {
      if (!may_have_default) {
        p_.Error(p_.Span(p_.token())) << "parameter '" << param.name << "' cannot have a default";
        return false;
      }
      p_.Advance();
      param.default_value = ParseExpression(p_);
      if (param.default_value == nullptr) return false;
      had_default_ = true;
    } else if (kind == ast::ParamKind::kPlain && had_default_) {
      p_.Error(param.name_span) << "parameter '" << param.name
                                << "' without a default follows one with a default";
      return false;
    }
    params_.push_back(param);
    return true;
  }

  Parser& p_;
  const bool is_function_;
  const TokenKind end_;
  Gathered<ast::Param>& params_;
  bool had_slash_ = false;
  bool had_star_ = false;
  bool had_default_ = false;
  bool last_ = false;
  Token bare_star_;  // kEnd when there is none that waits for parameters
};

}  // namespace

bool ParseParams(Parser& p, ParamsOf of, Gathered<ast::Param>& params) {
  return ParamsParser(p, of, params).Parse();
}

bool ParseTypeParams(Parser& p, Gathered<ast::TypeParam>& params) {
  if (!p.Accept(TokenKind::kLeftSquare)) return true;
  do {
    if (!params.empty() && p.At(TokenKind::kRightSquare)) break;
    const int stars = p.Accept(TokenKind::kStar) ? 1 : p.Accept(TokenKind::kDoubleStar) ? 2 : 0;
    Token name;
    if (!p.ExpectName("a type parameter's name", name)) return false;
    ast::TypeParam param{p.Text(name), p.Span(name), stars, nullptr};
    if (stars == 0 && p.Accept(TokenKind::kColon)) {
      param.bound = ParseExpression(p);
      if (param.bound == nullptr) return false;
    }
    params.push_back(param);
  } while (p.Accept(TokenKind::kComma));
  if (p.Accept(TokenKind::kRightSquare)) return true;
  p.Unexpected("',' or ']' after a type parameter");
  return false;
}

}  // namespace lathe::relax_text
