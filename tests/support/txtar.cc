#include "tests/support/txtar.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace lathe {

Txtar ParseTxtar(const std::string& text) {
  Txtar archive;
  std::string* into = &archive.comment;
  for (absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    absl::string_view name = line;
    if (absl::ConsumePrefix(&name, "-- ") && absl::ConsumeSuffix(&name, " --")) {
      archive.sections.push_back({std::string(name), ""});
      into = &archive.sections.back().text;
    } else {
      absl::StrAppend(into, line, "\n");
    }
  }
  return archive;
}

std::string PrintTxtar(const Txtar& archive) {
  std::string out = archive.comment;
  for (const Txtar::Section& s : archive.sections) {
    absl::StrAppend(&out, "-- ", s.name, " --\n", s.text);
  }
  return out;
}

}  // namespace lathe
