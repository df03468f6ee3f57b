#include "tests/support/syntax_dump.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/support/line_writer.h"
#include "generator/support/match.h"

namespace lathe {
namespace {

namespace ast = relax_text::ast;

std::string Dump(ast::ExprRef e) { return e == nullptr ? "-" : DumpExpr(*e); }

// " a b c"
std::string DumpAll(ast::ExprList exprs) {
  std::string out;
  for (ast::ExprRef e : exprs) absl::StrAppend(&out, " ", Dump(e));
  return out;
}

std::string DumpKeywords(absl::Span<const ast::Keyword> keywords) {
  std::string out;
  for (const ast::Keyword& k : keywords) {
    absl::StrAppend(&out, " (kw ", k.name.empty() ? "**" : k.name, " ", Dump(k.value), ")");
  }
  return out;
}

// "((x T) (= y 1) (* args))"
std::string DumpParams(absl::Span<const ast::Param> params) {
  std::vector<std::string> out;
  for (const ast::Param& p : params) {
    constexpr absl::string_view kMarks[] = {"/", "", "*", "kw", "**"};
    out.push_back(absl::StrCat("(", kMarks[static_cast<int>(p.kind)],
                               p.kind == ast::ParamKind::kPlain ? "" : " ", p.name, " ",
                               Dump(p.annotation), " ", Dump(p.default_value), ")"));
  }
  return absl::StrCat("(", absl::StrJoin(out, " "), ")");
}

std::string DumpTypeParams(absl::Span<const ast::TypeParam> params) {
  std::string out;
  for (const ast::TypeParam& p : params) {
    absl::StrAppend(&out, " (type ", std::string(p.stars, '*'), p.name, " ", Dump(p.bound), ")");
  }
  return out;
}

std::string DumpClauses(absl::Span<const ast::ComprehensionClause> clauses) {
  std::string out;
  for (const ast::ComprehensionClause& c : clauses) {
    absl::StrAppend(&out, " (for ", Dump(c.target), " ", Dump(c.iter), DumpAll(c.conditions), ")");
  }
  return out;
}

class StmtDumper {
 public:
  std::string Take() { return out_.Take(); }

  void DumpBlock(ast::Block block) {
    for (ast::StmtRef s : block) DumpStmt(*s);
  }

 private:
  void DumpIndented(absl::string_view title, ast::Block block) {
    if (block.empty()) return;
    out_.Line(title);
    LineWriter::Indent in(out_);
    DumpBlock(block);
  }

  // A line, then the block below it.
  void DumpOwner(const std::string& line, ast::Block body) {
    out_.Line(line);
    LineWriter::Indent in(out_);
    DumpBlock(body);
  }

  void DumpDecorators(ast::ExprList decorators) {
    for (ast::ExprRef d : decorators) out_.Line("@", Dump(d));
  }

  void DumpStmt(const ast::Stmt& stmt) {
    Match(
        stmt.node(),
        [&](const ast::Import& s) {
          std::string names;
          for (const ast::ImportedName& n : s.names) {
            absl::StrAppend(&names, " (", n.name, " ", n.alias.empty() ? "-" : n.alias, ")");
          }
          out_.Line(s.is_from ? "(from " : "(import", s.is_from ? s.module : "", names, ")");
        },
        [&](const ast::FunctionDef& s) {
          DumpDecorators(s.decorators);
          DumpOwner(absl::StrCat("(def ", s.name, DumpTypeParams(s.type_params), " ",
                                 DumpParams(s.params), " ", Dump(s.return_annotation), ")"),
                    s.body);
        },
        [&](const ast::ClassDef& s) {
          DumpDecorators(s.decorators);
          DumpOwner(absl::StrCat("(class ", s.name, DumpTypeParams(s.type_params), DumpAll(s.bases),
                                 DumpKeywords(s.keywords), ")"),
                    s.body);
        },
        [&](const ast::Assign& s) { out_.Line("(=", DumpAll(s.targets), " ", Dump(s.value), ")"); },
        [&](const ast::AnnAssign& s) {
          out_.Line("(: ", Dump(s.target), " ", Dump(s.annotation), " ", Dump(s.value), ")");
        },
        [&](const ast::AugAssign& s) {
          out_.Line("(", Spelling(s.op), "= ", Dump(s.target), " ", Dump(s.value), ")");
        },
        [&](const ast::ExprStmt& s) { out_.Line(Dump(s.value)); },
        [&](const ast::Return& s) { out_.Line("(return ", Dump(s.value), ")"); },
        [&](const ast::If& s) {
          DumpOwner(absl::StrCat("(if ", Dump(s.condition), ")"), s.then_body);
          DumpIndented("(else)", s.else_body);
        },
        [&](const ast::For& s) {
          DumpOwner(absl::StrCat("(for ", Dump(s.target), " ", Dump(s.iter), ")"), s.body);
          DumpIndented("(else)", s.else_body);
        },
        [&](const ast::While& s) {
          DumpOwner(absl::StrCat("(while ", Dump(s.condition), ")"), s.body);
          DumpIndented("(else)", s.else_body);
        },
        [&](const ast::With& s) {
          std::string items;
          for (const ast::WithItem& i : s.items) {
            absl::StrAppend(&items, " (", Dump(i.context), " ", Dump(i.target), ")");
          }
          DumpOwner(absl::StrCat("(with", items, ")"), s.body);
        },
        [&](const ast::Assert& s) {
          out_.Line("(assert ", Dump(s.condition), " ", Dump(s.message), ")");
        },
        [&](const ast::Pass&) { out_.Line("(pass)"); },
        [&](const ast::Break&) { out_.Line("(break)"); },
        [&](const ast::Continue&) { out_.Line("(continue)"); },
        [&](const ast::UnsupportedStmt& s) { out_.Line("(unsupported ", s.what, ")"); });
  }

  LineWriter out_{2};
};

}  // namespace

std::string DumpExpr(const ast::Expr& expr) {
  using absl::StrCat;
  return Match(
      expr.node(), [](const ast::Name& e) { return std::string(e.id); },
      [](const ast::Int& e) { return e.fits ? StrCat(e.value) : std::string("(huge)"); },
      [](const ast::Float& e) { return absl::StrFormat("%.17gf", e.value); },
      [](const ast::Str& e) { return StrCat("\"", absl::CHexEscape(e.value), "\""); },
      [&](const ast::Constant&) { return std::string(Describe(expr)); },
      [](const ast::Ellipsis&) { return std::string("..."); },
      [](const ast::Tuple& e) { return StrCat("(tuple", DumpAll(e.elements), ")"); },
      [](const ast::List& e) { return StrCat("(list", DumpAll(e.elements), ")"); },
      [](const ast::Set& e) { return StrCat("(set", DumpAll(e.elements), ")"); },
      [](const ast::Dict& e) {
        std::string items;
        for (const ast::DictItem& i : e.items) {
          absl::StrAppend(&items, " (", i.key == nullptr ? "**" : Dump(i.key), " ", Dump(i.value),
                          ")");
        }
        return StrCat("(dict", items, ")");
      },
      [](const ast::Attribute& e) { return StrCat("(. ", Dump(e.object), " ", e.name, ")"); },
      [](const ast::Call& e) {
        return StrCat("(call ", Dump(e.callee), DumpAll(e.args), DumpKeywords(e.keywords), ")");
      },
      [](const ast::Subscript& e) {
        return StrCat("([] ", Dump(e.object), DumpAll(e.indices), e.trailing_comma ? " ," : "",
                      ")");
      },
      [](const ast::Slice& e) {
        return StrCat("(: ", Dump(e.lower), " ", Dump(e.upper), " ", Dump(e.step), ")");
      },
      [](const ast::Unary& e) { return StrCat("(", Spelling(e.op), " ", Dump(e.operand), ")"); },
      [](const ast::Binary& e) {
        return StrCat("(", Spelling(e.op), " ", Dump(e.lhs), " ", Dump(e.rhs), ")");
      },
      [](const ast::BoolOp& e) { return StrCat("(", Spelling(e.op), DumpAll(e.values), ")"); },
      [](const ast::Compare& e) {
        std::string rest;
        for (const ast::Comparison& c : e.rest) {
          absl::StrAppend(&rest, " ", Spelling(c.op), " ", Dump(c.operand));
        }
        return StrCat("(compare ", Dump(e.first), rest, ")");
      },
      [](const ast::IfExp& e) {
        return StrCat("(if ", Dump(e.condition), " ", Dump(e.then_value), " ", Dump(e.else_value),
                      ")");
      },
      [](const ast::Lambda& e) {
        return StrCat("(lambda ", DumpParams(e.params), " ", Dump(e.body), ")");
      },
      [](const ast::Starred& e) { return StrCat("(* ", Dump(e.value), ")"); },
      [](const ast::Comprehension& e) {
        constexpr absl::string_view kNames[] = {"list-for", "set-for", "dict-for", "generator"};
        return StrCat("(", kNames[static_cast<int>(e.kind)], " ", Dump(e.element),
                      e.value == nullptr ? "" : StrCat(" ", Dump(e.value)), DumpClauses(e.clauses),
                      ")");
      },
      [](const ast::FString&) { return std::string("(f-string)"); },
      [](const ast::UnsupportedExpr& e) { return StrCat("(unsupported ", e.what, ")"); });
}

std::string DumpModule(const ast::Module& module) {
  StmtDumper dumper;
  dumper.DumpBlock(module.body);
  return dumper.Take();
}

}  // namespace lathe
