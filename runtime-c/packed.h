/* SPDX-License-Identifier: 0BSD */
/* packed.h - calls of functions with the signature of lathe_packed_fn (lathe/extern.h): what they
 * are given, what they may make, and what they give back. */
#ifndef LATHE_PACKED_H
#define LATHE_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/extern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values that a function is given. What they point at must outlive the call. */
lathe_value lathe_from_tensor(const void* data, uint8_t code, uint8_t bits, const int64_t* shape,
                              int32_t ndim);
lathe_value lathe_from_int(int64_t value, uint8_t code, uint8_t bits);
lathe_value lathe_from_float(double value, uint8_t code, uint8_t bits);
lathe_value lathe_from_string(const char* text, size_t size);
lathe_value lathe_from_dtype(uint8_t code, uint8_t bits);
lathe_value lathe_from_shape(const int64_t* dims, int32_t ndim);
lathe_value lathe_from_tuple(const lathe_value* fields, size_t size);
lathe_value lathe_from_null(void);

/* Calls `fn`. What it makes lies in `memory`: LATHE_E_MEMORY when that is full. */
int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result);

/* What came back, which must be of that kind, dtype and size: LATHE_E_SHAPE when it is not. The
 * elements of a tensor are copied to `to`, unless they are there. */
int lathe_take_tensor(const lathe_value* value, void* to, uint8_t code, uint8_t bits,
                      const int64_t* shape, int32_t ndim);
int lathe_take_int(const lathe_value* value, uint8_t code, uint8_t bits, int64_t* to);
int lathe_take_float(const lathe_value* value, uint8_t code, uint8_t bits, double* to);
int lathe_take_shape(const lathe_value* value, int64_t* dims, int32_t ndim);
int lathe_take_tuple(const lathe_value* value, const lathe_value** fields, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_H */
