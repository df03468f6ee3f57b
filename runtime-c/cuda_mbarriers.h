/* SPDX-License-Identifier: 0BSD */
/* cuda_mbarriers.h - barriers in shared memory that count who arrives and bytes that copies bring,
 * and copies of runs of bytes that arrive there. PTX of sm_80 and later GPUs, and of sm_90 and
 * later where bytes are counted or copied; in C++ for nvcc. */
#ifndef LATHE_CUDA_MBARRIERS_H
#define LATHE_CUDA_MBARRIERS_H

#include "cuda_mma.h"

/* A barrier is 8 bytes of shared memory. A phase of it ends once so many have arrived as it was
 * begun with, and all bytes have that were expected; phases count 0, 1, 0, ... */
struct lathe_mbarrier {
  uint64_t state;
};
static __device__ inline void lathe_mbarrier_begin(void* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(lathe_shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}
/* Behind those that a thread has begun: copies see them. Before sm_90 there are none that do. */
static __device__ inline void lathe_mbarriers_are_begun(void) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  asm volatile(
      "fence.mbarrier_init.release.cluster;\n"
      "fence.proxy.async.shared::cta;" ::
          : "memory");
#endif
}
static __device__ inline void lathe_arrive(void* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(lathe_shared_address(barrier))
               : "memory");
}
/* As so many. */
static __device__ inline void lathe_arrive(void* barrier, int count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(lathe_shared_address(barrier)),
               "r"(count)
               : "memory");
}
/* Arrives, and so many bytes are expected in this phase. */
static __device__ inline void lathe_arrive_expecting(void* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(lathe_shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
/* Arrives once the copies that this thread has begun (cp.async) are there: as one more than the
 * barrier counts, or as one of those. */
static __device__ inline void lathe_arrive_with_copies(void* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(lathe_shared_address(barrier))
               : "memory");
}
static __device__ inline void lathe_arrive_after_copies(void* barrier) {
  asm volatile(
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(lathe_shared_address(barrier))
      : "memory");
}
/* Whether the last phase of that parity has ended, 1 or 0; that of 1 before the first has. From
 * sm_90 on the GPU may wait a little for it. */
static __device__ inline uint32_t lathe_phase_has_ended(void* barrier, uint32_t parity) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define LATHE_ASK_FOR_PHASE "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
#else
#define LATHE_ASK_FOR_PHASE "mbarrier.test_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
#endif
  uint32_t ended = 0u;
  asm volatile(
      "{\n"
      ".reg .pred ended;\n" LATHE_ASK_FOR_PHASE
      "selp.u32 %0, 1, 0, ended;\n"
      "}"
      : "=r"(ended)
      : "r"(lathe_shared_address(barrier)), "r"(parity)
      : "memory");
#undef LATHE_ASK_FOR_PHASE
  return ended;
}
/* Until it has. */
static __device__ inline void lathe_wait_for_phase(void* barrier, uint32_t parity) {
  while (lathe_phase_has_ended(barrier, parity) == 0u) {
  }
}

/* So many bytes to shared memory, which arrive at the barrier: all are multiples of 16. */
static __device__ inline void lathe_copy_bytes(void* shared, const void* global, int bytes,
                                               void* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(lathe_shared_address(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(lathe_shared_address(barrier))
      : "memory");
}
/* What threads have written is there for copies that are begun behind this. */
static __device__ inline void lathe_fence_copies(void) {
  asm volatile("fence.proxy.async;" ::: "memory");
}
/* So many bytes from shared memory; those that a thread has begun become a group. */
static __device__ inline void lathe_store_bytes(void* global, const void* shared, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(global)),
               "r"(lathe_shared_address(shared)), "r"(bytes)
               : "memory");
}
static __device__ inline void lathe_commit_stores(void) {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/* For this thread's groups but the last kLeft: until they are there, or until all is read. */
template <int kLeft, bool kToRead>
static __device__ inline void lathe_wait_for_stores(void) {
  if constexpr (kToRead) {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLeft) : "memory");
  } else {
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kLeft) : "memory");
  }
}

#endif /* LATHE_CUDA_MBARRIERS_H */
