/* SPDX-License-Identifier: 0BSD */
/* lathe/extern.h - what functions that programs call by name share with who calls them: generated
 * models and `lathe run`. C99 and C++. */
#ifndef LATHE_EXTERN_H
#define LATHE_EXTERN_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/any.h"
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
 * errors above; *result starts as the null value. What it returns is an argument, part of one, or
 * made through `host`.
 *
 * Memory of what is made is the host's; where it ends, the host says LATHE_E_MEMORY. In a generated
 * model it lies in the arena. Where the program says all of the result, R.Tensor((3,), "float32"),
 * there is room for that result and for 256 bytes more, until the function returns. Where it does
 * not, R.Object, R.Tensor(ndim=1, dtype="float32"), the result may be of any size: there is all
 * that is left of the arena, and what is made stays there until the run ends; but a result that is
 * R.Object and that the program never reads is dropped when the function returns: there are 256
 * bytes for all that is made then, and objects are released. An argument that is given back is the
 * same value where the program says of neither what it is (R.Object); else what the model goes on
 * with is a copy.
 *
 * In a model for GPUs a function is called on the host as the run is enqueued. Elements of tensors
 * are memory of the GPU, which kernels on `host->stream(call)` may read and write; sizes, numbers,
 * strings are the host's. A function enqueues there and waits for nothing: what it is given, what
 * it makes and what it gives back is used on that stream alone, behind what it enqueued. New
 * tensors lie in the workspace, at multiples of 16 bytes, and there are 1,024 bytes for sizes,
 * strings, fields of tuples and objects.
 */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct lathe_call lathe_call; /* one call, to be passed back to the host */
struct CUstream_st;                   /* a cudaStream_t points to one */

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
  /* Takes `pointer`, also when it fails. `release` (may be NULL) is called with it when nobody
   * holds the object any more; in a generated model when the run ends, also with an error. One that
   * the run gives back is then its caller's: the model does not release it. `kind` has to stay as
   * long as the object does, and two libraries should not use the same for different things. */
  int (*new_object)(lathe_call* call, void* pointer, const char* kind, void (*release)(void*),
                    lathe_value* out);
  /* Says why the function is about to return an error. `lathe run` prints it. In a generated model
   * it goes to a function in C of yours, void NAME(const char* message), where lathe/packed_call.c
   * is compiled with -DLATHE_ON_ERROR=NAME, and else to nobody; it may point to text that is gone
   * when the function returns. */
  void (*error)(lathe_call* call, const char* message);
  /* Where a function enqueues in a model for GPUs; in others there is no such function: NULL. */
  struct CUstream_st* (*stream)(lathe_call* call);
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
