/* SPDX-License-Identifier: 0BSD */
/* cuda_hopper.h - Hopper's instructions: tensor memory accelerator (TMA) copies that arrive at
 * mbarriers (cuda_mbarriers.h), and warpgroup products (wgmma). PTX of sm_90a, for nvcc.
 * LATHE_HOPPER is not defined for other GPUs, where nothing in this file may be called. */
#ifndef LATHE_CUDA_HOPPER_H
#define LATHE_CUDA_HOPPER_H

#include <cuda.h> /* CUtensorMap */

#include "cuda_mbarriers.h"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define LATHE_HOPPER 1
#endif

/* Launch bounds of a kernel that exists on sm_90a only. On other GPUs the kernel is empty and
 * has a smaller limit of threads, by which the host recognizes it. */
#if defined(__CUDA_ARCH__) && !defined(LATHE_HOPPER)
#define LATHE_HOPPER_BOUNDS(threads) __launch_bounds__(32, 1)
#else
#define LATHE_HOPPER_BOUNDS(threads) __launch_bounds__(threads, 1)
#endif

/* The dynamic shared memory of a launch, aligned to 1024 bytes; the launch must request 1008
 * bytes more for the alignment. */
static __device__ inline char* lathe_block_memory(void) {
  extern __shared__ __align__(16) char lathe_block_bytes[];
  const uint32_t past = lathe_shared_address(lathe_block_bytes) % 1024u;
  return lathe_block_bytes + (past == 0u ? 0u : 1024u - past);
}

/* Copies a box of a tensor to shared memory. `at` is its first element, innermost axis first;
 * the tensor map defines the size of the box. Out-of-bounds elements are zero-filled; all bytes
 * of the box arrive at the barrier. */
template <int kAxes>
static __device__ inline void lathe_copy_part(void* shared, const CUtensorMap* map,
                                              const int32_t (&at)[kAxes], lathe_mbarrier* barrier) {
  static_assert(kAxes >= 2 && kAxes <= 4, "two axes, and up to two of a batch");
  const uint32_t to = lathe_shared_address(shared), then = lathe_shared_address(barrier);
  if constexpr (kAxes == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
        "l"(map), "r"(at[0]), "r"(at[1]), "r"(then)
        : "memory");
  } else if constexpr (kAxes == 3) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
        "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(then)
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
        "l"(map), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(then)
        : "memory");
  }
}

/* Sets the number of registers per thread of a warpgroup: releases registers, or takes those
 * that other warpgroups released. */
template <int kRegisters>
static __device__ inline void lathe_keep_registers(void) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
static __device__ inline void lathe_take_registers(void) {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

/* Asynchronous warpgroup products: fence, multiply, commit as a group, wait. The accumulators
 * must not be accessed before the wait. */
static __device__ inline void lathe_pin_accumulator(float& sum) {
  asm volatile("" : "+f"(sum)::"memory"); /* compiler barrier */
}
static __device__ inline void lathe_pin_accumulator(int32_t& sum) {
  asm volatile("" : "+r"(sum)::"memory");
}
template <typename T, int kCount>
static __device__ inline void lathe_begin_products(T (&sums)[kCount]) {
  LATHE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    lathe_pin_accumulator(sums[i]);
  }
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ inline void lathe_commit_products(void) {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/* Waits for all but the last kLeft groups. */
template <int kLeft>
static __device__ inline void lathe_wait_for_products(void) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}
/* Waits for all groups; the accumulators may be accessed again. */
template <typename T, int kCount>
static __device__ inline void lathe_end_products(T (&sums)[kCount]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  LATHE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    lathe_pin_accumulator(sums[i]);
  }
}

/* The operands of an instruction: "%0, %1, ..." and their constraints. */
#define LATHE_NAMES_32                                                                         \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LATHE_NAMES_64                                                                           \
  LATHE_NAMES_32                                                                                 \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define LATHE_NAMES_128                                                                          \
  LATHE_NAMES_64                                                                                 \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, " \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, "   \
  "%100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, "   \
  "%115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define LATHE_SUMS_8(kind, i)                                                                \
  kind(sums[i]), kind(sums[i + 1]), kind(sums[i + 2]), kind(sums[i + 3]), kind(sums[i + 4]), \
      kind(sums[i + 5]), kind(sums[i + 6]), kind(sums[i + 7])
#define LATHE_SUMS_32(kind, i)                                                  \
  LATHE_SUMS_8(kind, i), LATHE_SUMS_8(kind, i + 8), LATHE_SUMS_8(kind, i + 16), \
      LATHE_SUMS_8(kind, i + 24)
#define LATHE_SUMS_64(kind, i) LATHE_SUMS_32(kind, i), LATHE_SUMS_32(kind, i + 32)
#define LATHE_SUMS_128(kind, i) LATHE_SUMS_64(kind, i), LATHE_SUMS_64(kind, i + 64)

/* sums += a * b for 64 rows by 64, 128 or 256 columns, and 32 bytes of the depth. `a` and `b`
 * describe how a factor is stored in shared memory (lathe_matrix in cuda_wgmma_tiles.h); the
 * template arguments state whether it is stored by steps of the depth instead of by lines.
 * Thread t has the accumulators 4 * j to 4 * j + 3 of row t / 32 * 16 + t % 32 / 4 and of the
 * row 8 below, in columns 8 * j + t % 4 * 2 and the next one (PTX ISA, "Register Fragments for
 * wgmma.mma_async.m64nNk16"). */
#define LATHE_ADD_FLOATS(dtype, columns, count, a_name, b_name, a_order, b_order)               \
  template <int kRowsByDepth, int kColumnsByDepth>                                              \
  static __device__ void add(float(&sums)[count], uint64_t a, uint64_t b) {                     \
    asm volatile(                                                                               \
        "{\n"                                                                                   \
        ".reg .pred adds;\n"                                                                    \
        "setp.ne.b32 adds, 1, 0;\n"                                                             \
        "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32." dtype "." dtype                 \
        " {" LATHE_NAMES_##count "}, " a_name ", " b_name ", adds, 1, 1, " a_order ", " b_order \
                                 ";\n}"                                                         \
        : LATHE_SUMS_##count("+f", 0)                                                           \
        : "l"(a), "l"(b), "n"(kRowsByDepth), "n"(kColumnsByDepth));                             \
  }
#define LATHE_FLOAT_PRODUCTS(dtype)                            \
  using element = uint16_t;                                    \
  using sum = float;                                           \
  LATHE_ADD_FLOATS(dtype, 64, 32, "%32", "%33", "%34", "%35")  \
  LATHE_ADD_FLOATS(dtype, 128, 64, "%64", "%65", "%66", "%67") \
  LATHE_ADD_FLOATS(dtype, 256, 128, "%128", "%129", "%130", "%131")

struct lathe_f16_products {
  LATHE_FLOAT_PRODUCTS("f16")
};
struct lathe_bf16_products {
  LATHE_FLOAT_PRODUCTS("bf16")
};

/* 8-bit factors must be stored by lines. */
#define LATHE_ADD_BYTES(columns, count, a_name, b_name)                                    \
  template <int kRowsByDepth, int kColumnsByDepth>                                         \
  static __device__ void add(int32_t(&sums)[count], uint64_t a, uint64_t b) {              \
    static_assert(kRowsByDepth == 0 && kColumnsByDepth == 0, "bytes lie by lines");        \
    asm volatile(                                                                          \
        "{\n"                                                                              \
        ".reg .pred adds;\n"                                                               \
        "setp.ne.b32 adds, 1, 0;\n"                                                        \
        "wgmma.mma_async.sync.aligned.m64n" #columns "k32.s32.s8.s8 {" LATHE_NAMES_##count \
        "}, " a_name ", " b_name ", adds;\n}"                                              \
        : LATHE_SUMS_##count("+r", 0)                                                      \
        : "l"(a), "l"(b));                                                                 \
  }
struct lathe_s8_products {
  using element = int8_t;
  using sum = int32_t;
  LATHE_ADD_BYTES(64, 32, "%32", "%33")
  LATHE_ADD_BYTES(128, 64, "%64", "%65")
  LATHE_ADD_BYTES(256, 128, "%128", "%129")
};

#endif /* LATHE_CUDA_HOPPER_H */
