#include "generator/driver/options/name_option.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/library_names.h"

namespace lathe::driver {
namespace {

// Names of CMake's and Meson's own targets, keywords of CMake, and prefixes of its variables.
constexpr absl::string_view kTargetsOfBuilds[] = {
    "ALL_BUILD",      "CMAKE",     "CMake",      "cmake",         "INSTALL",
    "PACKAGE",        "RUN_TESTS", "ZERO_CHECK", "all",           "benchmark",
    "clean",          "coverage",  "debug",      "dist",          "edit_cache",
    "general",        "help",      "install",    "optimized",     "package",
    "package_source", "phony",     "preinstall", "rebuild_cache", "reconfigure",
    "test",           "uninstall"};

// Bytes of a name. Files, macros and functions append suffixes to it.
constexpr size_t kMaxName = 60;

bool IsTargetOfBuild(absl::string_view name) {
  return std::find(std::begin(kTargetsOfBuilds), std::end(kTargetsOfBuilds), name) !=
         std::end(kTargetsOfBuilds);
}

bool IsTakenName(const std::string& name, bool for_gpus) {
  return emit::IsTakenInC(name) || (for_gpus && emit::IsNameOfGpus(name));
}

}  // namespace

absl::StatusOr<std::string> CheckName(absl::string_view option, absl::string_view given,
                                      bool for_gpus, bool has_targets) {
  std::string name = emit::MakeCName(given.substr(0, kMaxName)).str();
  if (name != given) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '", option,
                     "' is the prefix of C symbols: letters, digits and single '_', starting with "
                     "a letter, with at most ",
                     kMaxName, " characters; got '", given, "'; '", name, "' is possible"));
  }
  if (IsTakenName(name, for_gpus)) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '", option, "': '", name, "' has another meaning in C",
                     for_gpus ? ", C++ or CUDA" : "", ", or is the name of a header; 'my_", name,
                     "' is possible"));
  }
  if (has_targets && IsTargetOfBuild(name)) {
    return absl::InvalidArgumentError(absl::StrCat("option '", option,
                                                   "': the build has another target '", name,
                                                   "'; 'my_", name, "' is possible"));
  }
  return name;
}

absl::StatusOr<std::string> ReadNameOption(const Arguments& args, bool for_gpus, bool has_targets) {
  if (args.Has("--name")) return CheckName("--name", args.Value("--name"), for_gpus, has_targets);
  const std::filesystem::path path(std::string(args.operands[0]));
  const std::string stem = path.filename().replace_extension().string();
  // Nothing of "-" or of a name in another script is left in an identifier.
  const bool has_letters = absl::c_any_of(stem, absl::ascii_isalnum);
  std::string name = emit::MakeCName(has_letters ? stem : "model").str();
  name = emit::MakeCName(absl::string_view(name).substr(0, kMaxName)).str();
  const bool taken = IsTakenName(name, for_gpus) || (has_targets && IsTargetOfBuild(name));
  return taken ? absl::StrCat("my_", name) : name;
}

}  // namespace lathe::driver
