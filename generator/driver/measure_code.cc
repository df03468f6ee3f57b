#include "generator/driver/measure_code.h"

#include <filesystem>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/stack_depth.h"
#include "generator/driver/work_folder.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

namespace fs = std::filesystem;

void Add(const ObjectSizes& more, ObjectSizes& sizes) {
  sizes.text += more.text;
  sizes.rodata += more.rodata;
  sizes.data += more.data;
  sizes.bss += more.bss;
  for (const auto& [name, size] : more.functions) sizes.functions[name] += size;
}

bool IsSource(const std::string& name) {
  return absl::EndsWith(name, ".c") || absl::EndsWith(name, ".S");
}

}  // namespace

absl::StatusOr<CodeMeasures> MeasureCode(absl::Span<const emit::OutputFile> files,
                                         absl::Span<const std::string> entries,
                                         const std::string& cc,
                                         const std::vector<std::string>& flags) {
  const WorkFolder work("");
  const fs::path root(work.path());
  for (const emit::OutputFile& file : files) {
    std::error_code ignored;
    fs::create_directories((root / file.name).parent_path(), ignored);
    LATHE_RETURN_IF_ERROR(WriteFile((root / file.name).string(), file.text));
  }
  CodeMeasures measures;
  std::map<std::string, FunctionStack> functions;
  std::map<std::string, std::set<std::string>> calls;
  for (const emit::OutputFile& file : files) {
    if (absl::EndsWith(file.name, ".c") || absl::EndsWith(file.name, ".h")) {
      ReadCalls(file.text, calls);
    }
    if (!IsSource(file.name)) continue;
    const std::string object = (root / absl::StrCat(file.name, ".o")).string();
    std::vector<std::string> words = {cc, "-std=c99", "-I", root.string(), "-fstack-usage"};
    words.insert(words.end(), flags.begin(), flags.end());
    for (const std::string& word :
         {std::string("-c"), (root / file.name).string(), std::string("-o"), object}) {
      words.push_back(word);
    }
    LATHE_ASSIGN_OR_RETURN(const CommandResult built, RunCommand(words));
    if (built.exit_code != 0) {
      return absl::UnavailableError(
          absl::StrCat("'", cc, "' did not compile the generated code:\n", built.output));
    }
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(object));
    LATHE_ASSIGN_OR_RETURN(const ObjectSizes sizes, ReadObjectSizes(bytes));
    Add(sizes, measures.sizes);
    const auto usage = ReadFile((root / absl::StrCat(file.name, ".su")).string());
    if (usage.ok()) ReadStackUsage(*usage, functions);
  }
  const StackDepth depth = FindStackDepth(functions, calls, entries);
  if (!functions.empty()) measures.stack = depth.bytes;
  measures.stack_path = absl::StrJoin(depth.path, " > ");
  measures.unmeasured.assign(depth.unmeasured.begin(), depth.unmeasured.end());
  return measures;
}

}  // namespace lathe::driver
