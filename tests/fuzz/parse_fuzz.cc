// Fuzzes the TVMScript parser: no crash, no hang, and without errors every span and depth of the
// tree is valid.
#include <cstddef>
#include <cstdint>
#include <string>

#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/syntax/parse.h"
#include "generator/support/check.h"
#include "generator/support/diagnostics.h"
#include "tests/support/syntax_dump.h"

using lathe::Diagnostics;
using lathe::SourceFile;
using lathe::TextSpan;
namespace relax_text = lathe::relax_text;
namespace ast = lathe::relax_text::ast;

namespace {

void CheckSpan(const TextSpan& span, const SourceFile& file) {
  LATHE_CHECK(span.file == &file && span.begin <= span.end && span.end <= file.text().size(),
              "a span outside its file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const SourceFile file("fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diags;
  relax_text::SyntaxTree tree;
  const ast::Module* module = relax_text::Parse(tree, file, diags);
  for (const lathe::Diagnostic& d : diags.all()) Render(d);
  LATHE_CHECK(diags.error_count() <= relax_text::kMaxSyntaxErrors, "too many errors");
  lathe::DumpModule(*module);
  for (ast::StmtRef statement : module->body) {
    CheckSpan(statement->span(), file);
    const auto* alone = statement->As<ast::ExprStmt>();
    if (alone == nullptr) continue;
    CheckSpan(alone->value->span(), file);
    LATHE_CHECK(alone->value->depth() <= relax_text::kMaxExprDepth, "a tree that is too deep");
    if (alone->value->As<ast::Str>() == nullptr) continue;
    Diagnostics quoted_diags;
    const ast::Expr* quoted = relax_text::ParseQuoted(tree, *alone->value, quoted_diags);
    for (const lathe::Diagnostic& d : quoted_diags.all()) Render(d);
    LATHE_CHECK((quoted == nullptr) == quoted_diags.has_errors(), "null if and only if reported");
    if (quoted != nullptr) CheckSpan(quoted->span(), file);
  }
  return 0;
}
