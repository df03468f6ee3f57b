/* SPDX-License-Identifier: 0BSD */
/* cuda_matrix_maps.h - how the tensor memory accelerator is told where a product's factors lie, and
 * how kernels that need it are enqueued: C++ for the host, with the CUDA runtime, which knows the
 * driver's encoder. */
#ifndef LATHE_CUDA_MATRIX_MAPS_H
#define LATHE_CUDA_MATRIX_MAPS_H

#include <cuda.h> /* CUtensorMap */

#include "cuda_launch.h"

/* This GPU's program has no such kernel, or the factors lie where the accelerator cannot take them
 * from: nothing was enqueued, and another kernel has to do it. Never a status of a model. */
#define LATHE_NOT_TAKEN (-1000)

/* A factor of a product in memory of the GPU: what lies side by side is along the depth, or along
 * the lines. That is the first axis; the other of both is the second, and a batch has those behind
 * them. */
enum lathe_side { LATHE_ALONG_DEPTH, LATHE_ALONG_LINES };
struct lathe_matrices {
  const void* first;
  lathe_side along;
  int axes;
  int64_t extents[4];
  int64_t strides[4]; /* in elements; of the first axis 1 */
};

/* A map of parts of 128 bytes of the first axis, and of the second as many lines, or as many steps
 * of the depth, as are copied at once. Chunks of 16 bytes have the places that wgmma wants them in.
 */
static inline int lathe_map_matrices(CUtensorMap* map, const lathe_matrices& all, int element_bytes,
                                     int tile_lines) {
  const int lines = all.along == LATHE_ALONG_DEPTH ? tile_lines : 128 / element_bytes;
  cuuint64_t extents[4], strides[3];
  cuuint32_t part[4] = {(cuuint32_t)(128 / element_bytes), (cuuint32_t)lines, 1u, 1u};
  const cuuint32_t steps[4] = {1u, 1u, 1u, 1u};
  if ((uintptr_t)all.first % 16u != 0u) {
    return LATHE_NOT_TAKEN;
  }
  for (int i = 0; i < all.axes; ++i) {
    if (all.extents[i] <= 0 || all.extents[i] > INT32_MAX) {
      return LATHE_NOT_TAKEN;
    }
    extents[i] = (cuuint64_t)all.extents[i];
    if (i == 0) {
      continue;
    }
    /* An axis of one element is never gone along. */
    const int64_t bytes = all.extents[i] == 1 ? 16 : all.strides[i] * element_bytes;
    if (bytes <= 0 || bytes % 16 != 0 || bytes >= (int64_t)1 << 40) {
      return LATHE_NOT_TAKEN;
    }
    strides[i - 1] = (cuuint64_t)bytes;
  }
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t asked = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                                             12000u, cudaEnableDefault, &found);
  if (asked != cudaSuccess) {
    return (int)asked;
  }
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    return (int)cudaErrorInsufficientDriver;
  }
  const auto encode = (decltype(&cuTensorMapEncodeTiled))function;
  return (int)encode(
      map, element_bytes == 1 ? CU_TENSOR_MAP_DATA_TYPE_UINT8 : CU_TENSOR_MAP_DATA_TYPE_UINT16,
      (cuuint32_t)all.axes, (void*)all.first, extents, strides, part, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE); /* a CUresult is a cudaError_t */
}

/* Enqueues a kernel of lathe_sum_wgmma_tiles for so many tiles, or says why not. Its blocks stay on
 * their multiprocessors for all of them. */
template <typename Tile, typename... Params, typename... Args>
static inline int lathe_launch_wgmma(void (*kernel)(CUtensorMap, CUtensorMap, Params...),
                                     const lathe_matrices& by_row, const lathe_matrices& by_column,
                                     int64_t tiles, cudaStream_t stream, Args... args) {
  cudaFuncAttributes has = {};
  int status = (int)cudaFuncGetAttributes(&has, (const void*)kernel);
  if (status != LATHE_OK) {
    return status;
  }
  if (tiles <= 0 || has.binaryVersion != 90 || has.maxThreadsPerBlock < Tile::threads) {
    return LATHE_NOT_TAKEN;
  }
  constexpr int kBytes = (int)sizeof(typename Tile::element);
  CUtensorMap row_map, column_map;
  status = lathe_map_matrices(&row_map, by_row, kBytes, Tile::rows);
  if (status == LATHE_OK) {
    status = lathe_map_matrices(&column_map, by_column, kBytes, Tile::columns);
  }
  int device = 0, multiprocessors = 0;
  if (status == LATHE_OK) {
    status = (int)cudaGetDevice(&device);
  }
  if (status == LATHE_OK) {
    status = (int)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (status == LATHE_OK) {
    status = (int)cudaFuncSetAttribute(
        (const void*)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes);
  }
  if (status != LATHE_OK) {
    return status;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((unsigned)(tiles < multiprocessors ? tiles : multiprocessors), 1u, 1u);
  config.blockDim = dim3((unsigned)Tile::threads, 1u, 1u);
  config.dynamicSmemBytes = (size_t)Tile::shared_bytes;
  config.stream = stream;
  return (int)cudaLaunchKernelEx(&config, kernel, row_map, column_map, args...);
}

#endif /* LATHE_CUDA_MATRIX_MAPS_H */
