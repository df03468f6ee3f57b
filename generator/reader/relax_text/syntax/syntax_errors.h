// Receives the errors of the lexer and the parser. It limits their number, so that a file that is
// not TVMScript does not cause a flood of messages, and drops errors after reading has stopped.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_ERRORS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_SYNTAX_ERRORS_H_

#include "absl/strings/string_view.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

class SyntaxErrors {
 public:
  // If `diags` is null, all errors are dropped; used for lookahead.
  explicit SyntaxErrors(Diagnostics* diags) : diags_(diags) {}

  DiagnosticBuilder Error(TextSpan span, absl::string_view code);
  DiagnosticBuilder Unsupported(TextSpan span, absl::string_view code);
  // Reports an error and stops reading.
  DiagnosticBuilder LimitExceeded(TextSpan span, absl::string_view code);

  // Stops reading, after which the end of the input is expected. Further errors are dropped.
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
