// The GPUs that CUDA is made for: what `-t cuda:sm_80,sm_90a+tf32+ptx` names.
#ifndef LATHE_TARGET_GPU_H_
#define LATHE_TARGET_GPU_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/target/target.h"

namespace lathe {

inline constexpr int kWarp = 32;  // threads of a warp
// Of shared memory, that a block has without asking.
inline constexpr int64_t kStaticSharedBytes = 48 * 1024;

// A row of numbers; whoever chooses a schedule by the machine reads them.
struct Gpu {
  absl::string_view name;          // "sm_90a"
  absl::string_view architecture;  // as nvcc and CMake spell it: "90a"
  absl::string_view summary;
  int version;           // 90: what has a higher one has its instructions too, but for those of "a"
  int64_t shared_bytes;  // that a block may have at most
  int registers;         // of 32 bits, that a multiprocessor has
  int threads;           // that one holds at most
  bool has_wgmma;        // with TMA and clusters
  // Of one that is common among those of the row.
  int multiprocessors;
  int fmas;                // of float32, that a multiprocessor does in a cycle
  int tensor_fmas;         // of float16 into float32, by mma.sync
  int l2_bytes_per_cycle;  // that all of them together get from the L2 cache
};

absl::Span<const Gpu> AllGpus();

// What programs are generated for: one or more of them.
struct GpuChoice {
  std::vector<const Gpu*> gpus;  // in the order of their versions
  bool ptx = false;              // and for all later ones than the first, by PTX
  bool tf32 = false;             // products of float32 may round their factors to TF32

  // As CMake's CUDA_ARCHITECTURES has them: "80-real 90a-real 80-virtual".
  std::string architectures() const;
  // As -t has them: "cuda:sm_80,sm_90a+tf32+ptx".
  std::string name() const;
};

// C++ on the host and nvcc on the GPU, as a target: what planning asks of it.
const Target& CudaTarget();

// Whether `target` names GPUs, as "cuda:..." does.
bool NamesGpus(absl::string_view target);

// Of "cuda:sm_80,sm_90a+tf32+ptx"; fails with what is wrong with it.
absl::StatusOr<GpuChoice> ReadGpus(absl::string_view target);

}  // namespace lathe

#endif  // LATHE_TARGET_GPU_H_
