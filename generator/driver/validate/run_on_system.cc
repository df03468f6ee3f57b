#include "generator/driver/validate/run_on_system.h"

#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/validate/board_stack.h"
#include "generator/driver/validate/host_program.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Reads "stack 320", the last line that the program prints.
absl::StatusOr<BoardRun> PaintedStack(absl::string_view printed) {
  const absl::string_view text = absl::StripAsciiWhitespace(printed);
  absl::string_view last = text.substr(text.rfind('\n') + 1);
  BoardRun run;
  if (absl::ConsumePrefix(&last, "stack ") && absl::SimpleAtoi(last, &run.stack)) return run;
  return absl::InternalError(
      absl::StrCat("the program printed no use of the stack: ", absl::CHexEscape(last)));
}

}  // namespace

absl::StatusOr<std::string> RunOnSystem(const ValidatePlace& place, const GeneratedModel& model,
                                        const emit::ApiFunction& function, const std::string& name,
                                        const std::string& folder,
                                        const std::vector<PartBytes>& inputs,
                                        const std::vector<PartBytes>& outputs, std::string* said) {
  HostTools tools;
  tools.cc = place.cc;
  tools.cflags = place.cflags;
  tools.externs = place.externs;
  std::vector<std::string> words;
  // The flags of a target are for the compiler of the target.
  if (place.cc == place.target->compiler) {
    for (absl::string_view flag : absl::StrSplit(place.target->flags, ' ', absl::SkipEmpty())) {
      tools.cflags.emplace_back(flag);
    }
  }
  if (place.board != nullptr) {
    for (const char* flag : {"-static", "-DPAINT_STACK"}) tools.cflags.emplace_back(flag);
    words.emplace_back(place.board->emulator);
  }
  LATHE_ASSIGN_OR_RETURN(const auto files, HostFiles(model, function, name, inputs, outputs));
  const absl::Status built = BuildHostProgram(files, tools, folder);
  if (absl::IsNotFound(built) && place.cc == place.target->compiler) {
    return absl::UnavailableError(absl::StrCat(
        built.message(), "; the Debian packages that have it: ", place.target->packages));
  }
  LATHE_RETURN_IF_ERROR(built);
  words.push_back((std::filesystem::path(folder) / "run").string());
  std::string printed;
  auto got = RunHostProgram(words, folder, inputs, place.seconds, &printed);
  if (absl::IsNotFound(got.status()) && place.board != nullptr) {
    return absl::UnavailableError(absl::StrCat(
        got.status().message(), "; the Debian package that has it: ", place.board->package));
  }
  if (!got.ok() || place.board == nullptr || said == nullptr) return got;
  LATHE_ASSIGN_OR_RETURN(const BoardRun run, PaintedStack(printed));
  LATHE_ASSIGN_OR_RETURN(*said, CompareBoardStack(model, function,
                                                  {place.board, place.target, place.cc,
                                                   place.cflags, place.externs, place.seconds},
                                                  folder, run));
  return got;
}

}  // namespace lathe::driver
