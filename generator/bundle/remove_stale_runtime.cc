#include "generator/bundle/remove_stale_runtime.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/embedded_text.h"
#include "generator/support/files.h"

namespace lathe::bundle {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kSuffixes[] = {".c",  ".h",  ".S",   ".cc", ".cpp",
                                           ".cu", ".hh", ".hpp", ".cxx"};

// Returns the sources and headers of `folder` and of its folder of runtime files, by name. Nothing
// if one cannot be read: it may include any file.
std::map<std::string, std::string> SourcesIn(const fs::path& folder) {
  std::map<std::string, std::string> texts;
  for (const char* inner : {"", "lathe"}) {
    std::error_code error;
    for (fs::directory_iterator at(folder / inner, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = (fs::path(inner) / at->path().filename()).string();
      const bool source = absl::c_any_of(
          kSuffixes, [&](absl::string_view suffix) { return absl::EndsWith(name, suffix); });
      if (!source || !at->is_regular_file(error)) continue;
      auto text = ReadFile(at->path().string());
      if (!text.ok()) return {};
      texts[name] = *std::move(text);
    }
    if (error) return {};
  }
  return texts;
}

// Returns true if a source other than `name` itself names the file, with or without its folder.
bool IsIncluded(const std::map<std::string, std::string>& texts, const std::string& name) {
  const std::string file = absl::StrCat(fs::path(name).filename().string(), "\"");
  return absl::c_any_of(texts, [&](const auto& other) {
    return other.first != name && (absl::StrContains(other.second, absl::StrCat("\"", file)) ||
                                   absl::StrContains(other.second, absl::StrCat("/", file)));
  });
}

}  // namespace

std::vector<std::string> RemoveStaleRuntime(const std::string& folder,
                                            absl::Span<const emit::OutputFile> files) {
  std::error_code error;
  std::vector<std::string> removed;
  if (!fs::is_directory(fs::path(folder) / "lathe", error)) return removed;
  std::map<std::string, std::string> texts = SourcesIn(folder);
  // A file that only stale files include is stale, too.
  for (size_t before = 1; before != texts.size();) {
    before = texts.size();
    for (const absl::Span<const EmbeddedText> parts : {RuntimeHeaders(), RuntimeParts()}) {
      for (const EmbeddedText& part : parts) {
        const std::string name = absl::StrCat("lathe/", part.name);
        const auto found = texts.find(name);
        if (found == texts.end() || found->second != part.text) continue;
        if (absl::c_any_of(files, [&](const auto& file) { return file.name == name; })) continue;
        if (IsIncluded(texts, name) || !fs::remove(fs::path(folder) / name, error)) continue;
        texts.erase(found);
        removed.push_back(name);
      }
    }
  }
  std::sort(removed.begin(), removed.end());
  return removed;
}

}  // namespace lathe::bundle
