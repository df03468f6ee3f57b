// Builds a generated C model with a main(), and runs it on this machine.
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
  std::vector<std::string> externs = {};  // C files and libraries with external functions
};

// Returns the files of `model`, called `name`, and a main.c that calls `function` with buffers of
// these sizes. Its arguments are a file of inputs, a file for outputs, and the byte to fill memory.
absl::StatusOr<std::vector<emit::OutputFile>> HostFiles(const GeneratedModel& model,
                                                        const emit::ApiFunction& function,
                                                        const std::string& name,
                                                        const std::vector<PartBytes>& inputs,
                                                        const std::vector<PartBytes>& outputs);

// Writes `files` to `folder` and compiles them as the program `run` there. Fails with NotFound
// without the compiler. If the files do not compile, fails with Unavailable and the output of the
// compiler.
absl::Status BuildHostProgram(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                              const std::string& folder);

// Runs the command `words` twice, with differently filled memory, and returns the bytes of its
// outputs. Its files for inputs and outputs are in `folder`. Fails if it ends with an error, if the
// outputs of the two runs differ, or if a run exceeds `seconds` (0 for no limit). `printed`
// receives what the second run printed; it may be null.
absl::StatusOr<std::string> RunHostProgram(const std::vector<std::string>& words,
                                           const std::string& folder,
                                           const std::vector<PartBytes>& inputs, int seconds = 0,
                                           std::string* printed = nullptr);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_HOST_PROGRAM_H_
