// A generated model for GPUs with a main() around it, compiled by nvcc and run on a GPU.
#ifndef LATHE_DRIVER_VALIDATE_CUDA_DEVICE_H_
#define LATHE_DRIVER_VALIDATE_CUDA_DEVICE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/validate/host_program.h"
#include "generator/driver/validate/validate_place.h"
#include "generator/target/gpu.h"

namespace lathe::driver {

// Where NVIDIA's toolkit is, or "nvcc", which is looked for as a shell does.
std::string FindNvcc();

// Builds `files`, those of a bundle and what else ends in .cu and .cpp, in `folder` as the program
// `run`, for these GPUs. Fails with what the compiler said.
absl::Status BuildForDevice(const std::vector<emit::OutputFile>& files, const HostTools& tools,
                            const GpuChoice& gpus, const std::string& folder);

// How a program is run on the GPU with that number; on the first where it is empty. Unavailable
// where `program`, of BuildForDevice, finds no GPU.
absl::StatusOr<std::vector<std::string>> OnDevice(const std::string& program,
                                                  const std::string& device);

// Runs `function` of `model`, called `name`, in `folder`, as RunHostProgram does, on the GPU of
// `place`, one of this machine or the emulation: once as it is and once captured into a graph,
// where that can be. `inputs` and `wanted` say how large its buffers are.
absl::StatusOr<std::string> RunOnGpu(const ValidatePlace& place, const GeneratedModel& model,
                                     const emit::ApiFunction& function, const std::string& name,
                                     const std::string& folder,
                                     const std::vector<PartBytes>& inputs,
                                     const std::vector<PartBytes>& wanted);

// How often it runs, the first times without being timed.
struct TimedRuns {
  int before = 0;
  int runs = 1;
  bool captured = false;  // into a CUDA graph, of which launches are timed
};

// The same with buffers of these sizes: what the program prints of its times (run_times.h).
absl::StatusOr<std::string> TimeOnGpu(const ValidatePlace& place, const GeneratedModel& model,
                                      const emit::ApiFunction& function, const std::string& name,
                                      const std::string& folder,
                                      const std::vector<PartBytes>& inputs,
                                      const std::vector<PartBytes>& room, const TimedRuns& timed);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_CUDA_DEVICE_H_
