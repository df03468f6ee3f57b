// Compiles with nvcc every form of mma and stmatrix that programs may use and no other test does,
// each for the GPUs that have it.
#include "lathe/cuda_mma_forms.h"

#define LATHE_FORM(name)                                                                        \
  __global__ void name(void* d, const void* a, const void* b, const void* c) {                  \
    lathe_mma_##name(d, a, b, c);                                                               \
  }
#define LATHE_PAIRS(shape, x, y)                                                                \
  LATHE_FORM(shape##_##x##_##x) LATHE_FORM(shape##_##x##_##y) LATHE_FORM(shape##_##y##_##x)     \
  LATHE_FORM(shape##_##y##_##y)
#define LATHE_BITS(shape) LATHE_FORM(shape##_s32_b1_b1_xor) LATHE_FORM(shape##_s32_b1_b1_and)
LATHE_PAIRS(m8n8k16_s32, s8, u8)
LATHE_PAIRS(m16n8k16_s32, s8, u8)
LATHE_PAIRS(m16n8k32_s32, s8, u8)
LATHE_PAIRS(m8n8k32_s32, s4, u4)
LATHE_PAIRS(m16n8k32_s32, s4, u4)
LATHE_PAIRS(m16n8k64_s32, s4, u4)
LATHE_BITS(m8n8k128)
LATHE_BITS(m16n8k128)
LATHE_BITS(m16n8k256)
#if __CUDA_ARCH__ >= 890
LATHE_PAIRS(m16n8k32_f32, e4m3, e5m2)
#endif
#if __CUDA_ARCH__ >= 900
#define LATHE_STORED(count)                                                                     \
  __global__ void stored_##count(uint32_t* to, const uint32_t* from) {                          \
    __shared__ __align__(16) uint32_t tile[128];                                                \
    lathe_store_matrices_x##count(&tile[threadIdx.x * 4], from);                                \
    lathe_store_matrices_x##count##_trans(&tile[threadIdx.x * 4], from);                        \
    __syncthreads();                                                                            \
    to[threadIdx.x] = tile[threadIdx.x];                                                        \
  }
LATHE_STORED(1)
LATHE_STORED(2)
LATHE_STORED(4)
#endif
