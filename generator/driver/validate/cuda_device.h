// Builds a generated CUDA model with a main() by nvcc, and runs it on a GPU.
#ifndef LATHE_DRIVER_VALIDATE_CUDA_DEVICE_H_
#define LATHE_DRIVER_VALIDATE_CUDA_DEVICE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/host_program.h"
#include "generator/driver/validate/validate_place.h"
#include "generator/target/gpu.h"

namespace lathe::driver {

// Returns "nvcc" if it is in PATH, otherwise its path in NVIDIA's toolkit. Without that file,
// returns "nvcc" too.
std::string FindNvcc();

// Builds `files` (a bundle and further .cu and .cpp files) in `folder` as the program `run` for
// `gpus`. Fails with the output of the compiler.
absl::Status BuildForDevice(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                            const GpuChoice& gpus, const std::string& folder);

// Returns the command that runs `program` on the GPU with the number `device`, or on the first if
// it is empty. Fails with Unavailable if `program`, built by BuildForDevice, finds no GPU.
absl::StatusOr<std::vector<std::string>> OnDevice(const std::string& program,
                                                  const std::string& device);

// Runs `function` of `model`, called `name`, in `folder` like RunHostProgram, on the GPU or
// emulation of `place`: once directly, and once captured into a CUDA graph if that is possible. The
// buffers have the sizes of `inputs` and `wanted`.
absl::StatusOr<std::string> RunOnGpu(const ValidatePlace& place, const GeneratedModel& model,
                                     const emit::ApiFunction& function, const std::string& name,
                                     const std::string& folder,
                                     const std::vector<PartBytes>& inputs,
                                     const std::vector<PartBytes>& wanted);

// The numbers of warm-up runs (`before`) and of timed runs.
struct TimedRuns {
  int before = 0;
  int runs = 1;
  bool captured = false;  // times launches of a CUDA graph
};

// Runs `function` with buffers of these sizes and returns the printed times (run_times.h).
absl::StatusOr<std::string> TimeOnGpu(const ValidatePlace& place, const GeneratedModel& model,
                                      const emit::ApiFunction& function, const std::string& name,
                                      const std::string& folder,
                                      const std::vector<PartBytes>& inputs,
                                      const std::vector<PartBytes>& room, const TimedRuns& timed);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_CUDA_DEVICE_H_
