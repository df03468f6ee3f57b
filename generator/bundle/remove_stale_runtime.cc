#include "generator/bundle/remove_stale_runtime.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/embedded_text.h"
#include "generator/support/files.h"

namespace lathe::bundle {
namespace {

namespace fs = std::filesystem;

// More files and folders may be of anything; none is removed then.
constexpr int kMaxSearched = 10'000;

constexpr absl::string_view kSourceSuffixes[] = {
    ".c", ".h", ".S", ".s", ".cc", ".cpp", ".cu", ".cuh", ".hh", ".hpp", ".cxx", ".hxx", ".ino",
};
constexpr absl::string_view kBuildSuffixes[] = {".txt", ".cmake", ".mk",   ".build", ".bazel",
                                                ".bzl", ".yml",   ".yaml", ".json",  ".ini"};
constexpr absl::string_view kBuildNames[] = {"Makefile", "makefile", "GNUmakefile", "BUILD"};

bool EndsWithOneOf(absl::string_view name, absl::Span<const absl::string_view> suffixes) {
  return absl::c_any_of(suffixes,
                        [&](absl::string_view suffix) { return absl::EndsWith(name, suffix); });
}

// The texts of a folder by name, and of the folders in it.
struct FolderTexts {
  std::map<std::string, std::string> sources;
  std::map<std::string, std::string> build_files;
};

// Nothing if a file cannot be read, or if there are too many: these may include any file.
std::optional<FolderTexts> TextsIn(const fs::path& folder) {
  FolderTexts texts;
  std::error_code error;
  int searched = 0;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (++searched > kMaxSearched) return std::nullopt;
    const std::string file = at->path().filename().string();
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      if (absl::StartsWith(file, ".")) at.disable_recursion_pending();
      continue;
    }
    const bool is_source = EndsWithOneOf(file, kSourceSuffixes);
    const bool is_build =
        EndsWithOneOf(file, kBuildSuffixes) || absl::c_linear_search(kBuildNames, file);
    if ((!is_source && !is_build) || !at->is_regular_file(ignored)) continue;
    auto text = ReadFile(at->path().string());
    if (!text.ok()) return std::nullopt;
    (is_source ? texts.sources
               : texts.build_files)[at->path().lexically_relative(folder).string()] =
        *std::move(text);
  }
  if (error) return std::nullopt;
  return texts;
}

// Returns true if a source other than `name` itself includes the file, with or without its folder,
// or if a build file names it.
bool IsUsed(const FolderTexts& texts, const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  std::vector<std::string> includes;
  for (const char* begin : {"\"", "<", "/"}) {
    for (const char* end : {"\"", ">"}) includes.push_back(absl::StrCat(begin, file, end));
  }
  const auto names = [](const std::string& text, const std::string& part) {
    return absl::StrContains(text, part);
  };
  const bool included = absl::c_any_of(texts.sources, [&](const auto& other) {
    return other.first != name && absl::c_any_of(includes, [&](const std::string& include) {
             return names(other.second, include);
           });
  });
  return included || absl::c_any_of(texts.build_files, [&](const auto& other) {
           return names(other.second, absl::StrCat("/", file));
         });
}

// Returns the runtime files in `folder` that this program writes, and that `files` do not contain.
std::map<std::string, absl::string_view> Unwritten(const fs::path& folder,
                                                   absl::Span<const emit::OutputFile> files) {
  std::map<std::string, absl::string_view> unwritten;
  for (const absl::Span<const EmbeddedText> parts : {RuntimeHeaders(), RuntimeParts()}) {
    for (const EmbeddedText& part : parts) {
      const std::string name = absl::StrCat("lathe/", part.name);
      std::error_code error;
      if (absl::c_any_of(files, [&](const auto& file) { return file.name == name; })) continue;
      if (fs::is_regular_file(folder / name, error)) unwritten[name] = part.text;
    }
  }
  return unwritten;
}

}  // namespace

std::vector<std::string> RemoveStaleRuntime(const std::string& folder,
                                            absl::Span<const emit::OutputFile> files) {
  std::vector<std::string> removed;
  const auto unwritten = Unwritten(folder, files);
  if (unwritten.empty()) return removed;
  std::optional<FolderTexts> texts = TextsIn(folder);
  if (!texts) return removed;
  // A file that only stale files include is stale, too.
  for (size_t before = 1; before != texts->sources.size();) {
    before = texts->sources.size();
    for (const auto& [name, text] : unwritten) {
      const auto found = texts->sources.find(name);
      if (found == texts->sources.end() || found->second != text) continue;
      std::error_code error;
      if (IsUsed(*texts, name) || !fs::remove(fs::path(folder) / name, error)) continue;
      texts->sources.erase(found);
      removed.push_back(name);
    }
  }
  std::sort(removed.begin(), removed.end());
  return removed;
}

}  // namespace lathe::bundle
