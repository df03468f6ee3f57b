#include "generator/driver/validate/run_on_system.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/driver/validate/host_program.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<std::string> RunOnSystem(const ValidatePlace& place, const GeneratedModel& model,
                                        const emit::ApiFunction& function, const std::string& name,
                                        const std::string& folder,
                                        const std::vector<PartBytes>& inputs,
                                        const std::vector<PartBytes>& outputs) {
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
    tools.cflags.emplace_back("-static");
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
  auto got = RunHostProgram(words, folder, inputs, place.seconds);
  if (absl::IsNotFound(got.status()) && place.board != nullptr) {
    return absl::UnavailableError(absl::StrCat(
        got.status().message(), "; the Debian package that has it: ", place.board->package));
  }
  return got;
}

}  // namespace lathe::driver
