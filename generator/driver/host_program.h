// A generated model with a main() around it, compiled and run on this machine.
#ifndef LATHE_DRIVER_HOST_PROGRAM_H_
#define LATHE_DRIVER_HOST_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/interp/values.h"

namespace lathe::driver {

struct HostTools {
  std::string cc = "cc";
  std::vector<std::string> cflags = {"-O2"};
};

// The tensors and scalars that a value consists of, from left to right: what the ports of a routine
// take, byte for byte.
struct PartBytes {
  ir::DType dtype;
  std::vector<int64_t> shape;  // empty for scalars
  std::string bytes;
};
std::vector<PartBytes> PartsOfValue(const interp::Value& value);

// Builds `model`, called `name`, in `folder` with a main() that calls `function` with buffers of
// these sizes. Fails with what the compiler said.
absl::Status BuildHostProgram(const GeneratedModel& model, const emit::ApiFunction& function,
                              const std::string& name, const std::vector<PartBytes>& inputs,
                              const std::vector<PartBytes>& outputs, const HostTools& tools,
                              const std::string& folder);

// Runs it with all memory filled with `fill`. Fails when it ends with an error.
absl::StatusOr<std::string> RunHostProgram(const std::string& folder,
                                           const std::vector<PartBytes>& inputs, int fill);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_HOST_PROGRAM_H_
