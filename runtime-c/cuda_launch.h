/* SPDX-License-Identifier: 0BSD */
/* cuda_launch.h - enqueues kernels on the CUDA runtime and describes status codes. Host code. */
#ifndef LATHE_CUDA_LAUNCH_H
#define LATHE_CUDA_LAUNCH_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "lathe/rt.h"

/* Threads per block, unless a kernel specifies another number. */
#define LATHE_BLOCK 256

/* With LATHE_NVTX defined, names the enclosing scope in Nsight. */
#ifdef LATHE_NVTX
#include <nvtx3/nvToolsExt.h>

struct lathe_range {
  explicit lathe_range(const char* name) { (void)nvtxRangePushA(name); }
  ~lathe_range() { (void)nvtxRangePop(); }
  lathe_range(const lathe_range&) = delete;
  lathe_range& operator=(const lathe_range&) = delete;
};
#define LATHE_RANGE(name) const lathe_range lathe_named_range(name)
#else
#define LATHE_RANGE(name) ((void)0)
#endif

/* The number of blocks of LATHE_BLOCK threads for `count` elements. Above 2^16 blocks, threads
 * process several elements. */
static inline int64_t lathe_blocks(int64_t count) {
  const int64_t blocks = (count + LATHE_BLOCK - 1) / LATHE_BLOCK;
  return blocks < 65536 ? blocks : 65536;
}

/* The same if each thread processes `each` adjacent elements. */
static inline int64_t lathe_wide_blocks(int64_t count, int64_t each) {
  return lathe_blocks((count + each - 1) / each);
}

/* The same if a team of `team` threads processes a row. A team of more than a warp is a block. */
static inline int64_t lathe_row_blocks(int64_t rows, int team) {
  const int64_t each = team > 32 ? 1 : LATHE_BLOCK / team;
  const int64_t blocks = (rows + each - 1) / each;
  return blocks < 65536 ? blocks : 65536;
}

/* The number of tiles of `batch` matrices of rows x columns. Above 2^30, blocks process several. */
static inline int64_t lathe_tiles(int64_t batch, int64_t rows, int64_t tile_rows, int64_t columns,
                                  int64_t tile_columns) {
  const int64_t down = (rows + tile_rows - 1) / tile_rows;
  const int64_t tiles = batch * down * ((columns + tile_columns - 1) / tile_columns);
  return tiles < INT64_C(0x40000000) ? tiles : INT64_C(0x40000000);
}

/* Enqueues a grid, unless it has no blocks. */
template <typename... Params, typename... Args>
static inline int lathe_launch(void (*kernel)(Params...), int64_t blocks, int threads,
                               cudaStream_t stream, Args... args) {
  if (blocks <= 0) {
    return LATHE_OK;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)blocks, 1u, 1u);
  config.blockDim = dim3((unsigned)threads, 1u, 1u);
  config.stream = stream;
  return (int)cudaLaunchKernelEx(&config, kernel, args...);
}

/* The extents of a grid or block that the program specifies. */
struct lathe_extents {
  int64_t x, y, z;
};

/* Enqueues a grid with extents of the program. The runtime rejects those that the GPU does not
 * support. */
template <typename... Params, typename... Args>
static inline int lathe_launch(void (*kernel)(Params...), lathe_extents blocks,
                               lathe_extents threads, cudaStream_t stream, Args... args) {
  const int64_t numbers[] = {blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z};
  for (int64_t number : numbers) {
    if (number <= 0) {
      return LATHE_OK;
    }
    if (number > INT32_MAX) {
      return (int)cudaErrorInvalidConfiguration;
    }
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)blocks.x, (unsigned)blocks.y, (unsigned)blocks.z);
  config.blockDim = dim3((unsigned)threads.x, (unsigned)threads.y, (unsigned)threads.z);
  config.stream = stream;
  return (int)cudaLaunchKernelEx(&config, kernel, args...);
}

/* Reads the value at `from` on the GPU after the stream has reached this point. */
static inline int lathe_read_back(void* to, const void* from, size_t bytes, cudaStream_t stream) {
  cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(stream);
  }
  return (int)error;
}

static inline const char* lathe_status_string(int status) {
  switch (status) {
    case LATHE_OK:
      return "no error";
    case LATHE_E_NULL:
      return "a required pointer is NULL";
    case LATHE_E_ARENA_SIZE:
      return "the workspace is too small";
    case LATHE_E_ALIGN:
      return "the workspace or the weights are misaligned";
    case LATHE_E_WEIGHTS:
      return "the weights have the wrong size or hash";
    case LATHE_E_ABORTED:
      return "a hook aborted the run";
    case LATHE_E_SHAPE:
      return "a shape check failed";
    case LATHE_E_MEMORY:
      return "out of memory";
    case LATHE_E_ARGUMENT:
      return "an external function rejected its arguments";
    case LATHE_E_FAILED:
      return "an assertion of the program or an external function failed";
    case LATHE_E_EXTERN:
      return "an external function is missing in the table of functions";
    case LATHE_E_INDEX:
      return "an index in the data is out of bounds";
    case LATHE_E_MATCH:
      return "no clause of a partial match covers the value";
    case LATHE_E_STATE_SIZE:
      return "the memory of the state is too small";
    default:
      return "unknown status";
  }
}

#endif /* LATHE_CUDA_LAUNCH_H */
