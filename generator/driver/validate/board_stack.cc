#include "generator/driver/validate/board_stack.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/measure_code.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<std::string> CompareBoardStack(const GeneratedModel& model,
                                              const emit::ApiFunction& function,
                                              const BoardTools& tools, const std::string& folder,
                                              const BoardRun& run) {
  MeasureSettings settings;
  settings.folder = (std::filesystem::path(folder) / "stack").string();
  settings.cc = tools.cc;
  for (absl::string_view flag : absl::StrSplit(tools.target->flags, ' ', absl::SkipEmpty())) {
    settings.flags.emplace_back(flag);
  }
  settings.flags.insert(settings.flags.end(), tools.cflags.begin(), tools.cflags.end());
  settings.entries = {function.step.empty() ? function.function.str() : function.step};
  // External functions in C are measured too.
  std::vector<emit::OutputFile> files = model.files;
  for (const std::string& path : tools.externs) {
    const std::filesystem::path file(path);
    if (file.extension() != ".c") continue;
    LATHE_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
    files.push_back({absl::StrCat("extern", files.size(), ".c"), std::move(text)});
    settings.flags.push_back(
        absl::StrCat("-I", std::filesystem::absolute(file.parent_path()).string()));
  }
  LATHE_ASSIGN_OR_RETURN(const CodeMeasures measures, MeasureCode(files, settings));
  const std::string used = absl::StrCat("qemu ", tools.board->name, " (", tools.target->name,
                                        ")\nstack ", run.stack, " B used");
  if (!measures.stack) {
    return absl::StrCat(used, ", no bound: ", absl::StrJoin(measures.stack_unbounded, ", "), "\n");
  }
  const std::string bound =
      absl::StrCat("at most ", *measures.stack, " B (", measures.stack_path, ")");
  if (static_cast<int64_t>(run.stack) > *measures.stack) {
    return absl::FailedPreconditionError(
        absl::StrCat("the run used ", run.stack, " bytes of stack, but the bound is ", bound));
  }
  return absl::StrCat(used, ", ", bound, "\n");
}

}  // namespace lathe::driver
