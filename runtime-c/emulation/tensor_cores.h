// The functions of lathe/cuda_mma.h in C++, which take the place of those in PTX: what each lane of
// a warp holds is as PTX says. tensor_cores.cc has what is behind them.
#ifndef LATHE_TESTS_CUDA_EMULATION_TENSOR_CORES_H_
#define LATHE_TESTS_CUDA_EMULATION_TENSOR_CORES_H_

#define LATHE_CUDA_MMA_H  // which is then empty

#include <stdint.h>

#include <array>

namespace lathe_emulation {

enum class Cores { kF16, kBF16, kS8, kTF32 };

// A copy of `size` bytes, of which `bytes` are read, begins: they are nobody's to touch until it
// was waited for.
void CopyAsync(void* shared, const void* global, int size, int bytes);
void CommitCopies();
void WaitForCopies(int left);
// The copies that this thread has begun arrive at an mbarrier once they are there.
void ArriveAfterCopies(const void* barrier, bool counted);

// The float as one of 16 bits, the nearest.
uint16_t Narrowed(Cores cores, float value);
// The bits of a float32 with 10 bits of fraction, the nearest.
uint32_t RoundedToTF32(uint32_t bits);

void LoadMatrices(uint32_t* to, const void* row, unsigned count, bool transposed);
void StoreMatrices(void* row, const uint32_t* from, unsigned count, bool transposed);

constexpr unsigned kLanes = 32;
// What each lane of the warp gave; all of them have to come here.
struct Held {
  uint32_t words[6] = {};
};
std::array<Held, kLanes> Together(const Held& own);

float FromF16(uint32_t bits);
float FromBF16(uint32_t bits);
uint16_t ToF16(float value);

// `sums` are four floats, or four integers.
void AddProducts(Cores cores, void* sums, const uint32_t* a, const uint32_t* b);

}  // namespace lathe_emulation

static inline float lathe_exp2(float x) { return exp2f(x); }
static inline void lathe_copy_async(void* shared, const void* global, int bytes) {
  lathe_emulation::CopyAsync(shared, global, 16, bytes);
}
static inline void lathe_copy_async_4(void* shared, const void* global, int bytes) {
  lathe_emulation::CopyAsync(shared, global, 4, bytes);
}
static inline void lathe_copy_async_8(void* shared, const void* global, int bytes) {
  lathe_emulation::CopyAsync(shared, global, 8, bytes);
}
static inline void lathe_commit_copies() { lathe_emulation::CommitCopies(); }
template <int kLeft>
static inline void lathe_wait_for_copies() {
  lathe_emulation::WaitForCopies(kLeft);
}

static inline void lathe_load_matrices(uint32_t (&to)[4], const void* row) {
  lathe_emulation::LoadMatrices(to, row, 4, false);
}
static inline void lathe_load_transposed(uint32_t (&to)[4], const void* row) {
  lathe_emulation::LoadMatrices(to, row, 4, true);
}

template <lathe_emulation::Cores kCores, typename T, typename Sum>
struct lathe_emulated_cores {
  using element = T;
  using sum = Sum;
  static uint32_t pair(float first, float second) {
    return lathe_emulation::Narrowed(kCores, first) |
           (uint32_t)lathe_emulation::Narrowed(kCores, second) << 16;
  }
  template <int kWords>
  static void round(uint32_t (&words)[kWords]) {
    for (uint32_t& word : words) {
      if (kCores == lathe_emulation::Cores::kTF32) word = lathe_emulation::RoundedToTF32(word);
    }
  }
  static void add(Sum (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    lathe_emulation::AddProducts(kCores, sums, a, b);
  }
};
using lathe_f16_cores = lathe_emulated_cores<lathe_emulation::Cores::kF16, uint16_t, float>;
using lathe_bf16_cores = lathe_emulated_cores<lathe_emulation::Cores::kBF16, uint16_t, float>;
using lathe_s8_cores = lathe_emulated_cores<lathe_emulation::Cores::kS8, int8_t, int32_t>;
using lathe_tf32_cores = lathe_emulated_cores<lathe_emulation::Cores::kTF32, float, float>;

#endif  // LATHE_TESTS_CUDA_EMULATION_TENSOR_CORES_H_
