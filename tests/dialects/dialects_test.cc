// tests/dialects/*.txtar: a source program, and its text in each dialect.
//
//   What the file is about.
//   -- input.py --
//   -- classic.py --
//   -- 0.24.py --
//   -- 0.26.py --
//   -- 0.27.py --
//
// Whatever is printed must read back as the same program and print as the same text.
// UPDATE_GOLDENS=1 rewrites the printed sections in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/structural_equal.h"
#include "generator/ir/verify_graph.h"
#include "generator/reader/read_module.h"
#include "tests/support/paths.h"
#include "tests/support/txtar.h"

namespace lathe {
namespace {

struct NamedDialect {
  const char* name;
  ir::Dialect dialect;
};
constexpr NamedDialect kDialects[] = {{"classic.py", ir::Dialect::kClassic},
                                      {"0.24.py", ir::Dialect::kV0_24},
                                      {"0.26.py", ir::Dialect::kV0_26},
                                      {"0.27.py", ir::Dialect::kV0_27}};

std::string ReadAll(const std::filesystem::path& path) {
  std::stringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

ir::Module Read(ir::Context& context, const SourceFile& file) {
  Diagnostics diags;
  absl::StatusOr<ir::Module> module = ReadModule(context, file, diags);
  for (const Diagnostic& d : diags.all()) ADD_FAILURE() << Render(d);
  if (!module.ok()) return {};
  EXPECT_EQ(ir::BrokenInvariant(*module), std::nullopt);
  return *std::move(module);
}

class DialectsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(DialectsTest, PrintsAndReadsBack) {
  const std::filesystem::path path = GetParam();
  Txtar archive = ParseTxtar(ReadAll(path));
  ASSERT_FALSE(archive.sections.empty());
  ir::Context context;
  const SourceFile input("input.py", archive.sections[0].text);
  const ir::Module module = Read(context, input);
  Txtar printed{archive.comment, {archive.sections[0]}};
  for (const NamedDialect& d : kDialects) {
    ir::PrintOptions options;
    options.dialect = d.dialect;
    const std::string text = ir::PrintTvmScript(module, options);
    const SourceFile file(d.name, text);
    const ir::Module again = Read(context, file);
    std::string where;
    EXPECT_TRUE(ir::StructurallyEqual(module, again, &where)) << d.name << ": " << where;
    EXPECT_EQ(ir::PrintTvmScript(again, options), text);
    printed.sections.push_back({d.name, text});
  }
  if (std::getenv("UPDATE_GOLDENS") != nullptr) {
    std::ofstream(path) << PrintTxtar(printed);
  } else {
    EXPECT_EQ(PrintTxtar(archive), PrintTxtar(printed));
  }
}

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath("tests/dialects"))) {
    if (entry.path().extension() == ".txtar") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Dialects, DialectsTest, ::testing::ValuesIn(Files()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return std::filesystem::path(info.param).stem().string();
                         });

}  // namespace
}  // namespace lathe
