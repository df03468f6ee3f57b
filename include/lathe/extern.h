/* SPDX-License-Identifier: 0BSD */
/* lathe/extern.h - the interface between external functions, which programs call by name, and their
 * hosts: generated models and `lathe run`. C99 and C++. */
#ifndef LATHE_EXTERN_H
#define LATHE_EXTERN_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/any.h"
#include "lathe/rt.h"

/*
 * Packed functions are C functions that programs call by name. `lathe run model.py --extern
 * libmine.so` loads them from a library.
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
 * Ownership: all memory reachable from `args`, and all values created through `host`, belong to the
 * host and live until the function returns. The value in *result lives longer. A function may write
 * only into the elements of tensors. It returns LATHE_OK or an error of lathe/rt.h. *result is the
 * null value at first. The result is an argument, a part of one, or created through `host`.
 *
 * Memory: the host provides the memory of created values, and returns LATHE_E_MEMORY if it is
 * exhausted. In a generated model, it is in the arena:
 * - If the program declares the whole result, as in R.Tensor((3,), "float32"), there is memory for
 *   this result and 256 bytes more, until the function returns.
 * - Otherwise, as in R.Object and R.Tensor(ndim=1, dtype="float32"), the result may have any size.
 *   All remaining memory of the arena is available, and created values stay until the run ends.
 * - A result of type R.Object that the program never reads is dropped when the function returns.
 *   Then there are 256 bytes for all created values, and objects are released.
 * A returned argument is the same value if the program declares both as R.Object. Otherwise the
 * model continues with a copy.
 *
 * GPUs: in a CUDA model, the host calls a function while it enqueues the run. Elements of tensors
 * are in GPU memory, which kernels on `host->stream(call)` may read and write. Sizes, numbers and
 * strings are in host memory. A function enqueues its work on this stream and does not wait:
 * arguments, created values and results are used only on this stream, after its work. New tensors
 * are in the workspace, aligned to 16 bytes. There are 1,024 bytes for sizes, strings, fields of
 * tuples and objects.
 */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct lathe_call lathe_call; /* handle of a call, passed back to the host */
struct CUstream_st;                   /* a cudaStream_t points to one */

/* Services of the host. Functions that create a value return LATHE_OK, or an error that the
 * external function should return. */
typedef struct lathe_host {
  int32_t api_version; /* LATHE_API_VERSION */
  /* Creates a tensor with uninitialized elements. */
  int (*new_tensor)(lathe_call* call, lathe_dtype dtype, const int64_t* shape, int32_t ndim,
                    lathe_value* out);
  int (*new_shape)(lathe_call* call, const int64_t* dims, int32_t ndim, lathe_value* out);
  int (*new_string)(lathe_call* call, const char* text, size_t size, lathe_value* out);
  int (*new_tuple)(lathe_call* call, const lathe_value* fields, size_t size, lathe_value* out);
  /* Takes ownership of `pointer`, also if it fails. The host calls `release` (may be NULL) with it
   * when the object is no longer referenced; a generated model does so at the end of a run, also
   * after an error. An object that the run returns belongs to its caller: the model does not
   * release it. `kind` identifies the type of the object and has to live as long as the object. */
  int (*new_object)(lathe_call* call, void* pointer, const char* kind, void (*release)(void*),
                    lathe_value* out);
  /* Reports why the function is about to return an error. `lathe run` prints `message`. A generated
   * model passes it to your C function void NAME(const char* message) if lathe/packed_call.c is
   * compiled with -DLATHE_ON_ERROR=NAME, and ignores it otherwise. `message` need not live longer
   * than this call. */
  void (*error)(lathe_call* call, const char* message);
  /* Returns the stream on which a function enqueues in a CUDA model. NULL in other models. */
  struct CUstream_st* (*stream)(lathe_call* call);
} lathe_host;

typedef int (*lathe_packed_fn)(const lathe_host* host, lathe_call* call, const lathe_value* args,
                               size_t num_args, lathe_value* result);
typedef struct lathe_packed {
  const char* name;
  lathe_packed_fn fn;
} lathe_packed;

/* A library defines this function, which returns its functions, terminated by a row of NULLs. */
const lathe_packed* lathe_packed_functions(void);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_EXTERN_H */
