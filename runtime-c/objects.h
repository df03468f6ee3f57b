/* SPDX-License-Identifier: 0BSD */
/* objects.h - what functions from outside make that has to be released: when the run ends, unless
 * it gives them back. */
#ifndef LATHE_OBJECTS_H
#define LATHE_OBJECTS_H

#include <stddef.h>

#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An object that somebody made; the record lies where the maker's values do. */
typedef struct lathe_made_object {
  struct lathe_made_object* next;
  void* pointer;
  void (*release)(void*); /* NULL: there is nothing to do */
  int given;              /* back to the caller of the run, whose it is then */
} lathe_made_object;

/* Releases all that are not given back, the last one first. */
void lathe_release(lathe_made_object* objects);

/* The end of a run that kept values: releases the objects made in it, but for those among the
 * `size` values that it gives back, which are the caller's, and in what these are made of. `status`
 * is the run's: of one that failed all are released. LATHE_E_MEMORY when the region has no room for
 * a list of what was looked at. */
int lathe_end_run(lathe_region* region, int status, const lathe_value* const* given, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_OBJECTS_H */
