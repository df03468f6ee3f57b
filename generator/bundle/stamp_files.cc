#include "generator/bundle/stamp_files.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace lathe::bundle {

void StampFiles(std::vector<emit::OutputFile>& files) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);  // FNV-1a
  for (const emit::OutputFile& file : files) {
    for (const absl::string_view part :
         {absl::string_view(file.name), absl::string_view(file.text)}) {
      for (const char c : part)
        hash = (hash ^ static_cast<unsigned char>(c)) * UINT64_C(0x100000001b3);
      hash = (hash ^ part.size()) * UINT64_C(0x100000001b3);
    }
  }
  std::string runtime;  // wrapped for a C comment; the first line begins at `column`
  size_t column = 22;
  for (const emit::OutputFile& file : files) {
    absl::string_view name = file.name;
    if (!absl::ConsumePrefix(&name, "lathe/")) continue;
    column += name.size() + 1;
    const bool fits = column <= 100;
    if (!fits) column = name.size() + 4;
    absl::StrAppend(&runtime, runtime.empty() ? "" : fits ? " " : "\n *   ", name);
  }
  const std::string stamp = absl::StrFormat("0x%08x", static_cast<uint32_t>(hash ^ (hash >> 32)));
  for (emit::OutputFile& file : files) {
    if (absl::EndsWith(file.name, ".bin")) continue;  // no text
    file.text = absl::StrReplaceAll(file.text, {{"@bundle@", stamp}, {"@runtime@", runtime}});
  }
}

}  // namespace lathe::bundle
