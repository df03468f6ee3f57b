/* SPDX-License-Identifier: 0BSD */
/* outlined.h - functions that several kernels call: one copy in the program, not one in each; and
 * functions that are compiled into each of their callers. */
#ifndef LATHE_OUTLINED_H
#define LATHE_OUTLINED_H

/* Each compiler warns of another spelling, where a program does not call the function. */
#if defined(__clang__)
#define LATHE_OUTLINED static inline __attribute__((noinline))
#elif defined(__GNUC__)
#define LATHE_OUTLINED static __attribute__((noinline, unused))
#else
#define LATHE_OUTLINED static
#endif

/* Where arguments that are constants of the caller select what is compiled. */
#if defined(__GNUC__)
#define LATHE_INLINED static inline __attribute__((always_inline))
#else
#define LATHE_INLINED static inline
#endif

#endif /* LATHE_OUTLINED_H */
