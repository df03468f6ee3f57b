/* SPDX-License-Identifier: 0BSD */
/* lathe/any.h - tagged values of any structure: the arguments of external functions, and the inputs
 * and outputs of models whose type the program does not declare. C99 and C++. */
#ifndef LATHE_ANY_H
#define LATHE_ANY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tags of values. */
#define LATHE_NULL 0
#define LATHE_INT 1   /* as.i; also unsigned integers, by their bits */
#define LATHE_FLOAT 2 /* as.f */
#define LATHE_BOOL 3  /* as.i is 0 or 1 */
#define LATHE_STRING 4
#define LATHE_DTYPE 5 /* the dtype itself is the value */
#define LATHE_SHAPE 6
#define LATHE_TENSOR 7
#define LATHE_TUPLE 8
#define LATHE_OBJECT 9
#define LATHE_FUNCTION 10 /* only the model that created it can call it */

/* Codes of dtypes, as in DLPack. */
#define LATHE_DT_INT 0u
#define LATHE_DT_UINT 1u
#define LATHE_DT_FLOAT 2u
#define LATHE_DT_BFLOAT 4u
#define LATHE_DT_BOOL 6u
#define LATHE_DT_FLOAT8_E3M4 7u
#define LATHE_DT_FLOAT8_E4M3 8u
#define LATHE_DT_FLOAT8_E4M3B11FNUZ 9u
#define LATHE_DT_FLOAT8_E4M3FN 10u
#define LATHE_DT_FLOAT8_E4M3FNUZ 11u
#define LATHE_DT_FLOAT8_E5M2 12u
#define LATHE_DT_FLOAT8_E5M2FNUZ 13u
#define LATHE_DT_FLOAT8_E8M0FNU 14u
#define LATHE_DT_FLOAT6_E2M3FN 15u
#define LATHE_DT_FLOAT6_E3M2FN 16u
#define LATHE_DT_FLOAT4_E2M1FN 17u
typedef struct lathe_dtype {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes; /* 1 */
} lathe_dtype;

/* Row-major and compact. Elements smaller than a byte are packed, the first in the low bits. A bool
 * is a byte. */
typedef struct lathe_tensor {
  void* data;
  const int64_t* shape;
  int32_t ndim;
  lathe_dtype dtype;
} lathe_tensor;

typedef struct lathe_value {
  int32_t kind;
  lathe_dtype dtype; /* of LATHE_INT, LATHE_FLOAT, LATHE_BOOL; the value of LATHE_DTYPE */
  union {
    int64_t i;
    double f;
    struct {
      const char* text; /* NUL-terminated; size does not count the NUL */
      size_t size;
    } string;
    struct {
      const int64_t* dims;
      int32_t ndim;
    } shape;
    lathe_tensor tensor;
    struct {
      const struct lathe_value* fields;
      size_t size;
    } tuple;
    struct {
      void* pointer;
      const char* kind;
    } object;
    struct {
      int64_t number;
      const struct lathe_value* kept; /* captured values */
      size_t size;
    } function;
  } as;
  void* ref; /* reserved for the host; NULL for LATHE_NULL and scalars that functions create */
} lathe_value;

#ifdef __cplusplus
}
#endif

#endif /* LATHE_ANY_H */
