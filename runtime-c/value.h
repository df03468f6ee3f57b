/* SPDX-License-Identifier: 0BSD */
/* value.h - values of dynamic structure (lathe_value in lathe/any.h): creates them, takes them
 * apart, and keeps them in memory of the model. */
#ifndef LATHE_VALUE_H
#define LATHE_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/any.h"
#include "lathe/rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates values that refer to existing data, which has to outlive them. */
lathe_value lathe_from_tensor(const void* data, uint8_t code, uint8_t bits, const int64_t* shape,
                              int32_t ndim);
lathe_value lathe_from_int(int64_t value, uint8_t code, uint8_t bits);
lathe_value lathe_from_float(double value, uint8_t code, uint8_t bits);
lathe_value lathe_from_string(const char* text, size_t size);
lathe_value lathe_from_dtype(uint8_t code, uint8_t bits);
lathe_value lathe_from_shape(const int64_t* dims, int32_t ndim);
lathe_value lathe_from_tuple(const lathe_value* fields, size_t size);
lathe_value lathe_from_null(void);

/* A function value: function `number` of the model with its captured values. */
lathe_value lathe_from_function(int64_t number, const lathe_value* kept, size_t size);

/* Takes a value apart, which must have the expected kind, dtype and size: otherwise
 * LATHE_E_SHAPE. The elements of a tensor are copied to `to`, unless they are already there. */
int lathe_take_tensor(const lathe_value* value, void* to, uint8_t code, uint8_t bits,
                      const int64_t* shape, int32_t ndim);
int lathe_take_int(const lathe_value* value, uint8_t code, uint8_t bits, int64_t* to);
int lathe_take_float(const lathe_value* value, uint8_t code, uint8_t bits, double* to);
int lathe_take_shape(const lathe_value* value, int64_t* dims, int32_t ndim);
int lathe_take_tuple(const lathe_value* value, const lathe_value** fields, size_t size);
int lathe_take_function(const lathe_value* value, const lathe_value** kept, size_t size);
/* Checks for a tensor of this dtype and shape. */
int lathe_check_sizes(const lathe_value* value, uint8_t code, uint8_t bits, const int64_t* shape,
                      int32_t ndim);
/* Checks for a tensor of this rank and any dtype. */
int lathe_check_rank(const lathe_value* value, int32_t ndim);
/* Checks for a tensor of this dtype and rank whose elements can be read in place. */
int lathe_check_tensor(const lathe_value* value, uint8_t code, uint8_t bits, int32_t ndim);

/* Returns the rank of a tensor of that dtype or of a shape, or the number of a function; else
 * -1. */
int64_t lathe_rank(const lathe_value* value, uint8_t code, uint8_t bits);
int64_t lathe_shape_rank(const lathe_value* value);
int64_t lathe_function_number(const lathe_value* value);

/* Returns the size in bytes of the elements; SIZE_MAX on overflow or for a negative size. */
size_t lathe_tensor_bytes(lathe_dtype dtype, const int64_t* shape, int32_t ndim);

/* The end of a model's arena, where values are kept until the run ends. */
typedef struct lathe_region {
  uint8_t* memory;
  size_t begin; /* of the kept values */
  size_t end;
  struct lathe_made_object* objects; /* created by external functions in this run: objects.h */
} lathe_region;

/* Initializes an empty region of `size` bytes. */
lathe_region lathe_region_of(void* memory, size_t size);

/* Returns the number of bytes between `from`, in the arena, and the kept values. */
size_t lathe_room(const lathe_region* region, const uint8_t* from);

/* Allocates `bytes` until the end of the run; NULL if that would reach `floor`, the end of the
 * memory that the model uses otherwise. */
void* lathe_keep_room(lathe_region* region, const uint8_t* floor, size_t bytes);

/* Copies what `value` points at to the region, unless it is already there: sizes and elements of
 * a tensor, sizes of a shape, fields of a tuple, captured values of a function. LATHE_E_MEMORY
 * if that would reach `floor`, the end of the memory that the model uses otherwise. */
int lathe_keep(lathe_region* region, const uint8_t* floor, lathe_value* value);

/* Binds `size` values, which are kept, before those that `function` has already captured:
 * LATHE_E_SHAPE if it is no function. */
int lathe_bind(lathe_region* region, const uint8_t* floor, const lathe_value* function,
               const lathe_value* bound, size_t size, lathe_value* to);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_VALUE_H */
