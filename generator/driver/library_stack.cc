#include "generator/driver/library_stack.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "generator/machine/code_depth.h"
#include "generator/machine/decode.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"

namespace lathe::driver {

StackGraph MeasureLibraryStack(const std::string& cc, const std::vector<std::string>& flags,
                               const std::set<std::string>& names, const std::string& folder) {
  StackGraph graph;
  for (const std::string& name : names) graph[name].why_unknown = "is not measured";
  if (names.empty()) return graph;
  const std::filesystem::path root(folder);
  const std::string source = (root / "library_functions.c").string();
  const std::string image = (root / "library_functions").string();
  if (!WriteFile(source, "typedef int lathe_library_functions;\n").ok()) return graph;
  std::vector<std::string> words = {cc};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-nostartfiles", source, "-o", image, "-Wl,-e,0",
                             "-Wl,--unresolved-symbols=ignore-all"});
  for (const std::string& name : names) words.push_back(absl::StrCat("-Wl,-u,", name));
  words.emplace_back("-lm");
  const auto linked = RunCommand(words);
  if (!linked.ok() || linked->exit_code != 0) return graph;
  const auto bytes = ReadFile(image);
  if (!bytes.ok()) return graph;
  const auto program = machine::ReadElfFile(*bytes);
  if (!program.ok() || !machine::CanDecode(*program)) return graph;
  machine::CodeDepth depth(*program);
  for (const std::string& name : names) {
    const machine::CodeDepth::Bound& bound = depth.Of(name);
    StackFunction& function = graph[name];
    if (bound.bytes) {
      function.bytes = *bound.bytes + machine::BytesOfCall(*program);
    } else if (bound.why_not != "is not defined") {
      function.why_unknown = absl::StrCat("is not measured, for ", bound.why_not);
    }
  }
  return graph;
}

}  // namespace lathe::driver
