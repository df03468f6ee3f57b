// Implements lathe/cuda_hopper.h in C++ in place of PTX. mbarriers.cc, tensor_maps.cc and
// warpgroups.cc contain the functions.
#ifndef LATHE_EMULATION_HOPPER_H_
#define LATHE_EMULATION_HOPPER_H_

#define LATHE_CUDA_HOPPER_H  // the original header becomes empty
#define LATHE_CUDA_MBARRIERS_H
#define LATHE_HOPPER 1
#define LATHE_HOPPER_BOUNDS(threads)

#include "cuda.h"
#include "tensor_cores.h"

struct lathe_mbarrier {
  uint64_t state;
};

namespace lathe_emulation {

// Addresses of shared memory in instructions, relative to the dynamic shared memory of the launch.
uint32_t SharedAddress(const void* at);
// The dynamic shared memory, aligned to 16 but deliberately not to 1024.
char* BlockMemory();

void BeginMbarrier(void* barrier, int arrivals);
void MbarriersAreBegun();
void Arrive(void* barrier, int bytes, int count);
// Returns 1 if the phase has ended; `waits`: waits until it has.
uint32_t TestPhase(void* barrier, uint32_t parity, bool waits);
// Copies runs of bytes to and from shared memory.
void CopyBytes(void* shared, const void* global, int bytes, const void* barrier);
void StoreBytes(void* global, const void* shared, int bytes);
void CommitStores();
void WaitForStores(int left, bool to_read);

void CopyPart(void* shared, const CUtensorMap* map, const int32_t* at, int axes,
              lathe_mbarrier* barrier);

void ChangeRegisters(int registers, bool takes);
void BeginProducts();
// Products of a warpgroup: 64 rows by `columns`. `sums` are this thread's accumulators of 4 bytes.
void AddGroupProducts(Cores cores, void* sums, int columns, uint64_t a, uint64_t b, bool a_by_depth,
                      bool b_by_depth);
void CommitProducts();
void WaitForProducts(int left);

}  // namespace lathe_emulation

static inline uint32_t lathe_shared_address(const void* shared) {
  return lathe_emulation::SharedAddress(shared);
}
static inline char* lathe_block_memory() {
  char* const memory = lathe_emulation::BlockMemory();
  const uint32_t past = lathe_shared_address(memory) % 1024u;
  return memory + (past == 0u ? 0u : 1024u - past);
}

static inline void lathe_mbarrier_begin(void* barrier, int arrivals) {
  lathe_emulation::BeginMbarrier(barrier, arrivals);
}
static inline void lathe_mbarriers_are_begun() { lathe_emulation::MbarriersAreBegun(); }
static inline void lathe_arrive(void* barrier, int count = 1) {
  lathe_emulation::Arrive(barrier, 0, count);
}
static inline void lathe_arrive_expecting(void* barrier, int bytes) {
  lathe_emulation::Arrive(barrier, bytes, 1);
}
static inline void lathe_arrive_with_copies(void* barrier) {
  lathe_emulation::ArriveAfterCopies(barrier, false);
}
static inline void lathe_arrive_after_copies(void* barrier) {
  lathe_emulation::ArriveAfterCopies(barrier, true);
}
static inline void lathe_wait_for_phase(void* barrier, uint32_t parity) {
  (void)lathe_emulation::TestPhase(barrier, parity, true);
}
static inline uint32_t lathe_phase_has_ended(void* barrier, uint32_t parity) {
  return lathe_emulation::TestPhase(barrier, parity, false);
}
static inline void lathe_copy_bytes(void* shared, const void* global, int bytes, void* barrier) {
  lathe_emulation::CopyBytes(shared, global, bytes, barrier);
}
static inline void lathe_fence_copies() { lathe_emulation::MbarriersAreBegun(); }
static inline void lathe_store_bytes(void* global, const void* shared, int bytes) {
  lathe_emulation::StoreBytes(global, shared, bytes);
}
static inline void lathe_commit_stores() { lathe_emulation::CommitStores(); }
template <int kLeft, bool kToRead>
static inline void lathe_wait_for_stores() {
  lathe_emulation::WaitForStores(kLeft, kToRead);
}

template <int kAxes>
static inline void lathe_copy_part(void* shared, const CUtensorMap* map, const int32_t (&at)[kAxes],
                                   lathe_mbarrier* barrier) {
  lathe_emulation::CopyPart(shared, map, at, kAxes, barrier);
}

template <int kRegisters>
static inline void lathe_keep_registers() {
  lathe_emulation::ChangeRegisters(kRegisters, false);
}
template <int kRegisters>
static inline void lathe_take_registers() {
  lathe_emulation::ChangeRegisters(kRegisters, true);
}

template <typename T, int kCount>
static inline void lathe_begin_products(T (&)[kCount]) {
  lathe_emulation::BeginProducts();
}
static inline void lathe_commit_products() { lathe_emulation::CommitProducts(); }
template <int kLeft>
static inline void lathe_wait_for_products() {
  lathe_emulation::WaitForProducts(kLeft);
}
template <typename T, int kCount>
static inline void lathe_end_products(T (&)[kCount]) {
  lathe_emulation::WaitForProducts(0);
}

template <lathe_emulation::Cores kCores, typename T, typename Sum>
struct lathe_emulated_products {
  using element = T;
  using sum = Sum;
  template <int kRowsByDepth, int kColumnsByDepth, int kCount>
  static void add(Sum (&sums)[kCount], uint64_t a, uint64_t b) {
    static_assert(kCount == 32 || kCount == 64 || kCount == 128, "64, 128 or 256 columns");
    static_assert(sizeof(T) == 2 || (kRowsByDepth == 0 && kColumnsByDepth == 0),
                  "bytes lie by lines");
    lathe_emulation::AddGroupProducts(kCores, sums, kCount * 2, a, b, kRowsByDepth != 0,
                                      kColumnsByDepth != 0);
  }
};
using lathe_f16_products = lathe_emulated_products<lathe_emulation::Cores::kF16, uint16_t, float>;
using lathe_bf16_products = lathe_emulated_products<lathe_emulation::Cores::kBF16, uint16_t, float>;
using lathe_s8_products = lathe_emulated_products<lathe_emulation::Cores::kS8, int8_t, int32_t>;

#endif  // LATHE_EMULATION_HOPPER_H_
