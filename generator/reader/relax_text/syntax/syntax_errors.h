// Where the lexer and the parser put what they find wrong: counts, so that a file that is not
// TVMScript at all does not bring a million messages, and falls silent once reading has stopped.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_ERRORS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_ERRORS_H_

#include "absl/strings/string_view.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

class SyntaxErrors {
 public:
  // Null hears nothing: for looking ahead.
  explicit SyntaxErrors(Diagnostics* diags) : diags_(diags) {}

  DiagnosticBuilder Error(TextSpan span, absl::string_view code);
  DiagnosticBuilder Unsupported(TextSpan span, absl::string_view code);
  // Ends the reading: what follows is not looked at.
  DiagnosticBuilder LimitExceeded(TextSpan span, absl::string_view code);

  // No more is to be read: an end that is no surprise.
  void Stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  DiagnosticBuilder Begin(Blame blame, TextSpan span, absl::string_view code);

  Diagnostics* diags_;
  int count_ = 0;
  bool stopped_ = false;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_ERRORS_H_
