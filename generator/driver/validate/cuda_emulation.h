// A generated model for GPUs with a main() around it, compiled for this machine: kernels are C++ to
// g++, and the emulation (runtime-c/emulation) has what they and the host's part call.
#ifndef LATHE_DRIVER_VALIDATE_CUDA_EMULATION_H_
#define LATHE_DRIVER_VALIDATE_CUDA_EMULATION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/host_program.h"

namespace lathe::driver {

// The files of `model`, called `name`, those of the emulation, and a main.cpp that calls `function`
// with buffers of these sizes.
absl::StatusOr<std::vector<emit::OutputFile>> EmulationFiles(const GeneratedModel& model,
                                                             const emit::ApiFunction& function,
                                                             const std::string& name,
                                                             const std::vector<PartBytes>& inputs,
                                                             const std::vector<PartBytes>& outputs);

// Builds them in `folder` as the program `run`: what ends in .cu, .cpp, .cc and .c, and the files
// that `tools` has; the emulation too, unless the environment says by LATHE_COMPILED_EMULATION
// where it is. Fails with what the compiler said.
absl::Status BuildEmulation(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                            const std::string& folder);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_CUDA_EMULATION_H_
