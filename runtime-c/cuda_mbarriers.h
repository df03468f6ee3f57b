/* SPDX-License-Identifier: 0BSD */
/* cuda_mbarriers.h - barriers in shared memory that count arrivals of threads and bytes of
 * copies (mbarriers), and bulk copies that arrive there. PTX of sm_80 and later GPUs; counting
 * and copying bytes needs sm_90. For nvcc. */
#ifndef LATHE_CUDA_MBARRIERS_H
#define LATHE_CUDA_MBARRIERS_H

#include "cuda_mma.h"

/* A barrier is 8 bytes of shared memory. A phase ends after the initial number of arrivals, when
 * all expected bytes have been copied. The phases alternate between parity 0 and 1. */
struct lathe_mbarrier {
  uint64_t state;
};
static __device__ inline void lathe_mbarrier_begin(void* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(lathe_shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}
/* Makes initialized barriers visible to bulk copies. A no-op before sm_90. */
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
/* Arrives `count` times. */
static __device__ inline void lathe_arrive(void* barrier, int count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(lathe_shared_address(barrier)),
               "r"(count)
               : "memory");
}
/* Arrives and adds `bytes` to those that this phase expects. */
static __device__ inline void lathe_arrive_expecting(void* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(lathe_shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
/* Arrives when the copies that this thread has issued (cp.async) are complete: as an additional
 * arrival, or as one of those that the barrier counts. */
static __device__ inline void lathe_arrive_with_copies(void* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(lathe_shared_address(barrier))
               : "memory");
}
static __device__ inline void lathe_arrive_after_copies(void* barrier) {
  asm volatile(
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(lathe_shared_address(barrier))
      : "memory");
}
/* Returns 1 if the last phase of that parity has ended, else 0. Parity 1 has ended before the
 * first phase. From sm_90 on the GPU may suspend the thread for a short time. */
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
/* Waits until the phase has ended. */
static __device__ inline void lathe_wait_for_phase(void* barrier, uint32_t parity) {
  while (lathe_phase_has_ended(barrier, parity) == 0u) {
  }
}

/* Copies `bytes` to shared memory, which arrive at the barrier. Addresses and size are multiples
 * of 16. */
static __device__ inline void lathe_copy_bytes(void* shared, const void* global, int bytes,
                                               void* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(lathe_shared_address(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(lathe_shared_address(barrier))
      : "memory");
}
/* Makes writes of this thread visible to bulk copies that are issued later. */
static __device__ inline void lathe_fence_copies(void) {
  asm volatile("fence.proxy.async;" ::: "memory");
}
/* Copies `bytes` from shared memory. Commits the copies of this thread as a group. */
static __device__ inline void lathe_store_bytes(void* global, const void* shared, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(global)),
               "r"(lathe_shared_address(shared)), "r"(bytes)
               : "memory");
}
static __device__ inline void lathe_commit_stores(void) {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/* Waits for all but the last kLeft groups of this thread: until they are complete, or until they
 * have been read. */
template <int kLeft, bool kToRead>
static __device__ inline void lathe_wait_for_stores(void) {
  if constexpr (kToRead) {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLeft) : "memory");
  } else {
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kLeft) : "memory");
  }
}

#endif /* LATHE_CUDA_MBARRIERS_H */
