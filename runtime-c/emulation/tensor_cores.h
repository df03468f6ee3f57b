// Implements lathe/cuda_mma.h in C++ in place of PTX, with PTX's layouts of fragments.
// tensor_cores.cc contains the functions.
#ifndef LATHE_EMULATION_TENSOR_CORES_H_
#define LATHE_EMULATION_TENSOR_CORES_H_

#define LATHE_CUDA_MMA_H  // the original header becomes empty

#include <stdint.h>

#include <array>

namespace lathe_emulation {

enum class Cores { kF16, kBF16, kS8, kTF32 };

// Starts a copy of `size` bytes, of which `bytes` are read. The destination must not be accessed
// before a wait for it.
void CopyAsync(void* shared, const void* global, int size, int bytes);
void CommitCopies();
void WaitForCopies(int left);
// The copies of this thread arrive at an mbarrier when they are complete.
void ArriveAfterCopies(const void* barrier, bool counted);

// Rounds a float to a 16-bit float.
uint16_t Narrowed(Cores cores, float value);
// Rounds a float32 to a fraction of 10 bits, and returns its bits.
uint32_t RoundedToTF32(uint32_t bits);

void LoadMatrices(uint32_t* to, const void* row, unsigned count, bool transposed);
void StoreMatrices(void* row, const uint32_t* from, unsigned count, bool transposed);

constexpr unsigned kLanes = 32;
// Returns the values of all lanes of the warp; all of them have to call it.
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

#endif  // LATHE_EMULATION_TENSOR_CORES_H_
