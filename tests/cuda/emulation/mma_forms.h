// The functions of lathe/cuda_mma_forms.h in C++, which take the place of those in PTX: each
// element of a factor is sought among the lanes by where PTX says that it is.
#ifndef LATHE_TESTS_CUDA_EMULATION_MMA_FORMS_H_
#define LATHE_TESTS_CUDA_EMULATION_MMA_FORMS_H_

#define LATHE_CUDA_MMA_FORMS_H  // which is then empty

#include <string.h>

#include <type_traits>

#include "tensor_cores.h"

namespace lathe_emulation {

// What an element of a factor is, by the bits that a lane holds of it.
struct F16 {
  using Bits = uint16_t;
  static double value(uint16_t bits) { return FromF16(bits); }
};
struct BF16 {
  using Bits = uint16_t;
  static double value(uint16_t bits) { return FromBF16(bits); }
};
struct TF32 {
  using Bits = uint32_t;
  static double value(uint32_t bits) {
    const uint32_t seen = bits & 0xffffe000u;  // 10 bits behind the point
    float value = 0;
    memcpy(&value, &seen, sizeof value);
    return value;
  }
};
struct F64 {
  using Bits = uint64_t;
  static double value(uint64_t bits) {
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
};
struct S8 {
  using Bits = uint8_t;
  static int64_t value(uint8_t bits) { return (int8_t)bits; }
};
struct U8 {
  using Bits = uint8_t;
  static int64_t value(uint8_t bits) { return bits; }
};

// Sums as they lie in memory.
inline uint16_t Rounded(uint16_t before, double products) {
  return ToF16((float)(FromF16(before) + products));
}
inline float Rounded(float before, double products) { return (float)(before + products); }
inline double Rounded(double before, double products) { return before + products; }
inline int32_t Rounded(int32_t before, int64_t products) {
  return (int32_t)(uint32_t)((uint64_t)before + (uint64_t)products);
}

template <int kM, int kN, int kK, typename A, typename B, typename Sum>
void Multiply(void* d, const void* a, const void* b, const void* c) {
  using ABits = typename A::Bits;
  using BBits = typename B::Bits;
  constexpr int kOfA = kM * kK / 32, kOfB = kK * kN / 32;  // elements of a lane
  static_assert(kOfA * sizeof(ABits) + kOfB * sizeof(BBits) <= sizeof(Held), "they fit");
  Held own;
  memcpy(own.words, a, kOfA * sizeof(ABits));
  memcpy((char*)own.words + kOfA * sizeof(ABits), b, kOfB * sizeof(BBits));
  const auto all = Together(own);
  // For each lane, PTX says of each of its elements which one it is.
  double real[kM * kN] = {};
  int64_t whole[kM * kN] = {};
  ABits left[kM][kK] = {};
  BBits right[kK][kN] = {};
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, in_group = lane & 3;
    constexpr int kEach = sizeof(ABits) >= 4 ? 1 : 4 / (int)sizeof(ABits);
    for (int i = 0; i < kOfA; ++i) {
      const int word = i / kEach;
      const int row = kM == 8 ? group : group + (word & 1) * 8;
      const int k = in_group * kEach + i % kEach + (kM == 8 ? word : word >> 1) * kEach * 4;
      memcpy(&left[row][k], (const char*)all[(size_t)lane].words + (size_t)i * sizeof(ABits),
             sizeof(ABits));
    }
    for (int i = 0; i < kOfB; ++i) {
      const int k = in_group * kEach + i % kEach + i / kEach * kEach * 4;
      memcpy(
          &right[k][group],
          (const char*)all[(size_t)lane].words + kOfA * sizeof(ABits) + (size_t)i * sizeof(BBits),
          sizeof(BBits));
    }
  }
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kN; ++column) {
      for (int k = 0; k < kK; ++k) {
        const auto product = A::value(left[row][k]) * B::value(right[k][column]);
        real[row * kN + column] += (double)product;
        whole[row * kN + column] += (int64_t)product;
      }
    }
  }
  const int group = (int)Lane() >> 2, in_group = (int)Lane() & 3;
  for (int i = 0; i < kM * kN / 32; ++i) {
    const int at = (group + i / 2 * 8) * kN + in_group * 2 + i % 2;
    Sum sum = 0;
    memcpy(&sum, (const char*)c + (size_t)i * sizeof(Sum), sizeof(Sum));
    if constexpr (std::is_same_v<Sum, int32_t>) {
      sum = Rounded(sum, whole[at]);
    } else {
      sum = Rounded(sum, real[at]);
    }
    memcpy((char*)d + (size_t)i * sizeof(Sum), &sum, sizeof(Sum));
  }
}

template <unsigned kCount, bool kTransposed>
void LoadWords(void* to, const void* row) {
  uint32_t words[kCount];
  LoadMatrices(words, row, kCount, kTransposed);
  memcpy(to, words, sizeof words);
}

}  // namespace lathe_emulation

#define LATHE_MMA(name, m, n, k, A, B, Sum)                                                   \
  static inline void lathe_mma_##name(void* d, const void* a, const void* b, const void* c) { \
    using namespace lathe_emulation;                                                          \
    Multiply<m, n, k, A, B, Sum>(d, a, b, c);                                                 \
  }
#define LATHE_MMA_BYTES(shape, m, n, k)                  \
  LATHE_MMA(shape##_s32_s8_s8, m, n, k, S8, S8, int32_t) \
  LATHE_MMA(shape##_s32_s8_u8, m, n, k, S8, U8, int32_t) \
  LATHE_MMA(shape##_s32_u8_s8, m, n, k, U8, S8, int32_t) \
  LATHE_MMA(shape##_s32_u8_u8, m, n, k, U8, U8, int32_t)
LATHE_MMA(m16n8k8_f32_f16_f16, 16, 8, 8, F16, F16, float)
LATHE_MMA(m16n8k16_f32_f16_f16, 16, 8, 16, F16, F16, float)
LATHE_MMA(m16n8k8_f16_f16_f16, 16, 8, 8, F16, F16, uint16_t)
LATHE_MMA(m16n8k16_f16_f16_f16, 16, 8, 16, F16, F16, uint16_t)
LATHE_MMA(m16n8k8_f32_bf16_bf16, 16, 8, 8, BF16, BF16, float)
LATHE_MMA(m16n8k16_f32_bf16_bf16, 16, 8, 16, BF16, BF16, float)
LATHE_MMA(m16n8k4_f32_tf32_tf32, 16, 8, 4, TF32, TF32, float)
LATHE_MMA(m16n8k8_f32_tf32_tf32, 16, 8, 8, TF32, TF32, float)
LATHE_MMA(m8n8k4_f64_f64_f64, 8, 8, 4, F64, F64, double)
LATHE_MMA_BYTES(m8n8k16, 8, 8, 16)
LATHE_MMA_BYTES(m16n8k16, 16, 8, 16)
LATHE_MMA_BYTES(m16n8k32, 16, 8, 32)
#undef LATHE_MMA_BYTES
#undef LATHE_MMA

#define LATHE_LOAD_MATRICES(count, suffix, transposed)                                 \
  static inline void lathe_load_matrices_x##count##suffix(void* to, const void* row) { \
    lathe_emulation::LoadWords<count, transposed>(to, row);                            \
  }
LATHE_LOAD_MATRICES(1, , false)
LATHE_LOAD_MATRICES(2, , false)
LATHE_LOAD_MATRICES(4, , false)
LATHE_LOAD_MATRICES(1, _trans, true)
LATHE_LOAD_MATRICES(2, _trans, true)
LATHE_LOAD_MATRICES(4, _trans, true)
#undef LATHE_LOAD_MATRICES

#endif  // LATHE_TESTS_CUDA_EMULATION_MMA_FORMS_H_
