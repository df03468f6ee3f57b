// Compiles many GPU programs into one executable: one file for their kernels, another for the host
// code.
#ifndef LATHE_TESTS_COMPILED_CUDA_BATCH_H_
#define LATHE_TESTS_COMPILED_CUDA_BATCH_H_

#include <string>
#include <vector>

#include "generator/target/gpu.h"
#include "tests/compiled/batch.h"

namespace lathe::compiled {

// Builds GPU programs of Compile for the emulation.
absl::Status BuildOnEmulation(const std::vector<CompiledProgram>& programs,
                              const driver::HostTools& tools, const std::string& folder);

// The same by nvcc, for the GPUs of this machine.
absl::Status BuildOnGpu(const std::vector<CompiledProgram>& programs,
                        const driver::HostTools& tools, const GpuChoice& gpus,
                        const std::string& folder);

}  // namespace lathe::compiled

#endif  // LATHE_TESTS_COMPILED_CUDA_BATCH_H_
