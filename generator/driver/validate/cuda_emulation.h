// Builds a generated CUDA model with a main() for this machine. The C++ compiler compiles the
// kernels as C++; runtime-c/emulation implements the CUDA functions that kernels and host code
// call.
#ifndef LATHE_DRIVER_VALIDATE_CUDA_EMULATION_H_
#define LATHE_DRIVER_VALIDATE_CUDA_EMULATION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/host_program.h"

namespace lathe::driver {

// Returns the files of `model`, called `name`, those of the emulation, and a main.cpp that calls
// `function` with buffers of these sizes.
absl::StatusOr<std::vector<emit::OutputFile>> EmulationFiles(const GeneratedModel& model,
                                                             const emit::ApiFunction& function,
                                                             const std::string& name,
                                                             const std::vector<PartBytes>& inputs,
                                                             const std::vector<PartBytes>& outputs);

// Builds the .cu, .cpp, .cc and .c files and the external files of `tools` in `folder` as the
// program `run`. Links the emulation at LATHE_COMPILED_EMULATION if the environment sets it, and
// builds it otherwise. Fails with the output of the compiler.
absl::Status BuildEmulation(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                            const std::string& folder);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_CUDA_EMULATION_H_
