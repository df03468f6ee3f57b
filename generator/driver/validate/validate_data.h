// --data: what lathe validate gives a program.
#ifndef LATHE_DRIVER_VALIDATE_VALIDATE_DATA_H_
#define LATHE_DRIVER_VALIDATE_VALIDATE_DATA_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/driver/run_options.h"

namespace lathe::driver {

// "random:seed=1,n=16" and "FILE.npz" go to `options`; of a folder of ONNX's test data the data
// sets in it go to `sets`. InvalidArgument for what is none of these.
absl::Status ReadValidateData(absl::string_view text, RunOptions& options,
                              std::vector<std::string>& sets);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_VALIDATE_DATA_H_
