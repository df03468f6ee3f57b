#include "generator/reader/relax_text/syntax/parse_call.h"

#include "generator/reader/relax_text/syntax/parse_display.h"
#include "generator/reader/relax_text/syntax/parse_expr.h"

namespace lathe::relax_text {
namespace {

class ArgumentsParser {
 public:
  ArgumentsParser(Parser& p, Arguments& arguments) : p_(p), arguments_(arguments) {}

  bool Parse() {
    p_.Advance();
    while (!p_.At(TokenKind::kRightParen)) {
      const bool good = p_.At(TokenKind::kStar)         ? ParseStarred()
                        : p_.At(TokenKind::kDoubleStar) ? ParseDoubleStarred()
                                                        : ParsePlainOrKeyword();
      if (!good) return false;
      if (!p_.Accept(TokenKind::kComma)) break;
      if (generator_ != nullptr) return ReportGenerator();
    }
    if (p_.Accept(TokenKind::kRightParen)) return true;
    p_.Unexpected("',' or ')' after an argument");
    return false;
  }

 private:
  bool ParseStarred() {
    const uint32_t begin = p_.begin();
    p_.Advance();
    ast::ExprRef value = ParseExpression(p_);
    if (value == nullptr) return false;
    ast::ExprRef starred = p_.Make(begin, ast::Starred{value});
    if (starred == nullptr) return false;
    if (had_double_star_) {
      p_.Error(starred->span()) << "an argument with '*' follows one with '**'";
      return false;
    }
    arguments_.positional.push_back(starred);
    return true;
  }

  bool ParseDoubleStarred() {
    const TextSpan span = p_.Span(p_.token());
    p_.Advance();
    ast::ExprRef value = ParseExpression(p_);
    if (value == nullptr) return false;
    had_double_star_ = true;
    arguments_.keywords.push_back({"", span, value});
    return true;
  }

  bool ParsePlainOrKeyword() {
    const Token first = p_.token();
    ast::ExprRef value = ParseNamedExpression(p_);
    if (value == nullptr) return false;
    if (p_.At(TokenKind::kEqual)) return ParseKeyword(first, value);
    if (p_.At(TokenKind::kFor) || p_.At(TokenKind::kAsync)) {
      value = ParseComprehension(p_, first.begin, ast::ComprehensionKind::kGenerator, value);
      if (value == nullptr) return false;
      generator_ = value;
      const bool alone = arguments_.positional.empty() && arguments_.keywords.empty();
      if (!alone) return ReportGenerator();
    }
    if (had_double_star_ || !arguments_.keywords.empty()) {
      p_.Error(value->span()) << "a positional argument follows a "
                              << (had_double_star_ ? "'**' argument" : "keyword argument");
      return false;
    }
    arguments_.positional.push_back(value);
    return true;
  }

  // At the '=' after what should be a lone name.
  bool ParseKeyword(const Token& first, ast::ExprRef name) {
    if (first.kind != TokenKind::kName || first.end != p_.last_end()) {
      p_.Error(name->span()).Help("'==' compares, '=' gives a keyword argument")
          << "a keyword argument's name must be a name, not " << Describe(*name);
      return false;
    }
    p_.Advance();
    ast::ExprRef value = ParseExpression(p_);
    if (value == nullptr) return false;
    arguments_.keywords.push_back({p_.Text(first), p_.Span(first), value});
    return true;
  }

  bool ReportGenerator() {
    p_.Error(generator_->span())
        << "a generator expression that is not the only argument must be parenthesized";
    return false;
  }

  Parser& p_;
  Arguments& arguments_;
  bool had_double_star_ = false;
  ast::ExprRef generator_ = nullptr;
};

}  // namespace

bool ParseArguments(Parser& p, Arguments& arguments) {
  return ArgumentsParser(p, arguments).Parse();
}

}  // namespace lathe::relax_text
