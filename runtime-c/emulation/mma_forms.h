// Implements lathe/cuda_mma_forms.h in C++ in place of PTX: finds each element of a factor among
// the lanes by PTX's layouts.
#ifndef LATHE_EMULATION_MMA_FORMS_H_
#define LATHE_EMULATION_MMA_FORMS_H_

#define LATHE_CUDA_MMA_FORMS_H  // the original header becomes empty

#include <math.h>
#include <string.h>

#include <type_traits>

#include "tensor_cores.h"

namespace lathe_emulation {

// Decodes an element of a factor from the bits in a lane.
struct F16 {
  static constexpr int kBits = 16;
  static double value(uint64_t bits) { return FromF16((uint32_t)bits); }
};
struct BF16 {
  static constexpr int kBits = 16;
  static double value(uint64_t bits) { return FromBF16((uint32_t)bits); }
};
struct TF32 {
  static constexpr int kBits = 32;
  static double value(uint64_t bits) {
    const uint32_t seen = (uint32_t)bits & 0xffffe000u;  // a fraction of 10 bits
    float value = 0;
    memcpy(&value, &seen, sizeof value);
    return value;
  }
};
struct F64 {
  static constexpr int kBits = 64;
  static double value(uint64_t bits) {
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
};
struct S8 {
  static constexpr int kBits = 8;
  static int64_t value(uint64_t bits) { return (int8_t)bits; }
};
struct U8 {
  static constexpr int kBits = 8;
  static int64_t value(uint64_t bits) { return (int64_t)bits; }
};
struct S4 {
  static constexpr int kBits = 4;
  static int64_t value(uint64_t bits) { return (int64_t)bits - (bits >= 8 ? 16 : 0); }
};
struct U4 {
  static constexpr int kBits = 4;
  static int64_t value(uint64_t bits) { return (int64_t)bits; }
};
struct Bit {
  static constexpr int kBits = 1;
  static int64_t value(uint64_t bits) { return (int64_t)bits; }
};
// Decodes a float with a sign, an exponent and a fraction. In E4M3 only all ones are NaN; E5M2
// follows IEEE 754.
template <int kExponent, int kBias>
double FromFloat8(uint64_t bits) {
  constexpr int kFraction = 7 - kExponent;
  const int exponent = (int)(bits >> kFraction & ((1u << kExponent) - 1));
  const int fraction = (int)(bits & ((1u << kFraction) - 1));
  const double sign = (bits & 0x80u) != 0 ? -1 : 1;
  if (kExponent == 4 && (bits & 0x7fu) == 0x7fu) return NAN;
  if (kExponent == 5 && exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * ldexp(fraction, 1 - kBias - kFraction);
  return sign * ldexp((1 << kFraction) + fraction, exponent - kBias - kFraction);
}
struct E4M3 {
  static constexpr int kBits = 8;
  static double value(uint64_t bits) { return FromFloat8<4, 7>(bits); }
};
struct E5M2 {
  static constexpr int kBits = 8;
  static double value(uint64_t bits) { return FromFloat8<5, 15>(bits); }
};

// Combines a pair of elements.
struct Product {
  template <typename T, typename U>
  static auto of(T a, U b) {
    return a * b;
  }
};
struct Differ {
  static int64_t of(int64_t a, int64_t b) { return a ^ b; }
};
struct Both {
  static int64_t of(int64_t a, int64_t b) { return a & b; }
};

// Element `at` of packed elements.
inline uint64_t BitsAt(const void* memory, int bits, int at) {
  uint64_t value = 0;
  if (bits >= 8) {
    memcpy(&value, (const char*)memory + at * bits / 8, (size_t)bits / 8);
    return value;
  }
  const int byte = ((const uint8_t*)memory)[at * bits / 8];
  return (uint64_t)(byte >> (at * bits % 8) & ((1 << bits) - 1));
}

// Accumulators as they are stored in memory.
inline uint16_t Rounded(uint16_t before, double products) {
  return ToF16((float)(FromF16(before) + products));
}
inline float Rounded(float before, double products) { return (float)(before + products); }
inline double Rounded(double before, double products) { return before + products; }
inline int32_t Rounded(int32_t before, int64_t products) {
  return (int32_t)(uint32_t)((uint64_t)before + (uint64_t)products);
}

template <int kM, int kN, int kK, typename A, typename B, typename Sum, typename Pair = Product>
void Multiply(void* d, const void* a, const void* b, const void* c) {
  constexpr int kOfA = kM * kK / 32, kOfB = kK * kN / 32;  // elements per lane
  constexpr size_t kBytesOfA = kOfA * A::kBits / 8, kBytesOfB = kOfB * B::kBits / 8;
  static_assert(kBytesOfA + kBytesOfB <= sizeof(Held), "they fit");
  Held own;
  memcpy(own.words, a, kBytesOfA);
  memcpy((char*)own.words + kBytesOfA, b, kBytesOfB);
  const auto all = Together(own);
  // PTX defines for each lane which elements it holds.
  double real[kM * kN] = {};
  int64_t whole[kM * kN] = {};
  uint64_t left[kM][kK] = {};
  uint64_t right[kK][kN] = {};
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, in_group = lane & 3;
    constexpr int kEach = A::kBits >= 32 ? 1 : 32 / A::kBits;
    const char* const held = (const char*)all[(size_t)lane].words;
    for (int i = 0; i < kOfA; ++i) {
      const int word = i / kEach;
      const int row = kM == 8 ? group : group + (word & 1) * 8;
      const int k = in_group * kEach + i % kEach + (kM == 8 ? word : word >> 1) * kEach * 4;
      left[row][k] = BitsAt(held, A::kBits, i);
    }
    for (int i = 0; i < kOfB; ++i) {
      const int k = in_group * kEach + i % kEach + i / kEach * kEach * 4;
      right[k][group] = BitsAt(held + kBytesOfA, B::kBits, i);
    }
  }
  for (int row = 0; row < kM; ++row) {
    for (int column = 0; column < kN; ++column) {
      for (int k = 0; k < kK; ++k) {
        const auto product = Pair::of(A::value(left[row][k]), B::value(right[k][column]));
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
void StoreWords(void* row, const void* from) {
  uint32_t words[kCount];
  memcpy(words, from, sizeof words);
  StoreMatrices(row, words, kCount, kTransposed);
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
#define LATHE_MMA_NIBBLES(shape, m, n, k)                \
  LATHE_MMA(shape##_s32_s4_s4, m, n, k, S4, S4, int32_t) \
  LATHE_MMA(shape##_s32_s4_u4, m, n, k, S4, U4, int32_t) \
  LATHE_MMA(shape##_s32_u4_s4, m, n, k, U4, S4, int32_t) \
  LATHE_MMA(shape##_s32_u4_u4, m, n, k, U4, U4, int32_t)
LATHE_MMA_NIBBLES(m8n8k32, 8, 8, 32)
LATHE_MMA_NIBBLES(m16n8k32, 16, 8, 32)
LATHE_MMA_NIBBLES(m16n8k64, 16, 8, 64)
#define LATHE_MMA_BITS(shape, m, n, k)                                                        \
  static inline void lathe_mma_##shape##_s32_b1_b1_xor(void* d, const void* a, const void* b, \
                                                       const void* c) {                       \
    using namespace lathe_emulation;                                                          \
    Multiply<m, n, k, Bit, Bit, int32_t, Differ>(d, a, b, c);                                 \
  }                                                                                           \
  static inline void lathe_mma_##shape##_s32_b1_b1_and(void* d, const void* a, const void* b, \
                                                       const void* c) {                       \
    using namespace lathe_emulation;                                                          \
    Multiply<m, n, k, Bit, Bit, int32_t, Both>(d, a, b, c);                                   \
  }
LATHE_MMA_BITS(m8n8k128, 8, 8, 128)
LATHE_MMA_BITS(m16n8k128, 16, 8, 128)
LATHE_MMA_BITS(m16n8k256, 16, 8, 256)
LATHE_MMA(m16n8k32_f32_e4m3_e4m3, 16, 8, 32, E4M3, E4M3, float)
LATHE_MMA(m16n8k32_f32_e4m3_e5m2, 16, 8, 32, E4M3, E5M2, float)
LATHE_MMA(m16n8k32_f32_e5m2_e4m3, 16, 8, 32, E5M2, E4M3, float)
LATHE_MMA(m16n8k32_f32_e5m2_e5m2, 16, 8, 32, E5M2, E5M2, float)
#undef LATHE_MMA_BITS
#undef LATHE_MMA_NIBBLES
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

#define LATHE_STORE_MATRICES(count, suffix, transposed)                                   \
  static inline void lathe_store_matrices_x##count##suffix(void* row, const void* from) { \
    lathe_emulation::StoreWords<count, transposed>(row, from);                            \
  }
LATHE_STORE_MATRICES(1, , false)
LATHE_STORE_MATRICES(2, , false)
LATHE_STORE_MATRICES(4, , false)
LATHE_STORE_MATRICES(1, _trans, true)
LATHE_STORE_MATRICES(2, _trans, true)
LATHE_STORE_MATRICES(4, _trans, true)
#undef LATHE_STORE_MATRICES

#endif  // LATHE_EMULATION_MMA_FORMS_H_
