#include "generator/driver/options/params_option.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/npz_format.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<ParamsFile> ReadParamsOption(const Arguments& args) {
  ParamsFile file{std::string(args.Value("--params")), {}};
  if (!args.Has("--params")) return file;
  if (!absl::EndsWithIgnoreCase(file.path, ".npz")) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--params' must be an .npz file; got '", file.path, "'"));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(file.path));
  auto arrays = interp::ReadNpzMembers(bytes, interp::MemoryBudget());
  if (!arrays.ok()) {
    return absl::DataLossError(absl::StrCat("'", file.path, "': ", arrays.status().message()));
  }
  file.arrays = *std::move(arrays);
  return file;
}

}  // namespace lathe::driver
