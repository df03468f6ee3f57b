// Finds how a PrimFunc reads the frames of its inputs.
#ifndef LATHE_TRANSFORM_STREAM_WINDOW_KERNEL_H_
#define LATHE_TRANSFORM_STREAM_WINDOW_KERNEL_H_

#include <cstdint>
#include <map>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::transform {

// How a PrimFunc reads its inputs along time.
struct KernelWindow {
  absl::flat_hash_map<ir::BufferRef, int> axes;  // of the buffers with frames
  absl::flat_hash_set<ir::PrimRef> vars;         // of the loops and blocks over the frames
  int64_t stride = 1;                            // frames of the inputs for a frame of the result
  int64_t kernel = 1;                            // frames of the inputs that a frame reads
  int out_axis = 0;
  bool reads_all = false;  // the result has no frames
};

// Finds the frames of the result, the last parameter, for inputs with frames along `inputs`, by
// their positions. Fails with the reason if the frames of the result are computed in different
// ways: a text that follows the name of the function.
absl::StatusOr<KernelWindow> FindKernelWindow(ir::Context& context, const ir::PrimFunc& func,
                                              const std::map<size_t, int>& inputs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_WINDOW_KERNEL_H_
