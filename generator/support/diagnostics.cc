#include "generator/support/diagnostics.h"

#include "generator/support/match.h"
#include "generator/support/render_diagnostic.h"

namespace lathe {
namespace {

absl::StatusCode CodeFor(Blame blame) {
  switch (blame) {
    case Blame::kMalformed:
      return absl::StatusCode::kInvalidArgument;
    case Blame::kUnsupported:
      return absl::StatusCode::kUnimplemented;
    case Blame::kLimit:
      return absl::StatusCode::kResourceExhausted;
  }
  return absl::StatusCode::kInternal;
}

// Maximum bytes of a message, and of a name in a place: names may be as long as a file.
constexpr size_t kMaxMessage = 16384;
constexpr size_t kMaxName = 1024;

// Removes the middle of an overlong text.
void Shorten(std::string& text, size_t most = kMaxMessage) {
  if (text.size() <= most) return;
  const size_t half = most / 2 - 8;
  const auto begins = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
  };
  size_t first = half, last = text.size() - half;
  while (first > 0 && !begins(first)) --first;
  while (last < text.size() && !begins(last)) ++last;
  text = absl::StrCat(text.substr(0, first), " ... ", text.substr(last));
}

}  // namespace

DiagnosticBuilder::~DiagnosticBuilder() {
  if (sink_ != nullptr) sink_->Add(std::move(d_));
}

DiagnosticBuilder&& DiagnosticBuilder::Note(Location loc, absl::string_view message) && {
  d_.notes.push_back({std::move(loc), std::string(message)});
  return std::move(*this);
}

DiagnosticBuilder&& DiagnosticBuilder::Help(absl::string_view help) && {
  d_.help = std::string(help);
  return std::move(*this);
}

DiagnosticBuilder::operator absl::Status() const {
  return absl::Status(CodeFor(d_.blame), d_.message);
}

void Diagnostics::Add(Diagnostic d) {
  if (d.severity == Severity::kError) ++error_count_;
  Shorten(d.message);
  Shorten(d.help);
  for (Note& note : d.notes) Shorten(note.message);
  all_.push_back(std::move(d));
}

std::string RenderPlace(const Location& loc) {
  return Match(
      loc, [](std::monostate) { return std::string(); },
      [](const TextSpan& s) {
        if (s.file == nullptr) return std::string();
        const int line = s.file->LineAt(s.begin);
        return absl::StrCat(s.file->path(), ":", line, ":", s.begin - s.file->LineStart(line) + 1,
                            ": ");
      },
      [](const std::shared_ptr<const ModelNode>& n) {
        if (n->op.empty()) return absl::StrCat(n->model, ": ");
        std::string name = n->name, op = n->op;
        Shorten(name, kMaxName);
        Shorten(op, kMaxName);
        if (name.empty()) return absl::StrCat(n->model, ": node #", n->index, " (", op, "): ");
        return absl::StrCat(n->model, ": node '", name, "' (", op, ", #", n->index, "): ");
      });
}

std::string Render(const Diagnostic& d) {
  return RenderDiagnostic(d, kPlainPalette, Excerpts::kShow);
}

}  // namespace lathe
