/* SPDX-License-Identifier: 0BSD */
/* cuda_matrix_maps.h - creates tensor maps of a product's factors for the tensor memory
 * accelerator, and enqueues the kernels that use them. For the host with the CUDA runtime, which
 * provides the driver's encoder. */
#ifndef LATHE_CUDA_MATRIX_MAPS_H
#define LATHE_CUDA_MATRIX_MAPS_H

#include <cuda.h> /* CUtensorMap */

#include "cuda_launch.h"

/* Nothing was enqueued, because the kernel does not exist for this GPU or the accelerator cannot
 * access the factors as they are stored; the caller uses another kernel. Never a status of a
 * model. */
#define LATHE_NOT_TAKEN (-1000)

/* A factor of a product in GPU memory. Its contiguous first axis is the depth or the lines; the
 * second axis is the other of both, followed by batch axes. */
enum lathe_side { LATHE_ALONG_DEPTH, LATHE_ALONG_LINES };
struct lathe_matrices {
  const void* first;
  lathe_side along;
  int axes;
  int64_t extents[4];
  int64_t strides[4]; /* in elements; 1 for the first axis */
};

/* Creates a map with boxes of 128 bytes along the first axis and, along the second, the lines or
 * steps of the depth that are copied at once. Chunks of 16 bytes are swizzled as wgmma expects
 * them. */
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
    /* The stride of an axis of length 1 is irrelevant. */
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
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE); /* CUresult and cudaError_t agree */
}

/* Enqueues a kernel of lathe_sum_wgmma_tiles for `tiles` tiles, or returns why it cannot. Its
 * persistent blocks process all tiles. */
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
