/* SPDX-License-Identifier: 0BSD */
/* cuda_mma.h - the instructions of tensor cores and of copies into shared memory that are under way
 * while a thread goes on: PTX of sm_80 and all later GPUs, in C++ for nvcc. */
#ifndef LATHE_CUDA_MMA_H
#define LATHE_CUDA_MMA_H

#include "cuda_device.h"

static __device__ inline uint32_t lathe_shared_address(const void* shared) {
  return (uint32_t)__cvta_generic_to_shared(shared);
}

/* 16 bytes from `global`, which is a multiple of 16, of which only the first `bytes` are read: the
 * others become 0. They are there once the group that they are committed with was waited for. */
static __device__ inline void lathe_copy_async(void* shared, const void* global, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(lathe_shared_address(shared)),
               "l"(__cvta_generic_to_global(global)), "r"(bytes)
               : "memory");
}
/* The same of 4 and of 8 bytes, and of as many. */
static __device__ inline void lathe_copy_async_4(void* shared, const void* global, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(lathe_shared_address(shared)),
               "l"(__cvta_generic_to_global(global)), "r"(bytes)
               : "memory");
}
static __device__ inline void lathe_copy_async_8(void* shared, const void* global, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(lathe_shared_address(shared)),
               "l"(__cvta_generic_to_global(global)), "r"(bytes)
               : "memory");
}
static __device__ inline void lathe_commit_copies(void) {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/* For this thread's groups but the last kLeft. */
template <int kLeft>
static __device__ inline void lathe_wait_for_copies(void) {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

/* Four matrices of 8 rows of 16 bytes: lane 8 * i + r says where row r of matrix i is. Each lane
 * gets of each the four bytes lane % 4 of row lane / 4; transposed, the elements of 16 bits lane /
 * 4 of rows lane % 4 * 2 and the one behind. */
static __device__ inline void lathe_load_matrices(uint32_t (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(lathe_shared_address(row))
               : "memory");
}
static __device__ inline void lathe_load_transposed(uint32_t (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(lathe_shared_address(row))
               : "memory");
}

/* 2 to the power of `x`, within two roundings; 0 where float has no normal number. */
static __device__ inline float lathe_exp2(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

/* What tensor cores multiply: 16 rows by 8 columns of sums, 32 bytes of each of them at a time.
 * Words of either factor are rounded to what they take before they are multiplied. */
struct lathe_exact_cores {
  template <int kWords>
  static __device__ void round(uint32_t (&)[kWords]) {}
};
struct lathe_f16_cores : lathe_exact_cores {
  using element = uint16_t;
  using sum = float;
  /* Two of them, side by side. */
  static __device__ uint32_t pair(float first, float second) {
    uint32_t both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
  }
  static __device__ void add(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct lathe_bf16_cores : lathe_exact_cores {
  using element = uint16_t;
  using sum = float;
  /* Two of them, side by side. */
  static __device__ uint32_t pair(float first, float second) {
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
  }
  static __device__ void add(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct lathe_s8_cores : lathe_exact_cores {
  using element = int8_t;
  using sum = int32_t;
  static __device__ void add(int32_t (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
/* Of float32, with 10 bits of fraction: cores leave out the others, so that they are rounded first,
 * to the nearest. */
struct lathe_tf32_cores {
  using element = float;
  using sum = float;
  template <int kWords>
  static __device__ void round(uint32_t (&words)[kWords]) {
    for (int i = 0; i < kWords; ++i) {
      asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(words[i]) : "f"(__uint_as_float(words[i])));
    }
  }
  static __device__ void add(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

#endif /* LATHE_CUDA_MMA_H */
