#include "generator/driver/cli/measure_options.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/cli/budget.h"
#include "generator/driver/options/parse_bytes.h"
#include "generator/support/status.h"
#include "generator/target/compiler_packages.h"

namespace lathe::driver {

std::string CompilerCommand(const Arguments& args, const Target& target) {
  if (!args.Has("--cc")) return "";
  std::vector<absl::string_view> words = {args.Value("--cc")};
  const auto append = [&](absl::string_view flags) {
    for (absl::string_view flag : absl::StrSplit(flags, ' ', absl::SkipEmpty())) {
      words.push_back(flag);
    }
  };
  if (args.Has("--cflags-only")) {
    append(args.Value("--cflags-only"));
  } else {
    append(target.flags);
    append("-Os");
    append(args.Value("--cflags"));
  }
  return absl::StrJoin(words, " ");
}

absl::StatusOr<std::map<std::string, int64_t>> ReadStackOfOptions(const Arguments& args) {
  std::map<std::string, int64_t> stack_of;
  for (absl::string_view text : args.Values("--stack-of")) {
    const auto wrong = [&, whole = text](absl::string_view why) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option '--stack-of' must be NAME=BYTES, such as expf=64", why, "; got '", whole, "'"));
    };
    const size_t equals = text.find('=');
    if (equals == absl::string_view::npos || equals == 0) return wrong("");
    const auto bytes = ParseBytes(text.substr(equals + 1));
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option '--stack-of' must be NAME=BYTES, such as expf=64: ", bytes.status().message()));
    }
    if (!stack_of.emplace(text.substr(0, equals), *bytes).second) return wrong(", each NAME once");
  }
  return stack_of;
}

absl::StatusOr<CodeMeasures> MeasureWith(const std::vector<std::string>& words,
                                         const Invocation& in, const CompiledModel& compiled) {
  MeasureSettings settings;
  settings.cc = words[0];
  settings.flags.assign(words.begin() + 1, words.end());
  settings.entries = {absl::StrCat(compiled.name, "_init")};
  for (const emit::ApiFunction& f : compiled.model.functions) {
    settings.entries.push_back(f.function);
    if (!f.step.empty()) settings.entries.push_back(f.step);
  }
  settings.constants = compiled.model.constants;
  settings.say = [&](absl::string_view remark) { in.report->Remark(remark); };
  LATHE_ASSIGN_OR_RETURN(settings.stack_of, ReadStackOfOptions(in.args));
  auto measures = MeasureCode(compiled.model.files, settings);
  if (absl::IsNotFound(measures.status())) {
    const absl::string_view packages = PackagesOfCompiler(settings.cc);
    return absl::UnavailableError(
        absl::StrCat(measures.status().message(),
                     packages.empty() ? "" : "; the Debian packages that have it: ", packages));
  }
  return measures;
}

absl::StatusOr<std::optional<CodeMeasures>> MeasureModel(const Invocation& in,
                                                         const CompiledModel& compiled) {
  if (!in.args.Has("--cc")) return std::optional<CodeMeasures>();
  const std::vector<std::string> words =
      absl::StrSplit(CompilerCommand(in.args, *compiled.target), ' ', absl::SkipEmpty());
  if (words.empty()) return absl::InvalidArgumentError("option '--cc' must name a compiler");
  LATHE_ASSIGN_OR_RETURN(CodeMeasures measures, MeasureWith(words, in, compiled));
  return std::optional<CodeMeasures>(std::move(measures));
}

}  // namespace lathe::driver
