#include "tests/support/file_test.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"
#include "tests/support/txtar.h"

namespace lathe {
namespace {

namespace fs = std::filesystem;

// Folders whose .txt files are something else.
constexpr absl::string_view kOtherFolders[] = {"style/", "fuzz/", "data/"};

bool IsExpectation(absl::string_view name) {
  return name == "stdout" || name == "stderr" || name == "exit";
}

void AddIfAny(Txtar& out, absl::string_view name, std::string text) {
  if (text.empty()) return;
  if (text.back() != '\n') absl::StrAppend(&text, "\n[no newline at the end]\n");
  out.sections.push_back({std::string(name), std::move(text)});
}

class FileTest : public ::testing::Test {
 public:
  explicit FileTest(std::string path) : path_(std::move(path)) {}
  void TestBody() override {
    auto text = ReadFile(path_);
    ASSERT_TRUE(text.ok()) << text.status();
    ExpectGolden(path_, RunFileTest(*text));
  }

 private:
  std::string path_;
};

}  // namespace

std::string RunFileTest(const std::string& text) {
  const Txtar in = ParseTxtar(text);
  const ScratchDirectory scratch;
  Txtar out{in.comment, {}};
  for (const Txtar::Section& s : in.sections) {
    if (s.name == "args" || s.name == "stdin" || IsExpectation(s.name)) continue;
    if (fs::path(s.name).has_parent_path()) fs::create_directories(fs::path(s.name).parent_path());
    EXPECT_TRUE(WriteFile(s.name, s.text).ok()) << s.name;
  }
  int commands = 0;
  for (size_t i = 0; i < in.sections.size(); ++i) {
    const Txtar::Section& s = in.sections[i];
    if (IsExpectation(s.name)) continue;
    out.sections.push_back(s);
    if (s.name != "args") continue;
    ++commands;
    std::string typed;
    if (i + 1 < in.sections.size() && in.sections[i + 1].name == "stdin") {
      typed = in.sections[++i].text;
      out.sections.push_back(in.sections[i]);
    }
    const LatheRun run = RunLatheWords(s.text, typed);
    AddIfAny(out, "stdout", run.out);
    AddIfAny(out, "stderr", run.err);
    if (run.exit != 0) AddIfAny(out, "exit", absl::StrCat(run.exit, "\n"));
  }
  EXPECT_GT(commands, 0) << "no '-- args --' section";
  return PrintTxtar(out);
}

void RegisterFileTests() {
  const fs::path root = SourcePath("tests");
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string relative = fs::relative(entry.path(), root).string();
    const bool other =
        std::any_of(std::begin(kOtherFolders), std::end(kOtherFolders),
                    [&](absl::string_view f) { return absl::StartsWith(relative, f); });
    if (entry.path().extension() == ".txt" && !other &&
        entry.path().filename() != "CMakeLists.txt") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const auto word = [](std::string s) {
      return absl::StrReplaceAll(s, {{"/", "_"}, {"-", "_"}, {".", "_"}});
    };
    const std::string suite = word(fs::relative(path.parent_path(), root).string());
    ::testing::RegisterTest(suite.c_str(), word(path.stem().string()).c_str(), nullptr, nullptr,
                            __FILE__, __LINE__,
                            [path = path.string()]() -> FileTest* { return new FileTest(path); });
  }
}

}  // namespace lathe
