/* SPDX-License-Identifier: 0BSD */
/* lathe/extern.h - what functions that programs call by name share with who calls them: generated
 * models and `lathe run`. C99 and C++. */
#ifndef LATHE_EXTERN_H
#define LATHE_EXTERN_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/rt.h"

/*
 * Packed functions: C functions that programs call by name, loaded by
 * `lathe run model.py --extern libmine.so`.
 *
 *   static int scale(const lathe_host *host, lathe_call *call, const lathe_value *args,
 *                    size_t num_args, lathe_value *result) {
 *     size_t i, n = 1;
 *     float *x = (float *)args[0].as.tensor.data;
 *     if (num_args != 2) return LATHE_E_ARGUMENT;
 *     for (i = 0; i < (size_t)args[0].as.tensor.ndim; ++i) n *= (size_t)args[0].as.tensor.shape[i];
 *     for (i = 0; i < n; ++i) x[i] *= (float)args[1].as.f;    (in place: the caller sees it)
 *     *result = args[0];
 *     return LATHE_OK;
 *   }
 *   static const lathe_packed functions[] = {{"scale", scale}, {NULL, NULL}};
 *   const lathe_packed *lathe_packed_functions(void) { return functions; }
 *
 * Ownership: everything `args` leads to, and everything made through `host`, belongs to the host
 * and lives until the function returns; what the function returns in *result lives on. A function
 * may write into the elements of tensors and into nothing else. It returns LATHE_OK or one of the
 * errors above; *result starts as the null value.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* What a value is. */
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
#define LATHE_FUNCTION 10 /* of a generated model, which alone can call it */

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

/* Row-major and compact. Elements under a byte are packed, the first in the low bits; a bool takes
 * a byte. */
typedef struct lathe_tensor {
  void* data;
  const int64_t* shape;
  int32_t ndim;
  lathe_dtype dtype;
} lathe_tensor;

typedef struct lathe_value {
  int32_t kind;
  lathe_dtype dtype; /* of LATHE_INT, LATHE_FLOAT, LATHE_BOOL; LATHE_DTYPE's value */
  union {
    int64_t i;
    double f;
    struct {
      const char* text; /* ends with a NUL that is not counted */
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
      const struct lathe_value* kept; /* for its calls */
      size_t size;
    } function;
  } as;
  void* ref; /* the host's; leave it alone. NULL for LATHE_NULL and scalars made by hand */
} lathe_value;

typedef struct lathe_call lathe_call; /* one call, to be passed back to the host */

/* What the host does for a function. Those that make a value return LATHE_OK, or an error which
 * the function should return. */
typedef struct lathe_host {
  int32_t api_version; /* LATHE_API_VERSION */
  /* A tensor whose elements are to be written; the same for a whole tuple and so on. */
  int (*new_tensor)(lathe_call* call, lathe_dtype dtype, const int64_t* shape, int32_t ndim,
                    lathe_value* out);
  int (*new_shape)(lathe_call* call, const int64_t* dims, int32_t ndim, lathe_value* out);
  int (*new_string)(lathe_call* call, const char* text, size_t size, lathe_value* out);
  int (*new_tuple)(lathe_call* call, const lathe_value* fields, size_t size, lathe_value* out);
  /* `release` (may be NULL) is called with `pointer` when nobody holds the object any more. Two
   * libraries should not use the same `kind` for different things. */
  int (*new_object)(lathe_call* call, void* pointer, const char* kind, void (*release)(void*),
                    lathe_value* out);
  /* Says why the function is about to return an error. */
  void (*error)(lathe_call* call, const char* message);
} lathe_host;

typedef int (*lathe_packed_fn)(const lathe_host* host, lathe_call* call, const lathe_value* args,
                               size_t num_args, lathe_value* result);
typedef struct lathe_packed {
  const char* name;
  lathe_packed_fn fn;
} lathe_packed;

/* What a library defines: its functions, ended by a row of NULLs. */
const lathe_packed* lathe_packed_functions(void);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_EXTERN_H */
