/* SPDX-License-Identifier: 0BSD */
/* lathe/rt.h - the status codes that the functions of generated models return. C99 and C++. */
#ifndef LATHE_RT_H
#define LATHE_RT_H

#define LATHE_API_VERSION 1

/* Status: 0 is success, negative an error; values never change their meaning. */
#define LATHE_OK 0
#define LATHE_MORE 1            /* <MODEL>_step: the run is not finished, call it again */
#define LATHE_E_NULL (-1)       /* a required pointer is NULL, or init has failed */
#define LATHE_E_ARENA_SIZE (-2) /* the arena is smaller than <MODEL>_ARENA_SIZE */
#define LATHE_E_ALIGN (-3)      /* the arena or a tensor is misaligned */
#define LATHE_E_WEIGHTS (-4)    /* external weights of a wrong size or hash */
#define LATHE_E_ABORTED (-5)    /* a hook asked to stop */
#define LATHE_E_SHAPE (-6)      /* a run-time check of a shape failed */
#define LATHE_E_MEMORY (-7)     /* the arena or an output is too small for data of dynamic size */
#define LATHE_E_ARGUMENT (-8)   /* an external function rejects its arguments */
#define LATHE_E_FAILED (-9)     /* an external function failed and has reported the reason */
#define LATHE_E_EXTERN (-10)    /* the table passed to init lacks a function that the model calls */
#define LATHE_E_INDEX (-11)     /* an index in the data is out of bounds */
#define LATHE_E_MATCH (-12)     /* no clause of a partial match covers the value */
#define LATHE_E_STATE_SIZE (-13) /* the memory of the state is smaller than <MODEL>_STATE_SIZE */

#endif /* LATHE_RT_H */
