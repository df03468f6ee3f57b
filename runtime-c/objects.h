/* SPDX-License-Identifier: 0BSD */
/* objects.h - objects that external functions create, which are released at the end of the run
 * unless they are returned. */
#ifndef LATHE_OBJECTS_H
#define LATHE_OBJECTS_H

#include <stddef.h>

#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An object; this record is stored with the values that created it. */
typedef struct lathe_made_object {
  struct lathe_made_object* next;
  void* pointer;
  void (*release)(void*); /* NULL: nothing to do */
  int given;              /* returned to the caller of the run, who then owns it */
} lathe_made_object;

/* Releases all objects that are not returned, the last one first. */
void lathe_release(lathe_made_object* objects);

/* Ends a run that kept values: releases its objects, except those that the `size` returned
 * values contain, which the caller owns. If `status` is an error, all are released. Returns
 * LATHE_E_MEMORY if the region has no room for a list of visited values. */
int lathe_end_run(lathe_region* region, int status, const lathe_value* const* given, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_OBJECTS_H */
