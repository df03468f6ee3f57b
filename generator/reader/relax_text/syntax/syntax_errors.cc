#include "generator/reader/relax_text/syntax/syntax_errors.h"

#include <string>

#include "generator/reader/relax_text/syntax/limits.h"

namespace lathe::relax_text {

DiagnosticBuilder SyntaxErrors::Begin(Blame blame, TextSpan span, absl::string_view code) {
  Diagnostic d{Severity::kError, blame, span, std::string(code), "", {}, ""};
  if (diags_ == nullptr || stopped_) return DiagnosticBuilder(nullptr, std::move(d));
  if (++count_ == kMaxSyntaxErrors) {
    stopped_ = true;
    d.notes.push_back({std::monostate(), absl::StrCat("this is error number ", count_,
                                                      "; the rest of the file was not read")});
  }
  return DiagnosticBuilder(diags_, std::move(d));
}

DiagnosticBuilder SyntaxErrors::Error(TextSpan span, absl::string_view code) {
  return Begin(Blame::kMalformed, span, code);
}

DiagnosticBuilder SyntaxErrors::Unsupported(TextSpan span, absl::string_view code) {
  return Begin(Blame::kUnsupported, span, code);
}

DiagnosticBuilder SyntaxErrors::LimitExceeded(TextSpan span, absl::string_view code) {
  DiagnosticBuilder builder = Begin(Blame::kLimit, span, code);
  stopped_ = true;
  return builder;
}

}  // namespace lathe::relax_text
