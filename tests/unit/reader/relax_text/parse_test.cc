#include "generator/reader/relax_text/syntax/parse.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "gtest/gtest.h"
#include "tests/support/syntax_dump.h"

namespace lathe::relax_text {
namespace {

// The tree of `text`, or its errors: "line:column: code: message".
std::string Read(const std::string& text) {
  const SourceFile file("t.py", text);
  Diagnostics diags;
  SyntaxTree tree;
  const ast::Module* module = Parse(tree, file, diags);
  if (!diags.has_errors()) return DumpModule(*module);
  std::string out;
  for (const Diagnostic& d : diags.all()) {
    absl::StrAppend(&out, absl::StripSuffix(absl::StripPrefix(RenderPlace(d.loc), "t.py:"), " "),
                    " ", d.code, ": ", d.message, "\n");
    for (const Note& n : d.notes) {
      absl::StrAppend(&out, "  ", absl::StripPrefix(RenderPlace(n.loc), "t.py:"), n.message, "\n");
    }
  }
  return out;
}

TEST(ParseTest, Precedence) {
  EXPECT_EQ(Read("a + b * c ** -d"), "(+ a (* b (** c (- d))))\n");
  EXPECT_EQ(Read("-a ** b"), "(- (** a b))\n");
  EXPECT_EQ(Read("a - b - c"), "(- (- a b) c)\n");
  EXPECT_EQ(Read("a ** b ** c"), "(** a (** b c))\n");
  EXPECT_EQ(Read("a | b ^ c & d << e + f // g"), "(| a (^ b (& c (<< d (+ e (// f g))))))\n");
  EXPECT_EQ(Read("a or b and not c < d"), "(or a (and b (not (compare c < d))))\n");
  EXPECT_EQ(Read("a < b <= c is not d not in e"), "(compare a < b <= c is not d not in e)\n");
  EXPECT_EQ(Read("a if b else c if d else e"), "(if b a (if d c e))\n");
  EXPECT_EQ(Read("lambda x, *y, z=1: x + z"), "(lambda ((x - -) (* y - -) (kw z - 1)) (+ x z))\n");
}

TEST(ParseTest, PrimariesAndDisplays) {
  EXPECT_EQ(Read("a.b(c, *d, e=1, **f)[0].g"),
            "(. ([] (call (. a b) c (* d) (kw e 1) (kw ** f)) 0) g)\n");
  EXPECT_EQ(Read("A[i, 0:n:2, ::, :k]"), "([] A i (: 0 n 2) (: - - -) (: - k -))\n");
  EXPECT_EQ(Read("A[()] + A[(i, j)] + A[i,]"),
            "(+ (+ ([] A (tuple)) ([] A (tuple i j))) ([] A i ,))\n");
  EXPECT_EQ(
      Read("(), (a), (a,), [], [a, *b], {}, {a: b, **c}, {a, b}"),
      "(tuple (tuple) a (tuple a) (list) (list a (* b)) (dict) (dict (a b) (** c)) (set a b))\n");
  EXPECT_EQ(Read("[x for x, y in z if x if y]"), "(list-for x (for (tuple x y) z x y))\n");
  EXPECT_EQ(Read("f(x for x in y)"), "(call f (generator x (for x y)))\n");
  EXPECT_EQ(Read("{k: v for k in a for v in b}"), "(dict-for k v (for k a) (for v b))\n");
  EXPECT_EQ(Read("(True, False, None, ...)"), "(tuple True False None ...)\n");
}

TEST(ParseTest, Literals) {
  EXPECT_EQ(Read("0x10, 1_000, 18446744073709551615"), "(tuple 16 1000 18446744073709551615)\n");
  EXPECT_EQ(Read("1e-05, 1_0.5, 1e999, 1e-999"), "(tuple 1.0000000000000001e-05f 10.5f inff 0f)\n");
  EXPECT_EQ(Read(R"('a' "b\t\x41\101\u00e9\U0001f600" r'\n')"),
            R"("ab\tAA\xc3\xa9\xf0\x9f\x98\x80\\n")"
            "\n");
  EXPECT_EQ(Read("'a\\\nb\\q\\8'"), "\"ab\\\\q\\\\8\"\n");
  EXPECT_EQ(Read("'''a\r\nb'''"), "\"a\\nb\"\n");
  EXPECT_EQ(Read("f'{x}' 'y', b'z', 2j"),
            "(tuple (f-string) (unsupported a bytes literal) (unsupported a complex number))\n");
  EXPECT_EQ(Read("18446744073709551616"),
            "1:1: syntax-number: the integer does not fit in 64 bits\n");
  EXPECT_EQ(Read("'\\x4'"), "1:2: syntax-string: '\\x' needs 2 hexadecimal digits, got 1\n");
  EXPECT_EQ(Read("'a\\U00110000'"),
            "1:3: syntax-string: '\\U00110000' exceeds the last code point, '\\U0010ffff'\n");
  EXPECT_EQ(Read("'a' b'c'"),
            "1:1: syntax-string: a string and a bytes literal cannot be concatenated\n");
}

TEST(ParseTest, Statements) {
  EXPECT_EQ(Read("a = b, *c = d\nx: T = 1\ny: T\nz @= 2"),
            "(= a (tuple b (* c)) d)\n(: x T 1)\n(: y T -)\n(@= z 2)\n");
  EXPECT_EQ(Read("a; b;\nreturn\nreturn a, b\npass\nbreak\ncontinue\nassert a, b"),
            "a\nb\n(return -)\n(return (tuple a b))\n(pass)\n(break)\n(continue)\n(assert a b)\n");
  EXPECT_EQ(
      Read("import a.b as c, d\nfrom ..a.b import c as d, e\nfrom . import (f,)\nfrom g import *"),
      "(import (a.b c) (d -))\n(from ..a.b (c d) (e -))\n(from . (f -))\n(from g (* -))\n");
  EXPECT_EQ(Read("if a:\n  b\nelif c: d\nelse:\n  e"),
            "(if a)\n  b\n(else)\n  (if c)\n    d\n  (else)\n    e\n");
  EXPECT_EQ(Read("for i, j in T.grid(2, n):\n  a[i] = j\nelse: b"),
            "(for (tuple i j) (call (. T grid) 2 n))\n  (= ([] a i) j)\n(else)\n  b\n");
  EXPECT_EQ(Read("while a < 1: a += 1"), "(while (compare a < 1))\n  (+= a 1)\n");
  EXPECT_EQ(Read("with a, b as (c, d): e"), "(with (a -) (b (tuple c d)))\n  e\n");
  EXPECT_EQ(Read("with (a as b, c,): d"), "(with (a b) (c -))\n  d\n");
  EXPECT_EQ(Read("with (a, b).c as d: e"), "(with ((. (tuple a b) c) d))\n  e\n");
}

TEST(ParseTest, Definitions) {
  EXPECT_EQ(Read("@R.function\n@a(b=1)\ndef f(x: T, /, y=1, *z: U, w, **k) -> V:\n  pass"),
            "@(. R function)\n@(call a (kw b 1))\n"
            "(def f ((/ x T -) (y - 1) (* z U -) (kw w - -) (** k - -)) V)\n  (pass)\n");
  EXPECT_EQ(
      Read("def f[M, N: int, *Ts, **P](x): return x"),
      "(def f (type M -) (type N int) (type *Ts -) (type **P -) ((x - -)) -)\n  (return x)\n");
  EXPECT_EQ(Read("class A(B, m=C):\n  x: int\n  def f(self): pass"),
            "(class A B (kw m C))\n  (: x int -)\n  (def f ((self - -)) -)\n    (pass)\n");
}

TEST(ParseTest, HostPythonIsKeptByName) {
  EXPECT_EQ(Read("try: a\nexcept B as c: d\nelse: e\nfinally: f"),
            "(unsupported a try statement)\n");
  EXPECT_EQ(Read("match a, b:\n  case [c, *_] if d:\n    e\n  case {'f': 1}: g\nh"),
            "(unsupported a match statement)\nh\n");
  EXPECT_EQ(Read("match = match[a:b]\nmatch(c)"),
            "(= match ([] match (: a b -)))\n(call match c)\n");
  EXPECT_EQ(Read("async def f(): await g"), "(unsupported an async function)\n");
  EXPECT_EQ(Read("del a, b\nraise A from b\nglobal c\ntype D = int\ntype = 1"),
            "(unsupported a del statement)\n(unsupported a raise statement)\n"
            "(unsupported a global statement)\n(unsupported a type alias)\n(= type 1)\n");
  EXPECT_EQ(Read("f(a := b)\nx = yield a"),
            "(call f (unsupported an assignment expression (':=')))\n"
            "(= x (unsupported a yield expression))\n");
}

TEST(ParseTest, EveryErrorIsListed) {
  EXPECT_EQ(Read("a = \nb = 1\nc = (2 3)\ndef f(x:\n  return +\nd = 4 5\n"),
            "1:5: syntax-error: expected an expression, got the end of the line\n"
            "3:8: syntax-error: expected ',' or ')', got an integer\n"
            "  3:5: inside the '(' opened here\n"
            "4:6: syntax-bracket: '(' was never closed\n"
            "5:11: syntax-error: expected an expression, got the end of the line\n"
            "6:7: syntax-error: expected a new line after an assignment, got an integer\n");
}

TEST(ParseTest, ABrokenHeaderDoesNotBreakItsBlock) {
  EXPECT_EQ(Read("if a\n  b\nelif c:\n  d e\nelse:\n  f\ng h\n"),
            "1:5: syntax-error: expected ':' after the condition of 'if', got the end of the line\n"
            "4:5: syntax-error: expected a new line after an expression statement, got 'e'\n"
            "7:3: syntax-error: expected a new line after an expression statement, got 'h'\n");
}

TEST(ParseTest, Messages) {
  EXPECT_EQ(Read("def f()\n  pass"),
            "1:8: syntax-error: expected ':' after the function's signature, got the end of the "
            "line\n");
  EXPECT_EQ(Read("def class(): pass"),
            "1:5: syntax-error: expected the function's name, got 'class', which is a keyword\n");
  EXPECT_EQ(Read("if a:\nb"),
            "2:1: syntax-indentation: expected an indented block after 'if'\n"
            "  1:1: 'if' starts here\n");
  EXPECT_EQ(Read("a\n  b"), "2:3: syntax-indentation: unexpected indent\n");
  EXPECT_EQ(Read("f() = 1"), "1:1: syntax-error: cannot assign to a call\n");
  EXPECT_EQ(Read("a, 1 = b"), "1:4: syntax-error: cannot assign to an integer\n");
  EXPECT_EQ(Read("for x + 1 in y: pass"),
            "1:5: syntax-error: cannot assign to an arithmetic expression\n");
  EXPECT_EQ(Read("a, b: T = 1"),
            "1:1: syntax-error: an annotated assignment needs one target, a name, attribute or "
            "subscript, got a tuple\n");
  EXPECT_EQ(Read("f(a=1, b)"),
            "1:8: syntax-error: a positional argument follows a keyword argument\n");
  EXPECT_EQ(Read("f(a.b=1)"),
            "1:3: syntax-error: a keyword argument's name must be a name, not an attribute\n");
  EXPECT_EQ(Read("def f(a=1, b): pass"),
            "1:12: syntax-error: parameter 'b' without a default follows one with a default\n");
  EXPECT_EQ(Read("x = [1, 2\ny = 3\n"), "1:5: syntax-bracket: '[' was never closed\n");
  EXPECT_EQ(Read("else: a\nb"), "1:1: syntax-error: 'else' does not continue a statement\n");
  EXPECT_EQ(Read("try: a\nb"),
            "2:1: syntax-error: expected 'except' or 'finally' after the block of 'try'\n");
}

TEST(ParseTest, NotText) {
  EXPECT_EQ(Read("a\nb\xef = c d"),
            "2:2: syntax-encoding: the byte 0xef at offset 3 is not UTF-8\n");
  EXPECT_EQ(Read(std::string("a\0b", 3)), "1:2: syntax-encoding: the file contains a NUL byte\n");
  EXPECT_EQ(Read("\xff\xfe"
                 "a"),
            "1:1: syntax-encoding: the file is in UTF-16; it must be in UTF-8\n");
}

// Each way of going deep ends with a message, far from the end of the stack.
TEST(ParseTest, DepthIsLimited) {
  const auto repeat = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  for (const std::string& deep :
       {repeat("(", 1000) + "1" + repeat(")", 1000), repeat("[", 1000), repeat("f(", 1000),
        repeat("{a:", 1000), repeat("-", 1000) + "a", repeat("not ", 1000) + "a",
        repeat("lambda: ", 1000) + "a", repeat("a ** ", 1000) + "a", repeat("a + ", 1000) + "a",
        repeat("a if b else ", 1000) + "a", "a" + repeat(".b", 1000), "a" + repeat("()", 1000),
        "a" + repeat("[b]", 1000), repeat("if a: b\nel", 1000) + "se: c",
        repeat("[a for a in ", 1000), repeat("a[b:", 1000), repeat("(", 1000000)}) {
    EXPECT_NE(Read(deep).find(" limit-nesting: "), std::string::npos) << deep.substr(0, 20);
  }
  EXPECT_EQ(Read(repeat("a + ", kMaxExprDepth - 1) + "a").find("limit"), std::string::npos);
}

TEST(ParseTest, ErrorsAreLimited) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "a b\n";
  const SourceFile file("t.py", lines);
  Diagnostics diags;
  SyntaxTree tree;
  Parse(tree, file, diags);
  EXPECT_EQ(diags.error_count(), kMaxSyntaxErrors);
}

TEST(ParseTest, SizesAreLimited) {
  EXPECT_EQ(Read(std::string(kMaxIdentifierBytes + 1, 'a') + " = b c"),
            "1:1: limit-identifier: a name of 65537 bytes; the longest may have 65536\n");
  EXPECT_EQ(Read(std::string(kMaxFileBytes + 1, ' ')),
            "1:1: limit-input-size: the file has 67108865 bytes; the largest may have 67108864\n");
}

// What each node's span covers, for a tree of all kinds.
TEST(ParseTest, Spans) {
  const SourceFile file("t.py", "x = ( f(a , b = 1) [ 0 ] . c )\ny: T = -2 ** k\n");
  Diagnostics diags;
  SyntaxTree tree;
  const ast::Module* module = Parse(tree, file, diags);
  const auto text = [&](const TextSpan& s) { return file.text().substr(s.begin, s.end - s.begin); };
  const auto* assign = module->body[0]->As<ast::Assign>();
  ASSERT_NE(assign, nullptr);
  EXPECT_EQ(text(module->body[0]->span()), "x = ( f(a , b = 1) [ 0 ] . c )");
  EXPECT_EQ(text(assign->value->span()), "f(a , b = 1) [ 0 ] . c");
  const auto* attribute = assign->value->As<ast::Attribute>();
  ASSERT_NE(attribute, nullptr);
  EXPECT_EQ(text(attribute->name_span), "c");
  const auto* subscript = attribute->object->As<ast::Subscript>();
  ASSERT_NE(subscript, nullptr);
  const auto* call = subscript->object->As<ast::Call>();
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(text(subscript->object->span()), "f(a , b = 1)");
  EXPECT_EQ(text(call->keywords[0].name_span), "b");
  const auto* annotated = module->body[1]->As<ast::AnnAssign>();
  ASSERT_NE(annotated, nullptr);
  EXPECT_EQ(text(annotated->value->span()), "-2 ** k");
}

TEST(ParseTest, DottedNames) {
  const SourceFile file("t.py", "R.nn.conv2d\nf().g\nx\n");
  Diagnostics diags;
  SyntaxTree tree;
  const ast::Module* module = Parse(tree, file, diags);
  const auto dotted = [&](int i) {
    return DottedName(*module->body[i]->As<ast::ExprStmt>()->value).value_or("none");
  };
  EXPECT_EQ(dotted(0), "R.nn.conv2d");
  EXPECT_EQ(dotted(1), "none");
  EXPECT_EQ(dotted(2), "x");
}

}  // namespace
}  // namespace lathe::relax_text
