/* SPDX-License-Identifier: 0BSD */
/* helium_lanes.h - four int32 numbers at once, for elementwise kernels of quantized networks: with
 * Helium of Arm cores, else portable. Loads of narrow integers widen, stores narrow; `_part`
 * accesses the first `count` elements, at least 1. Sums and products wrap around. */
#ifndef LATHE_HELIUM_LANES_H
#define LATHE_HELIUM_LANES_H

#include "fixed_point.h"

#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__ARM_BIG_ENDIAN)
#include <arm_mve.h>

typedef int32x4_t lathe_x4;

/* Loads and stores are assembly, because gcc 12 moves the intrinsics for them across accesses of
 * other types to the same memory. Addresses of narrow elements are in low registers. The mask of
 * the first lanes is saved, because gcc 12 has no name for it among the clobbered registers. */
#define LATHE_X4_PART(BEFORE, COUNT, ACCESS) \
  "vmrs " BEFORE ", P0\n\tvctp.32 " COUNT "\n\tvpst\n\t" ACCESS "\n\tvmsr P0, " BEFORE
static inline lathe_x4 lathe_x4_load_i8(const int8_t* p) {
  lathe_x4 x;
  __asm__ volatile("vldrb.s32 %q0, [%1]" : "=w"(x) : "l"(p) : "memory");
  return x;
}

static inline lathe_x4 lathe_x4_load_i8_part(const int8_t* p, int32_t count) {
  lathe_x4 x;
  int32_t before;
  __asm__ volatile(LATHE_X4_PART("%1", "%3", "vldrbt.s32 %q0, [%2]")
                   : "=w"(x), "=&r"(before)
                   : "l"(p), "r"(count)
                   : "memory");
  return x;
}

static inline void lathe_x4_store_i8(int8_t* p, lathe_x4 x) {
  __asm__ volatile("vstrb.32 %q0, [%1]" : : "w"(x), "l"(p) : "memory");
}

static inline void lathe_x4_store_i8_part(int8_t* p, lathe_x4 x, int32_t count) {
  int32_t before;
  __asm__ volatile(LATHE_X4_PART("%0", "%2", "vstrbt.32 %q3, [%1]")
                   : "=&r"(before)
                   : "l"(p), "r"(count), "w"(x)
                   : "memory");
}

static inline lathe_x4 lathe_x4_load_i16(const int16_t* p) {
  lathe_x4 x;
  __asm__ volatile("vldrh.s32 %q0, [%1]" : "=w"(x) : "l"(p) : "memory");
  return x;
}

static inline lathe_x4 lathe_x4_load_i16_part(const int16_t* p, int32_t count) {
  lathe_x4 x;
  int32_t before;
  __asm__ volatile(LATHE_X4_PART("%1", "%3", "vldrht.s32 %q0, [%2]")
                   : "=w"(x), "=&r"(before)
                   : "l"(p), "r"(count)
                   : "memory");
  return x;
}

static inline void lathe_x4_store_i16(int16_t* p, lathe_x4 x) {
  __asm__ volatile("vstrh.32 %q0, [%1]" : : "w"(x), "l"(p) : "memory");
}

static inline void lathe_x4_store_i16_part(int16_t* p, lathe_x4 x, int32_t count) {
  int32_t before;
  __asm__ volatile(LATHE_X4_PART("%0", "%2", "vstrht.32 %q3, [%1]")
                   : "=&r"(before)
                   : "l"(p), "r"(count), "w"(x)
                   : "memory");
}

static inline lathe_x4 lathe_x4_load_i32(const int32_t* p) {
  lathe_x4 x;
  __asm__ volatile("vldrw.u32 %q0, [%1]" : "=w"(x) : "r"(p) : "memory");
  return x;
}

static inline lathe_x4 lathe_x4_load_i32_part(const int32_t* p, int32_t count) {
  lathe_x4 x;
  int32_t before;
  __asm__ volatile(LATHE_X4_PART("%1", "%3", "vldrwt.u32 %q0, [%2]")
                   : "=w"(x), "=&r"(before)
                   : "r"(p), "r"(count)
                   : "memory");
  return x;
}

static inline void lathe_x4_store_i32(int32_t* p, lathe_x4 x) {
  __asm__ volatile("vstrw.32 %q0, [%1]" : : "w"(x), "r"(p) : "memory");
}

static inline void lathe_x4_store_i32_part(int32_t* p, lathe_x4 x, int32_t count) {
  int32_t before;
  __asm__ volatile(LATHE_X4_PART("%0", "%2", "vstrwt.32 %q3, [%1]")
                   : "=&r"(before)
                   : "r"(p), "r"(count), "w"(x)
                   : "memory");
}

static inline lathe_x4 lathe_x4_all(int32_t x) { return vdupq_n_s32(x); }

static inline lathe_x4 lathe_x4_add(lathe_x4 a, lathe_x4 b) { return vaddq_s32(a, b); }

static inline lathe_x4 lathe_x4_add_all(lathe_x4 a, int32_t b) { return vaddq_n_s32(a, b); }

static inline lathe_x4 lathe_x4_sub(lathe_x4 a, lathe_x4 b) { return vsubq_s32(a, b); }

static inline lathe_x4 lathe_x4_sub_all(lathe_x4 a, int32_t b) { return vsubq_n_s32(a, b); }

static inline lathe_x4 lathe_x4_mul(lathe_x4 a, lathe_x4 b) { return vmulq_s32(a, b); }

static inline lathe_x4 lathe_x4_mul_all(lathe_x4 a, int32_t b) { return vmulq_n_s32(a, b); }

static inline lathe_x4 lathe_x4_min(lathe_x4 a, lathe_x4 b) { return vminq_s32(a, b); }

static inline lathe_x4 lathe_x4_max(lathe_x4 a, lathe_x4 b) { return vmaxq_s32(a, b); }

/* yes where a < b, else no. */
static inline lathe_x4 lathe_x4_if_less(lathe_x4 a, lathe_x4 b, lathe_x4 yes, lathe_x4 no) {
  return vpselq_s32(yes, no, vcmpltq_s32(a, b));
}

/* lathe_scaled_right of each number. */
static inline lathe_x4 lathe_x4_scaled_right(lathe_x4 x, int32_t mantissa, int32_t n) {
  const lathe_x4 high = vqrdmulhq_n_s32(x, mantissa);
  return vrshlq_n_s32(vaddq_s32(high, vshrq_n_s32(high, 31)), -n);
}

#else

typedef struct {
  int32_t lane[4];
} lathe_x4;

static inline lathe_x4 lathe_x4_load_i8_part(const int8_t* p, int32_t count) {
  lathe_x4 x = {{0, 0, 0, 0}};
  int32_t i;
  for (i = 0; (i < count) && (i < 4); ++i) {
    x.lane[i] = p[i];
  }
  return x;
}

static inline lathe_x4 lathe_x4_load_i8(const int8_t* p) { return lathe_x4_load_i8_part(p, 4); }

static inline void lathe_x4_store_i8_part(int8_t* p, lathe_x4 x, int32_t count) {
  int32_t i;
  for (i = 0; (i < count) && (i < 4); ++i) {
    p[i] = (int8_t)x.lane[i];
  }
}

static inline void lathe_x4_store_i8(int8_t* p, lathe_x4 x) { lathe_x4_store_i8_part(p, x, 4); }

static inline lathe_x4 lathe_x4_load_i16_part(const int16_t* p, int32_t count) {
  lathe_x4 x = {{0, 0, 0, 0}};
  int32_t i;
  for (i = 0; (i < count) && (i < 4); ++i) {
    x.lane[i] = p[i];
  }
  return x;
}

static inline lathe_x4 lathe_x4_load_i16(const int16_t* p) { return lathe_x4_load_i16_part(p, 4); }

static inline void lathe_x4_store_i16_part(int16_t* p, lathe_x4 x, int32_t count) {
  int32_t i;
  for (i = 0; (i < count) && (i < 4); ++i) {
    p[i] = (int16_t)x.lane[i];
  }
}

static inline void lathe_x4_store_i16(int16_t* p, lathe_x4 x) { lathe_x4_store_i16_part(p, x, 4); }

static inline lathe_x4 lathe_x4_load_i32_part(const int32_t* p, int32_t count) {
  lathe_x4 x = {{0, 0, 0, 0}};
  int32_t i;
  for (i = 0; (i < count) && (i < 4); ++i) {
    x.lane[i] = p[i];
  }
  return x;
}

static inline lathe_x4 lathe_x4_load_i32(const int32_t* p) { return lathe_x4_load_i32_part(p, 4); }

static inline void lathe_x4_store_i32_part(int32_t* p, lathe_x4 x, int32_t count) {
  int32_t i;
  for (i = 0; (i < count) && (i < 4); ++i) {
    p[i] = x.lane[i];
  }
}

static inline void lathe_x4_store_i32(int32_t* p, lathe_x4 x) { lathe_x4_store_i32_part(p, x, 4); }

static inline lathe_x4 lathe_x4_all(int32_t x) {
  const lathe_x4 all = {{x, x, x, x}};
  return all;
}

static inline lathe_x4 lathe_x4_add(lathe_x4 a, lathe_x4 b) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    a.lane[i] = (int32_t)((uint32_t)a.lane[i] + (uint32_t)b.lane[i]);
  }
  return a;
}

static inline lathe_x4 lathe_x4_add_all(lathe_x4 a, int32_t b) {
  return lathe_x4_add(a, lathe_x4_all(b));
}

static inline lathe_x4 lathe_x4_sub(lathe_x4 a, lathe_x4 b) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    a.lane[i] = (int32_t)((uint32_t)a.lane[i] - (uint32_t)b.lane[i]);
  }
  return a;
}

static inline lathe_x4 lathe_x4_sub_all(lathe_x4 a, int32_t b) {
  return lathe_x4_sub(a, lathe_x4_all(b));
}

static inline lathe_x4 lathe_x4_mul(lathe_x4 a, lathe_x4 b) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    a.lane[i] = (int32_t)((uint32_t)a.lane[i] * (uint32_t)b.lane[i]);
  }
  return a;
}

static inline lathe_x4 lathe_x4_mul_all(lathe_x4 a, int32_t b) {
  return lathe_x4_mul(a, lathe_x4_all(b));
}

static inline lathe_x4 lathe_x4_min(lathe_x4 a, lathe_x4 b) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    a.lane[i] = (a.lane[i] < b.lane[i]) ? a.lane[i] : b.lane[i];
  }
  return a;
}

static inline lathe_x4 lathe_x4_max(lathe_x4 a, lathe_x4 b) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    a.lane[i] = (a.lane[i] > b.lane[i]) ? a.lane[i] : b.lane[i];
  }
  return a;
}

/* yes where a < b, else no. */
static inline lathe_x4 lathe_x4_if_less(lathe_x4 a, lathe_x4 b, lathe_x4 yes, lathe_x4 no) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    a.lane[i] = (a.lane[i] < b.lane[i]) ? yes.lane[i] : no.lane[i];
  }
  return a;
}

/* lathe_scaled_right of each number. */
static inline lathe_x4 lathe_x4_scaled_right(lathe_x4 x, int32_t mantissa, int32_t n) {
  int32_t i;
  for (i = 0; i < 4; ++i) {
    x.lane[i] = lathe_scaled_right(x.lane[i], mantissa, n);
  }
  return x;
}

#endif

#endif
