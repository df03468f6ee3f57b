// Every graph pass over every program of tests/transform, tests/run and samples: alone and in
// rows.
#include "generator/driver/graph_passes.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/pipeline.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/pass_probe.h"
#include "tests/support/paths.h"
#include "tests/support/txtar.h"

namespace lathe {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> FilesOf(const std::string& folder, const std::string& ending) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(SourcePath(folder))) {
    if (absl::EndsWith(entry.path().string(), ending)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Those that can be loaded: the others are there to be refused.
std::map<std::string, std::string> Programs() {
  std::map<std::string, std::string> programs;
  const auto add = [&](const std::string& name, const std::string& text) {
    const SourceFile file(name, text);
    ir::Context context;
    Diagnostics diags;
    if (driver::LoadModule(context, file, diags)) programs[name] = text;
  };
  for (const char* folder : {"tests/transform", "tests/run"}) {
    for (const std::string& path : FilesOf(folder, ".txt")) {
      const auto text = ReadFile(path);
      if (!text.ok()) continue;
      for (const Txtar::Section& section : ParseTxtar(*text).sections) {
        if (absl::EndsWith(section.name, ".py"))
          add(absl::StrCat(path, ":", section.name), section.text);
      }
    }
  }
  for (const std::string& path : FilesOf("samples", ".py")) {
    const auto text = ReadFile(path);
    if (text.ok()) add(path, *text);
  }
  return programs;
}

TEST(GraphPassesTest, NamesAreSorted) {
  const auto passes = driver::GraphPasses();
  EXPECT_TRUE(std::is_sorted(passes.begin(), passes.end(),
                             [](const Pass& a, const Pass& b) { return a.name < b.name; }));
}

TEST(GraphPassesTest, EachPassPreservesPrograms) {
  const std::map<std::string, std::string> programs = Programs();
  EXPECT_GE(programs.size(), 15u);
  int compared = 0;
  for (const auto& [name, text] : programs) {
    for (const Pass& pass : driver::GraphPasses()) {
      const std::string once(pass.name);
      // Integers may be one off: fuse_quantized_test.cc.
      if (once == "fuse_quantized") continue;
      EXPECT_EQ(testing::PassProblems(text, once, &compared), "") << name;
    }
  }
  EXPECT_GE(compared, 150);
}

TEST(GraphPassesTest, SoDoAllInARow) {
  const std::string rows[] = {
      "inline_private_functions,lambda_lift,canonicalize_bindings,decompose_composites,"
      "fold_constants,eliminate_common_subexpr,dead_code_elimination,legalize,to_non_dataflow",
      "lambda_lift,inline_private_functions,topological_sort,canonicalize_bindings,"
      "dead_code_elimination",
      "legalize,fold_constants,canonicalize_bindings,eliminate_common_subexpr,topological_sort,"
      "dead_code_elimination",
      "to_non_dataflow,eliminate_common_subexpr,lambda_lift,dead_code_elimination,legalize",
  };
  for (const auto& [name, text] : Programs()) {
    for (const std::string& row : rows) {
      EXPECT_EQ(testing::PassProblems(text, row, nullptr), "") << name;
    }
  }
}

}  // namespace
}  // namespace lathe
