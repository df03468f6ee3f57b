/* SPDX-License-Identifier: 0BSD */
/* lathe/rt.h - what generated models, and functions that programs call, share with Lathe.
 * Header only, C99 and C++. */
#ifndef LATHE_RT_H
#define LATHE_RT_H

#include <stddef.h>
#include <stdint.h>

#define LATHE_API_VERSION 1

/* Status: 0 is success, negative an error; values never change their meaning. */
#define LATHE_OK 0
#define LATHE_E_NULL (-1)       /* a required pointer is NULL */
#define LATHE_E_ARENA_SIZE (-2) /* the arena is smaller than <MODEL>_ARENA_SIZE */
#define LATHE_E_ALIGN (-3)      /* the arena or a tensor is misaligned */
#define LATHE_E_WEIGHTS (-4)    /* external weights of a wrong size or hash */
#define LATHE_E_ABORTED (-5)    /* a hook asked to stop */
#define LATHE_E_SHAPE (-6)      /* a run-time check of a shape failed */
#define LATHE_E_MEMORY (-7)     /* the region given to init() is full */

#define LATHE_E_ARGUMENT (-8) /* a function does not take such arguments */
#define LATHE_E_FAILED (-9)   /* a function failed; it has said why */
#define LATHE_E_EXTERN (-10)  /* a function the model calls is not in the table given to init */
#define LATHE_E_INDEX (-11)   /* an index in the data is out of bounds */

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
enum {
  LATHE_NULL = 0,
  LATHE_INT = 1,   /* as.i; also unsigned integers, by their bits */
  LATHE_FLOAT = 2, /* as.f */
  LATHE_BOOL = 3,  /* as.i is 0 or 1 */
  LATHE_STRING = 4,
  LATHE_DTYPE = 5, /* the dtype itself is the value */
  LATHE_SHAPE = 6,
  LATHE_TENSOR = 7,
  LATHE_TUPLE = 8,
  LATHE_OBJECT = 9
};

/* Codes of dtypes, as in DLPack. */
enum {
  LATHE_DT_INT = 0,
  LATHE_DT_UINT = 1,
  LATHE_DT_FLOAT = 2,
  LATHE_DT_BFLOAT = 4,
  LATHE_DT_BOOL = 6,
  LATHE_DT_FLOAT8_E3M4 = 7,
  LATHE_DT_FLOAT8_E4M3 = 8,
  LATHE_DT_FLOAT8_E4M3B11FNUZ = 9,
  LATHE_DT_FLOAT8_E4M3FN = 10,
  LATHE_DT_FLOAT8_E4M3FNUZ = 11,
  LATHE_DT_FLOAT8_E5M2 = 12,
  LATHE_DT_FLOAT8_E5M2FNUZ = 13,
  LATHE_DT_FLOAT8_E8M0FNU = 14,
  LATHE_DT_FLOAT6_E2M3FN = 15,
  LATHE_DT_FLOAT6_E3M2FN = 16,
  LATHE_DT_FLOAT4_E2M1FN = 17
};
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

#endif /* LATHE_RT_H */
