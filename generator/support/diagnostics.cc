#include "generator/support/diagnostics.h"

#include <algorithm>

#include "generator/support/match.h"

namespace lathe {
namespace {

// A line longer than this is shown as a window around its caret.
constexpr size_t kExcerptWidth = 160;

std::string Excerpt(const Location& loc) {
  const auto* span = std::get_if<TextSpan>(&loc);
  if (span == nullptr || span->file == nullptr) return "";
  const int line = span->file->LineAt(span->begin);
  absl::string_view text = span->file->Line(line);
  size_t column = std::min<size_t>(span->begin - span->file->LineStart(line), text.size());
  size_t width =
      std::clamp<size_t>(span->end - span->begin, 1, std::max<size_t>(text.size() - column, 1));
  if (text.size() > kExcerptWidth) {
    const size_t first = column > kExcerptWidth / 2 ? column - kExcerptWidth / 2 : 0;
    text = text.substr(first, kExcerptWidth);
    column -= first;
    width = std::max<size_t>(1, std::min(width, text.size() - std::min(column, text.size())));
  }
  // Tabs keep their width under the caret; control bytes and non-ASCII never reach the terminal
  // raw.
  std::string shown;
  std::string under;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    shown += c == '\t' || static_cast<unsigned char>(c) >= 0x20 ? c : '?';
    // A continuation byte of UTF-8 takes no column of its own.
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    if (i < column) under += c == '\t' ? '\t' : ' ';
    if (i == column) under += '^';
    if (i > column && i < column + width) under += '~';
  }
  if (column >= text.size()) under += '^';
  return absl::StrCat("\n  ", shown, "\n  ", under);
}

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
        return absl::StrCat(n->model, ": node '", n->name, "' (", n->op, ", #", n->index, "): ");
      });
}

std::string Render(const Diagnostic& d) {
  std::string out =
      absl::StrCat(RenderPlace(d.loc), d.severity == Severity::kError ? "error" : "warning", ": ",
                   d.message, " [", d.code, "]", Excerpt(d.loc));
  for (const Note& n : d.notes) {
    absl::StrAppend(&out, "\n", RenderPlace(n.loc), "note: ", n.message, Excerpt(n.loc));
  }
  if (!d.help.empty()) absl::StrAppend(&out, "\nhelp: ", d.help);
  return out;
}

}  // namespace lathe
