#include "generator/bundle/runtime_files.h"

#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/support/embedded_text.h"

namespace lathe::bundle {
namespace {

// Returns "half" for "half.h". A part is a header and optionally a source with the same stem.
absl::string_view StemOf(absl::string_view name) { return name.substr(0, name.rfind('.')); }

}  // namespace

bool IsOptional(absl::string_view file) {
  return file == kOptionalSource || absl::StartsWith(file, "examples/");
}

std::vector<emit::OutputFile> RuntimeFiles(absl::Span<const std::string> parts) {
  std::set<std::string> stems;
  for (const std::string& part : parts) stems.emplace(StemOf(part));
  for (bool more = true; more;) {
    more = false;
    for (const EmbeddedText& text : RuntimeParts()) {
      if (stems.count(std::string(StemOf(text.name))) == 0) continue;
      for (const EmbeddedText& other : RuntimeParts()) {
        if (!absl::StrContains(text.text, absl::StrCat("#include \"", other.name, "\""))) continue;
        more = stems.emplace(StemOf(other.name)).second || more;
      }
    }
  }
  const auto needed = [&](absl::string_view header) {
    const std::string line = absl::StrCat("#include \"lathe/", header, "\"");
    return header == "rt.h" || absl::c_linear_search(parts, header) ||
           absl::c_any_of(RuntimeParts(), [&](const EmbeddedText& text) {
             return stems.count(std::string(StemOf(text.name))) != 0 &&
                    absl::StrContains(text.text, line);
           });
  };
  std::vector<emit::OutputFile> files;
  for (const EmbeddedText& text : RuntimeHeaders()) {
    if (!needed(text.name)) continue;
    files.push_back({absl::StrCat("lathe/", text.name), std::string(text.text)});
  }
  for (const EmbeddedText& text : RuntimeParts()) {
    if (stems.count(std::string(StemOf(text.name))) == 0) continue;
    files.push_back({absl::StrCat("lathe/", text.name), std::string(text.text)});
  }
  return files;
}

}  // namespace lathe::bundle
