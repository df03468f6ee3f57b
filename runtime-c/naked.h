/* SPDX-License-Identifier: 0BSD */
/* naked.h - declares functions that consist of assembly. Compilers must pass all arguments, though
 * they see no use of them, and add nothing, such as code that guards the stack. */
#ifndef LATHE_NAKED_H
#define LATHE_NAKED_H

#if defined(__has_attribute)
#if __has_attribute(no_stack_protector)
#define LATHE_NAKED_GUARD no_stack_protector,
#endif
#if __has_attribute(noipa)
#define LATHE_NAKED static __attribute__((LATHE_NAKED_GUARD naked, noinline, noipa, unused)) void
#endif
#endif
#if !defined(LATHE_NAKED_GUARD)
#define LATHE_NAKED_GUARD
#endif
#if !defined(LATHE_NAKED)
#define LATHE_NAKED static __attribute__((LATHE_NAKED_GUARD naked, noinline, unused)) void
#endif

/* A parameter that the assembly reads, or a place for it on the stack. */
#define LATHE_NAKED_ARGUMENT(TYPE, NAME) TYPE NAME __attribute__((unused))

#if defined(__clang__)
/* C99 promises literals of 4,095 characters only. */
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif

#endif
