// Lists the targets and their properties. A target is a row of numbers. Code is chosen by these
// numbers, not by a target's name. Exceptions are CUDA and the loops of int8 products
// (transform/quantize/integer_graph).
#ifndef LATHE_TARGET_TARGET_H_
#define LATHE_TARGET_TARGET_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe {

inline constexpr int64_t kKiB = 1024;

struct Target {
  absl::string_view name;
  absl::string_view summary;

  // The types of C. generic-c99 promises the minimum of the standard.
  int int_bits;
  int pointer_bits;  // also of size_t
  int double_bits;
  bool has_c99_math;  // <math.h> has the functions added in C99: erf, expm1, log2 ...

  // Memory, in bytes; 0 if absent, or if parts with this name differ.
  int64_t ram_align;    // alignment of the arena and of every buffer in it; a power of two
  int64_t flash_align;  // minimum alignment of constants
  int64_t l1_bytes;     // data cache
  int64_t l2_bytes;
  int64_t tcm_bytes;  // tightly coupled data memory

  // Arithmetic.
  int vector_bytes;  // size of a vector register; 0: none
  int vector_registers;
  int float_registers;  // scalar float32 registers for tiles of sums; 0: vectors, or no benefit
  int integer_lanes;    // int32 elements of a vector for elementwise integers; 0: plain loops
  // The macro that gcc and clang define if their vector types map to these registers; empty if the
  // kernel library has no benefit.
  absl::string_view vector_macro;
  bool has_fma;  // fused multiply-add of floats in one instruction
  // Whether that instruction also takes a vector times a scalar register; gcc then needs intrinsics
  // for both forms.
  bool has_scalar_fma;
  bool has_float;    // hardware float32
  bool has_double;   // hardware float64
  bool has_half;     // hardware float16 arithmetic, not only conversions
  int dot_products;  // products of 8 or 16 bits that one instruction multiplies and adds; 1: none

  // The default compiler, its flags and its Debian packages.
  absl::string_view compiler;
  absl::string_view flags;     // separated by spaces
  absl::string_view packages;  // separated by spaces
};

absl::Span<const Target> AllTargets();

std::vector<absl::string_view> TargetNames();

// Returns null if there is no such target.
const Target* FindTarget(absl::string_view name);

// Returns the target of the same processor with a unit for float32: cortex-m4f for cortex-m4.
// Returns null if `target` has one, or if there is no such target.
const Target* WithFloatUnit(const Target& target);

}  // namespace lathe

#endif  // LATHE_TARGET_TARGET_H_
