// A generated model with a main() around it, compiled and run on this machine.
#ifndef LATHE_DRIVER_VALIDATE_HOST_PROGRAM_H_
#define LATHE_DRIVER_VALIDATE_HOST_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/validate/port_bytes.h"

namespace lathe::driver {

struct HostTools {
  std::string cc = "cc";
  std::vector<std::string> cflags = {"-O2"};
  std::vector<std::string> externs = {};  // C files and libraries with functions of the user's
};

// The files of `model`, called `name`, and a main.c that calls `function` with buffers of these
// sizes: the arguments are a file of inputs, one for outputs, and the byte that fills memory.
absl::StatusOr<std::vector<emit::OutputFile>> HostFiles(const GeneratedModel& model,
                                                        const emit::ApiFunction& function,
                                                        const std::string& name,
                                                        const std::vector<PartBytes>& inputs,
                                                        const std::vector<PartBytes>& outputs);

// Builds them in `folder` as the program `run`. Fails with what the compiler said.
absl::Status BuildHostProgram(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                              const std::string& folder);

// Runs the program `words` twice, all memory filled with other bytes; files for its inputs and
// outputs are put into `folder`. Fails when it ends with an error, when the outputs differ, or when
// it does not end within `seconds`, 0 for no limit.
absl::StatusOr<std::string> RunHostProgram(const std::vector<std::string>& words,
                                           const std::string& folder,
                                           const std::vector<PartBytes>& inputs, int seconds = 0);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_HOST_PROGRAM_H_
