// Defines the portable target, the base of all other rows of the target table.
#ifndef LATHE_TARGET_PORTABLE_TARGET_H_
#define LATHE_TARGET_PORTABLE_TARGET_H_

#include "generator/target/target.h"

namespace lathe {

inline constexpr Target kPortable = {
    .name = "generic-c99",
    .summary = "portable C99: no vectors, nothing of a compiler or a machine assumed",
    .int_bits = 16,
    .pointer_bits = 64,
    .double_bits = 64,
    .has_c99_math = true,
    .ram_align = 16,
    .flash_align = 8,
    .l1_bytes = 0,
    .l2_bytes = 0,
    .tcm_bytes = 0,
    .vector_bytes = 0,
    .vector_registers = 0,
    .float_registers = 0,
    .integer_lanes = 0,
    .vector_macro = "",
    .has_fma = false,
    .has_scalar_fma = false,
    .has_float = true,
    .has_double = true,
    .has_half = false,
    .dot_products = 1,
    .compiler = "cc",
    .flags = "",
    .packages = "gcc libc6-dev",
};

}  // namespace lathe

#endif  // LATHE_TARGET_PORTABLE_TARGET_H_
