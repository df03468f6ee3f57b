/* SPDX-License-Identifier: 0BSD */
/* lathe/rt.h - what all generated models share: what their functions return. C99 and C++. */
#ifndef LATHE_RT_H
#define LATHE_RT_H

#define LATHE_API_VERSION 1

/* Status: 0 is success, negative an error; values never change their meaning. */
#define LATHE_OK 0
#define LATHE_E_NULL (-1)       /* a required pointer is NULL, or init has failed */
#define LATHE_E_ARENA_SIZE (-2) /* the arena is smaller than <MODEL>_ARENA_SIZE */
#define LATHE_E_ALIGN (-3)      /* the arena or a tensor is misaligned */
#define LATHE_E_WEIGHTS (-4)    /* external weights of a wrong size or hash */
#define LATHE_E_ABORTED (-5)    /* a hook asked to stop */
#define LATHE_E_SHAPE (-6)      /* a run-time check of a shape failed */
#define LATHE_E_MEMORY (-7)     /* no room for what the data makes: in the arena, or in an output */
#define LATHE_E_ARGUMENT (-8)   /* a function does not take such arguments */
#define LATHE_E_FAILED (-9)     /* a function failed; it has said why */
#define LATHE_E_EXTERN (-10)    /* a function the model calls is not in the table given to init */
#define LATHE_E_INDEX (-11)     /* an index in the data is out of bounds */

#endif /* LATHE_RT_H */
