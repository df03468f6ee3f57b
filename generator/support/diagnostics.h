// Collects the diagnostics of the user's program.
//
// A check reports an error:
//
//   return diags.Error(call.loc, "shape-mismatch")
//          << "expected " << want << ", got " << got;
//
// This records the message and, if a Status is expected, converts to a failing one, so that the
// caller stops with LATHE_RETURN_IF_ERROR. Code that can continue ignores the result, so that all
// problems are reported. Every code has a page docs/diagnostics/<code>.md, which `lathe explain
// <code>` prints. Bugs in lathe are LATHE_CHECKs (check.h).
#ifndef LATHE_SUPPORT_DIAGNOSTICS_H_
#define LATHE_SUPPORT_DIAGNOSTICS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/support/source.h"

namespace lathe {

enum class Severity { kWarning, kError };

// Determines the exit code.
enum class Blame {
  kMalformed,    // the input breaks a rule: exit code 2
  kUnsupported,  // valid but not supported: exit code 3
  kLimit,        // a stated limit or budget was exceeded: exit code 4
};

struct Note {
  Location loc;  // may be empty
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Blame blame = Blame::kMalformed;
  Location loc;
  std::string code;  // kebab-case and stable: tests and users refer to it
  std::string message;
  std::vector<Note> notes;
  std::string help;  // suggested fix; may be empty
};

class Diagnostics;

// Builds one diagnostic, which is recorded at the end of its lifetime.
class DiagnosticBuilder {
 public:
  DiagnosticBuilder(Diagnostics* sink, Diagnostic d) : sink_(sink), d_(std::move(d)) {}
  DiagnosticBuilder(const DiagnosticBuilder&) = delete;
  DiagnosticBuilder(DiagnosticBuilder&& other) noexcept
      : sink_(std::exchange(other.sink_, nullptr)), d_(std::move(other.d_)) {}
  ~DiagnosticBuilder();

  template <typename T>
  DiagnosticBuilder& operator<<(const T& part) & {
    absl::StrAppend(&d_.message, part);
    return *this;
  }
  template <typename T>
  DiagnosticBuilder&& operator<<(const T& part) && {
    absl::StrAppend(&d_.message, part);
    return std::move(*this);
  }
  // Adds a remark, with the location it is about ("first bound here") if there is one.
  DiagnosticBuilder&& Note(Location loc, absl::string_view message) &&;
  DiagnosticBuilder&& Help(absl::string_view help) &&;

  operator absl::Status() const;
  template <typename T>
  operator absl::StatusOr<T>() const {
    return absl::Status(*this);
  }

 private:
  Diagnostics* sink_;
  Diagnostic d_;
};

class Diagnostics {
 public:
  DiagnosticBuilder Error(Location loc, absl::string_view code) {
    return Begin(Severity::kError, Blame::kMalformed, std::move(loc), code);
  }
  DiagnosticBuilder Unsupported(Location loc, absl::string_view code) {
    return Begin(Severity::kError, Blame::kUnsupported, std::move(loc), code);
  }
  DiagnosticBuilder LimitExceeded(Location loc, absl::string_view code) {
    return Begin(Severity::kError, Blame::kLimit, std::move(loc), code);
  }
  DiagnosticBuilder Warning(Location loc, absl::string_view code) {
    return Begin(Severity::kWarning, Blame::kMalformed, std::move(loc), code);
  }

  // Records `d`. The middle of a text of more than 16 KiB is replaced by " ... ".
  void Add(Diagnostic d);
  const std::vector<Diagnostic>& all() const { return all_; }
  bool has_errors() const { return error_count_ > 0; }
  int error_count() const { return error_count_; }

 private:
  DiagnosticBuilder Begin(Severity severity, Blame blame, Location loc, absl::string_view code) {
    return DiagnosticBuilder(this,
                             {severity, blame, std::move(loc), std::string(code), "", {}, ""});
  }

  std::vector<Diagnostic> all_;
  int error_count_ = 0;
};

// Formats a diagnostic as plain text (render_diagnostic.h has colours).
std::string Render(const Diagnostic& d);

// Returns the start of a message: "m.py:2:6: ", "net.onnx: node 'conv1' (Conv, #12): ", or an empty
// string for an empty location.
std::string RenderPlace(const Location& loc);

}  // namespace lathe

#endif  // LATHE_SUPPORT_DIAGNOSTICS_H_
