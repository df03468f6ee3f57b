// What can be emitted for: a table of targets and what each has. A target is a row of numbers;
// whoever chooses code by the machine reads them and never asks for a name.
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

  // C's types. generic-c99 promises what the standard does and no more.
  int int_bits;
  int pointer_bits;  // of size_t too
  int double_bits;
  bool has_c99_math;  // its <math.h> has the functions that came with C99: erf, expm1, log2 ...

  // Memory, in bytes; 0 where there is none or where parts of one name differ.
  int64_t ram_align;    // of the arena's first byte and of every buffer in it; a power of two
  int64_t flash_align;  // that constants have at least
  int64_t l1_bytes;     // cache for data
  int64_t l2_bytes;
  int64_t tcm_bytes;  // tightly coupled memory for data

  // Arithmetic.
  int vector_bytes;  // of a vector register; 0 for none
  int vector_registers;
  // What gcc and clang define where their vector types become those registers; empty where the
  // library of kernels has nothing to gain.
  absl::string_view vector_macro;
  bool has_fma;      // one instruction multiplies and adds floats, rounding once
  bool has_float;    // float32 in hardware
  bool has_double;   // float64
  bool has_half;     // float16, more than conversions
  int dot_products;  // of 8 or 16 bits, that one instruction multiplies and adds up; 1 for none

  // Who builds it unless the user says otherwise, and the Debian packages that have it.
  absl::string_view compiler;
  absl::string_view flags;     // separated by spaces
  absl::string_view packages;  // so too
};

absl::Span<const Target> AllTargets();

std::vector<absl::string_view> TargetNames();

// By name; null when there is none.
const Target* FindTarget(absl::string_view name);

}  // namespace lathe

#endif  // LATHE_TARGET_TARGET_H_
