/* SPDX-License-Identifier: 0BSD */
#include "objects.h"

/* Fields of a tuple, or captured values of a function, that are still to be visited. */
typedef struct fields {
  struct fields* next;
  lathe_value* values;
  size_t size;
} fields;

typedef struct search {
  lathe_region* region;
  fields* first;
  fields* last;
} search;

void lathe_release(lathe_made_object* objects) {
  lathe_made_object* object;
  for (object = objects; object != NULL; object = object->next) {
    if (object->release != NULL && object->given == 0) {
      object->release(object->pointer);
    }
  }
}

/* Returns the same values for marking; NULL if the run has not created them. */
static lathe_value* made_here(const lathe_region* region, const lathe_value* values) {
  const uintptr_t begin = (uintptr_t)(const void*)&region->memory[region->begin];
  const uintptr_t at = (uintptr_t)(const void*)values;
  if (at < begin || at - begin >= region->end - region->begin) {
    return NULL;
  }
  return (lathe_value*)(void*)&region->memory[region->begin + (size_t)(at - begin)];
}

/* Lists the values once: a mark in the first one records the visit. */
static int note(search* to, const lathe_value* values, size_t size) {
  lathe_value* const made = size == 0u ? NULL : made_here(to->region, values);
  fields* noted;
  if (made == NULL || made->ref == to->region) {
    return LATHE_OK;
  }
  noted = (fields*)lathe_keep_room(to->region, to->region->memory, sizeof *noted);
  if (noted == NULL) {
    return LATHE_E_MEMORY;
  }
  made->ref = to->region;
  noted->next = NULL;
  noted->values = made;
  noted->size = size;
  if (to->last == NULL) {
    to->first = noted;
  } else {
    to->last->next = noted;
  }
  to->last = noted;
  return LATHE_OK;
}

static int look_at(search* in, const lathe_value* value) {
  lathe_made_object* object;
  if (value->kind == LATHE_TUPLE) {
    return note(in, value->as.tuple.fields, value->as.tuple.size);
  }
  if (value->kind == LATHE_FUNCTION) {
    return note(in, value->as.function.kept, value->as.function.size);
  }
  if (value->kind == LATHE_OBJECT) {
    for (object = in->region->objects; object != NULL; object = object->next) {
      if (object->pointer == value->as.object.pointer) {
        object->given = 1;
      }
    }
  }
  return LATHE_OK;
}

/* Marks returned objects, so that they are not released. */
static int spare(lathe_region* region, const lathe_value* const* given, size_t size) {
  search in;
  const fields* f;
  int status = LATHE_OK;
  size_t i;
  in.region = region;
  in.first = NULL;
  in.last = NULL;
  for (i = 0u; status == LATHE_OK && i < size; ++i) {
    status = look_at(&in, given[i]);
  }
  for (f = in.first; f != NULL && status == LATHE_OK; f = f->next) {
    for (i = 0u; status == LATHE_OK && i < f->size; ++i) {
      status = look_at(&in, &f->values[i]);
    }
  }
  for (f = in.first; f != NULL; f = f->next) {
    f->values[0].ref = NULL;
  }
  return status;
}

int lathe_end_run(lathe_region* region, int status, const lathe_value* const* given, size_t size) {
  lathe_made_object* object;
  int result = status;
  if (region->objects != NULL && status == LATHE_OK) {
    result = spare(region, given, size);
  }
  for (object = region->objects; object != NULL && result != LATHE_OK; object = object->next) {
    object->given = 0;
  }
  lathe_release(region->objects);
  region->objects = NULL;
  return result;
}
