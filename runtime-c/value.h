/* SPDX-License-Identifier: 0BSD */
/* value.h - values of any structure (lathe_value in lathe/any.h): made of what a model has,
 * taken apart again, and kept in memory that the model was given. */
#ifndef LATHE_VALUE_H
#define LATHE_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/any.h"
#include "lathe/rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values made of what is there. What they point at has to stay while they are used. */
lathe_value lathe_from_tensor(const void* data, uint8_t code, uint8_t bits, const int64_t* shape,
                              int32_t ndim);
lathe_value lathe_from_int(int64_t value, uint8_t code, uint8_t bits);
lathe_value lathe_from_float(double value, uint8_t code, uint8_t bits);
lathe_value lathe_from_string(const char* text, size_t size);
lathe_value lathe_from_dtype(uint8_t code, uint8_t bits);
lathe_value lathe_from_shape(const int64_t* dims, int32_t ndim);
lathe_value lathe_from_tuple(const lathe_value* fields, size_t size);
lathe_value lathe_from_null(void);

/* Function `number` of the model, with the values that it keeps for its calls. */
lathe_value lathe_from_function(int64_t number, const lathe_value* kept, size_t size);

/* What a value is made of, which must be of that kind, dtype and size: LATHE_E_SHAPE when it is
 * not. The elements of a tensor are copied to `to`, unless they are there. */
int lathe_take_tensor(const lathe_value* value, void* to, uint8_t code, uint8_t bits,
                      const int64_t* shape, int32_t ndim);
int lathe_take_int(const lathe_value* value, uint8_t code, uint8_t bits, int64_t* to);
int lathe_take_float(const lathe_value* value, uint8_t code, uint8_t bits, double* to);
int lathe_take_shape(const lathe_value* value, int64_t* dims, int32_t ndim);
int lathe_take_tuple(const lathe_value* value, const lathe_value** fields, size_t size);
int lathe_take_function(const lathe_value* value, const lathe_value** kept, size_t size);
/* That it is such a tensor, of these sizes. */
int lathe_check_sizes(const lathe_value* value, uint8_t code, uint8_t bits, const int64_t* shape,
                      int32_t ndim);
/* That it is a tensor of so many dimensions, whatever its dtype. */
int lathe_check_rank(const lathe_value* value, int32_t ndim);
/* That it is such a tensor, with elements where it says: they can be read in place. */
int lathe_check_tensor(const lathe_value* value, uint8_t code, uint8_t bits, int32_t ndim);

/* What a value is: the rank of a tensor of that dtype, or of a shape, the number of a function;
 * else -1. */
int64_t lathe_rank(const lathe_value* value, uint8_t code, uint8_t bits);
int64_t lathe_shape_rank(const lathe_value* value);
int64_t lathe_function_number(const lathe_value* value);

/* Bytes of the elements; SIZE_MAX when they cannot be counted, or a size is negative. */
size_t lathe_tensor_bytes(lathe_dtype dtype, const int64_t* shape, int32_t ndim);

/* The far end of a model's arena, where what values are made of stays until the run ends. */
typedef struct lathe_region {
  uint8_t* memory;
  size_t begin; /* of what is kept */
  size_t end;
  struct lathe_made_object* objects; /* that functions from outside made in this run: objects.h */
} lathe_region;

/* Nothing is kept yet in the `size` bytes. */
lathe_region lathe_region_of(void* memory, size_t size);

/* Bytes between `from`, in the arena, and what is kept. */
size_t lathe_room(const lathe_region* region, const uint8_t* from);

/* Room for `bytes` that stay; NULL when that would go below `floor`, the end of what the model uses
 * otherwise. */
void* lathe_keep_room(lathe_region* region, const uint8_t* floor, size_t bytes);

/* Copies what `value` points at, unless it is kept already, to where it stays: the sizes and
 * elements of a tensor, the sizes of a shape, the fields of a tuple, what a function keeps. `floor`
 * is the end of what the model uses otherwise: LATHE_E_MEMORY when that is reached. */
int lathe_keep(lathe_region* region, const uint8_t* floor, lathe_value* value);

/* `to` becomes the function that `function` is, with `size` values, which are kept, before those
 * that it keeps already: LATHE_E_SHAPE when it is none. */
int lathe_bind(lathe_region* region, const uint8_t* floor, const lathe_value* function,
               const lathe_value* bound, size_t size, lathe_value* to);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_VALUE_H */
