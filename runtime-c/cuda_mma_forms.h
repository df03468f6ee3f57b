/* SPDX-License-Identifier: 0BSD */
/* cuda_mma_forms.h - warp-level matrix instructions that a program calls directly: the forms of
 * mma.sync, and ldmatrix. PTX of sm_80 and later GPUs, for nvcc. A thread's fragment is local
 * memory, one register after the other. */
#ifndef LATHE_CUDA_MMA_FORMS_H
#define LATHE_CUDA_MMA_FORMS_H

#include <string.h>

#include "cuda_mma.h"

/* Register `at` of a fragment of any type. */
template <typename Word>
static __device__ inline Word lathe_word(const void* memory, int at) {
  Word word;
  memcpy(&word, (const char*)memory + (size_t)at * sizeof(Word), sizeof(Word));
  return word;
}
template <typename Word>
static __device__ inline void lathe_set_word(void* memory, int at, Word word) {
  memcpy((char*)memory + (size_t)at * sizeof(Word), &word, sizeof(Word));
}

/* The number of registers of d, a, b and c, and their constraints in PTX. */
#define LATHE_MMA_2_1_1 "{%0, %1}, {%2}, {%3}, {%4, %5};"
#define LATHE_MMA_2_2_1 "{%0, %1}, {%2, %3}, {%4}, {%5, %6};"
#define LATHE_MMA_2_4_2 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
#define LATHE_MMA_4_2_1 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
#define LATHE_MMA_4_4_2 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
#define LATHE_MMA_IN_1(memory, Word, held) held(lathe_word<Word>(memory, 0))
#define LATHE_MMA_IN_2(memory, Word, held) \
  LATHE_MMA_IN_1(memory, Word, held), held(lathe_word<Word>(memory, 1))
#define LATHE_MMA_IN_4(memory, Word, held)                               \
  LATHE_MMA_IN_2(memory, Word, held), held(lathe_word<Word>(memory, 2)), \
      held(lathe_word<Word>(memory, 3))
#define LATHE_MMA_OUT_2(held) "=" held(sum[0]), "=" held(sum[1])
#define LATHE_MMA_OUT_4(held) LATHE_MMA_OUT_2(held), "=" held(sum[2]), "=" held(sum[3])

/* lathe_mma_..(d, a, b, c) computes d = a * b + c, by all lanes of a warp. */
#define LATHE_MMA(name, ptx, Sum, of_sum, sums, Word, of_word, as, bs)                  \
  static __device__ inline void lathe_mma_##name(void* d, const void* a, const void* b, \
                                                 const void* c) {                       \
    Sum sum[sums];                                                                      \
    asm("mma.sync.aligned." ptx " " LATHE_MMA_##sums##_##as##_##bs                      \
        : LATHE_MMA_OUT_##sums(of_sum)                                                  \
        : LATHE_MMA_IN_##as(a, Word, of_word), LATHE_MMA_IN_##bs(b, Word, of_word),     \
          LATHE_MMA_IN_##sums(c, Sum, of_sum));                                         \
    LATHE_UNROLL                                                                        \
    for (int i = 0; i < sums; ++i) {                                                    \
      lathe_set_word(d, i, sum[i]);                                                     \
    }                                                                                   \
  }
#define LATHE_MMA_F32(shape, type, as, bs)                                                     \
  LATHE_MMA(shape##_f32_##type##_##type, #shape ".row.col.f32." #type "." #type ".f32", float, \
            "f", 4, uint32_t, "r", as, bs)
#define LATHE_MMA_F16(shape, as, bs)                                                            \
  LATHE_MMA(shape##_f16_f16_f16, #shape ".row.col.f16.f16.f16.f16", uint32_t, "r", 2, uint32_t, \
            "r", as, bs)
#define LATHE_MMA_S32(shape, a_type, b_type, sums, as, bs)                                      \
  LATHE_MMA(shape##_s32_##a_type##_##b_type, #shape ".row.col.s32." #a_type "." #b_type ".s32", \
            int32_t, "r", sums, uint32_t, "r", as, bs)
#define LATHE_MMA_BYTES(shape, sums, as, bs) \
  LATHE_MMA_S32(shape, s8, s8, sums, as, bs) \
  LATHE_MMA_S32(shape, s8, u8, sums, as, bs) \
  LATHE_MMA_S32(shape, u8, s8, sums, as, bs) \
  LATHE_MMA_S32(shape, u8, u8, sums, as, bs)

#define LATHE_MMA_NIBBLES(shape, sums, as, bs) \
  LATHE_MMA_S32(shape, s4, s4, sums, as, bs)   \
  LATHE_MMA_S32(shape, s4, u4, sums, as, bs)   \
  LATHE_MMA_S32(shape, u4, s4, sums, as, bs)   \
  LATHE_MMA_S32(shape, u4, u4, sums, as, bs)
/* 1-bit products: the population count of a combined with b. */
#define LATHE_MMA_BITS(shape, op, sums, as, bs)                                                 \
  LATHE_MMA(shape##_s32_b1_b1_##op, #shape ".row.col.s32.b1.b1.s32." #op ".popc", int32_t, "r", \
            sums, uint32_t, "r", as, bs)
/* From sm_89 on. */
#define LATHE_MMA_FLOAT8(shape, a_type, b_type)                                                 \
  LATHE_MMA(shape##_f32_##a_type##_##b_type, #shape ".row.col.f32." #a_type "." #b_type ".f32", \
            float, "f", 4, uint32_t, "r", 4, 2)

LATHE_MMA_F32(m16n8k8, f16, 2, 1)
LATHE_MMA_F32(m16n8k16, f16, 4, 2)
LATHE_MMA_F32(m16n8k8, bf16, 2, 1)
LATHE_MMA_F32(m16n8k16, bf16, 4, 2)
LATHE_MMA_F32(m16n8k4, tf32, 2, 1)
LATHE_MMA_F32(m16n8k8, tf32, 4, 2)
LATHE_MMA_F16(m16n8k8, 2, 1)
LATHE_MMA_F16(m16n8k16, 4, 2)
LATHE_MMA_BYTES(m8n8k16, 2, 1, 1)
LATHE_MMA_BYTES(m16n8k16, 4, 2, 1)
LATHE_MMA_BYTES(m16n8k32, 4, 4, 2)
LATHE_MMA_NIBBLES(m8n8k32, 2, 1, 1)
LATHE_MMA_NIBBLES(m16n8k32, 4, 2, 1)
LATHE_MMA_NIBBLES(m16n8k64, 4, 4, 2)
LATHE_MMA_BITS(m8n8k128, xor, 2, 1, 1)
LATHE_MMA_BITS(m8n8k128, and, 2, 1, 1)
LATHE_MMA_BITS(m16n8k128, xor, 4, 2, 1)
LATHE_MMA_BITS(m16n8k128, and, 4, 2, 1)
LATHE_MMA_BITS(m16n8k256, xor, 4, 4, 2)
LATHE_MMA_BITS(m16n8k256, and, 4, 4, 2)
LATHE_MMA_FLOAT8(m16n8k32, e4m3, e4m3)
LATHE_MMA_FLOAT8(m16n8k32, e4m3, e5m2)
LATHE_MMA_FLOAT8(m16n8k32, e5m2, e4m3)
LATHE_MMA_FLOAT8(m16n8k32, e5m2, e5m2)
LATHE_MMA(m8n8k4_f64_f64_f64, "m8n8k4.row.col.f64.f64.f64.f64", double, "d", 2, double, "d", 1, 1)

/* Loads 1, 2 or 4 matrices of 8 rows of 16 bytes. Lane 8 * i + r provides the address of row r
 * of matrix i. */
#define LATHE_LOAD_MATRICES_1(trans)                                           \
  asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%1];" \
               : "=r"(word[0])                                                 \
               : "r"(lathe_shared_address(row))                                \
               : "memory")
#define LATHE_LOAD_MATRICES_2(trans)                                               \
  asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 {%0, %1}, [%2];" \
               : "=r"(word[0]), "=r"(word[1])                                      \
               : "r"(lathe_shared_address(row))                                    \
               : "memory")
#define LATHE_LOAD_MATRICES_4(trans)                                                       \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];" \
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])                \
               : "r"(lathe_shared_address(row))                                            \
               : "memory")
#define LATHE_LOAD_MATRICES(count, suffix, trans)                                                 \
  static __device__ inline void lathe_load_matrices_x##count##suffix(void* to, const void* row) { \
    uint32_t word[count];                                                                         \
    LATHE_LOAD_MATRICES_##count(trans);                                                           \
    LATHE_UNROLL                                                                                  \
    for (int i = 0; i < count; ++i) {                                                             \
      lathe_set_word(to, i, word[i]);                                                             \
    }                                                                                             \
  }
LATHE_LOAD_MATRICES(1, , "")
LATHE_LOAD_MATRICES(2, , "")
LATHE_LOAD_MATRICES(4, , "")
LATHE_LOAD_MATRICES(1, _trans, ".trans")
LATHE_LOAD_MATRICES(2, _trans, ".trans")
LATHE_LOAD_MATRICES(4, _trans, ".trans")

/* The corresponding stores, from sm_90 on. */
#define LATHE_STORE_MATRICES_1(trans)                                      \
  asm volatile("stmatrix.sync.aligned.m8n8.x1" trans                       \
               ".shared.b16 [%0], {%1};" ::"r"(lathe_shared_address(row)), \
               "r"(word[0])                                                \
               : "memory")
#define LATHE_STORE_MATRICES_2(trans)                                          \
  asm volatile("stmatrix.sync.aligned.m8n8.x2" trans                           \
               ".shared.b16 [%0], {%1, %2};" ::"r"(lathe_shared_address(row)), \
               "r"(word[0]), "r"(word[1])                                      \
               : "memory")
#define LATHE_STORE_MATRICES_4(trans)                                                  \
  asm volatile("stmatrix.sync.aligned.m8n8.x4" trans                                   \
               ".shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(lathe_shared_address(row)), \
               "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3])                  \
               : "memory")
#define LATHE_STORE_MATRICES(count, suffix, trans)                                        \
  static __device__ inline void lathe_store_matrices_x##count##suffix(void* row,          \
                                                                      const void* from) { \
    uint32_t word[count];                                                                 \
    LATHE_UNROLL                                                                          \
    for (int i = 0; i < count; ++i) {                                                     \
      word[i] = lathe_word<uint32_t>(from, i);                                            \
    }                                                                                     \
    LATHE_STORE_MATRICES_##count(trans);                                                  \
  }
LATHE_STORE_MATRICES(1, , "")
LATHE_STORE_MATRICES(2, , "")
LATHE_STORE_MATRICES(4, , "")
LATHE_STORE_MATRICES(1, _trans, ".trans")
LATHE_STORE_MATRICES(2, _trans, ".trans")
LATHE_STORE_MATRICES(4, _trans, ".trans")

#endif /* LATHE_CUDA_MMA_FORMS_H */
