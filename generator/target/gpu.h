// Lists the supported NVIDIA GPUs and parses targets such as `-t cuda:sm_80,sm_90a+tf32+ptx`.
#ifndef LATHE_TARGET_GPU_H_
#define LATHE_TARGET_GPU_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/target/target.h"

namespace lathe {

inline constexpr int kWarp = 32;  // threads per warp
// Shared memory that a block has without opting in to more.
inline constexpr int64_t kStaticSharedBytes = 48 * 1024;

// The properties of a GPU; schedules are chosen by these numbers.
struct Gpu {
  absl::string_view name;          // "sm_90a"
  absl::string_view architecture;  // as nvcc and CMake spell it: "90a"
  absl::string_view summary;
  int version;  // compute capability; higher ones include its instructions, except those of "a"
  int64_t shared_bytes;  // maximum per block
  int registers;         // 32-bit registers per multiprocessor
  int threads;           // maximum threads per multiprocessor
  bool has_wgmma;        // wgmma, TMA and clusters
  // Of a common model with this capability.
  int multiprocessors;
  int fmas;                // float32 FMAs per cycle and multiprocessor
  int tensor_fmas;         // float16 FMAs with float32 sums, by mma.sync
  int l2_bytes_per_cycle;  // from the L2 cache, for all multiprocessors together
};

absl::Span<const Gpu> AllGpus();

// The GPUs that a program is generated for.
struct GpuChoice {
  std::vector<const Gpu*> gpus;  // in ascending order of version
  bool ptx = false;              // PTX for all GPUs later than the first
  bool tf32 = false;             // float32 products may round their factors to TF32

  // In the form of CMake's CUDA_ARCHITECTURES: "80-real 90a-real 80-virtual".
  std::string architectures() const;
  // In the form of -t: "cuda:sm_80,sm_90a+tf32+ptx".
  std::string name() const;
};

// Returns the Target of the host side, C++17 compiled by nvcc, used for planning.
const Target& CudaTarget();

// Returns whether `target` is "cuda" or starts with "cuda:".
bool NamesGpus(absl::string_view target);

// Parses "cuda:sm_80,sm_90a+tf32+ptx"; an error describes the invalid part.
absl::StatusOr<GpuChoice> ReadGpus(absl::string_view target);

}  // namespace lathe

#endif  // LATHE_TARGET_GPU_H_
