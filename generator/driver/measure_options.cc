#include "generator/driver/measure_options.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/support/status.h"

namespace lathe::driver {

std::string MeasuredWith(const Arguments& args, const Target& target) {
  if (!args.Has("--cc")) return "";
  const std::string flags =
      args.Has("--cflags") ? std::string(args.Value("--cflags"))
                           : absl::StrCat(target.flags, target.flags.empty() ? "" : " ", "-Os");
  return absl::StrCat(args.Value("--cc"), " ", flags);
}

absl::StatusOr<std::optional<CodeMeasures>> MeasureModel(const Arguments& args,
                                                         const MadeModel& made) {
  if (!args.Has("--cc")) return std::optional<CodeMeasures>();
  const std::vector<std::string> words =
      absl::StrSplit(MeasuredWith(args, *made.target), ' ', absl::SkipEmpty());
  std::vector<std::string> entries = {absl::StrCat(made.name, "_init")};
  for (const emit::ApiFunction& f : made.model.functions) entries.push_back(f.function);
  LATHE_ASSIGN_OR_RETURN(CodeMeasures measures,
                         MeasureCode(made.model.files, entries, words[0],
                                     std::vector<std::string>(words.begin() + 1, words.end())));
  return std::optional<CodeMeasures>(std::move(measures));
}

}  // namespace lathe::driver
