/* SPDX-License-Identifier: 0BSD */
/* cuda_mma.h - tensor core instructions and asynchronous copies to shared memory (cp.async): PTX
 * of sm_80 and later GPUs, for nvcc. */
#ifndef LATHE_CUDA_MMA_H
#define LATHE_CUDA_MMA_H

#include "cuda_device.h"

static __device__ inline uint32_t lathe_shared_address(const void* shared) {
  return (uint32_t)__cvta_generic_to_shared(shared);
}

/* Copies 16 bytes from `global`, which is aligned to 16, but reads only the first `bytes`; the
 * rest is zero-filled. They are available after a wait for the group that they are committed
 * with. */
static __device__ inline void lathe_copy_async(void* shared, const void* global, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(lathe_shared_address(shared)),
               "l"(__cvta_generic_to_global(global)), "r"(bytes)
               : "memory");
}
/* The same for 4 and 8 bytes, without zero-filling. */
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
/* Waits for all but the last kLeft groups of this thread. */
template <int kLeft>
static __device__ inline void lathe_wait_for_copies(void) {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

/* Loads four matrices of 8 rows of 16 bytes. Lane 8 * i + r provides the address of row r of
 * matrix i. Each lane receives the four bytes lane % 4 of row lane / 4 of each matrix; if
 * transposed, the 16-bit elements lane / 4 of row lane % 4 * 2 and of the next one. */
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

/* 2^x with an error of at most two roundings; 0 if the result is subnormal. */
static __device__ inline float lathe_exp2(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

/* Products of tensor cores: 16 rows by 8 columns of sums, 32 bytes of the depth at a time.
 * Before that, `round` rounds operands to the type that the cores multiply. */
struct lathe_exact_cores {
  template <int kWords>
  static __device__ void round(uint32_t (&)[kWords]) {}
};
struct lathe_f16_cores : lathe_exact_cores {
  using element = uint16_t;
  using sum = float;
  /* Two adjacent products. */
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
  /* Two adjacent products. */
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
/* float32 with a fraction of 10 bits (TF32). Tensor cores truncate the other bits, so operands
 * are rounded to nearest first. */
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
