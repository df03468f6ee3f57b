// Reads the option --params: an .npz file with values of parameters.
#ifndef LATHE_DRIVER_OPTIONS_PARAMS_OPTION_H_
#define LATHE_DRIVER_OPTIONS_PARAMS_OPTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/interp/data/zip_archive.h"

namespace lathe::driver {

inline constexpr Option kParamsOption = {
    "--params", 0, "FILE.npz", "make the parameters of these names constants, as trained weights"};

struct ParamsFile {
  std::string path;  // empty: the option is not given
  // Undecoded: bytes of small dtypes need the dtype of the parameter.
  std::vector<interp::ZipMember> arrays;
};

// Returns the arrays of the file. Fails with InvalidArgument for a file that is not called .npz,
// and with DataLoss for one that is not an archive.
absl::StatusOr<ParamsFile> ReadParamsOption(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_PARAMS_OPTION_H_
