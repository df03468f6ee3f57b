// Reads --data, the inputs of `lathe validate` and `lathe bench`.
#ifndef LATHE_DRIVER_VALIDATE_VALIDATE_DATA_H_
#define LATHE_DRIVER_VALIDATE_VALIDATE_DATA_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/driver/run_options.h"

namespace lathe::driver {

// "random:seed=1,n=16", "FILE.npz" and a folder of .npy files are stored in `options`. The data
// sets in a folder of ONNX test data are added to `sets`. Fails with NotFound for a folder without
// data, and with InvalidArgument for other values.
absl::Status ReadValidateData(absl::string_view text, RunOptions& options,
                              std::vector<std::string>& sets);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_VALIDATE_DATA_H_
