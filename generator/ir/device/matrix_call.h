// Recognizes warp-level matrix operations, of which each thread holds a fragment in registers: mma,
// ldmatrix and related instructions, in all dialects.
#ifndef LATHE_IR_DEVICE_MATRIX_CALL_H_
#define LATHE_IR_DEVICE_MATRIX_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/device/memory_address.h"

namespace lathe::ir {

// A form of the instruction mma.sync.aligned.m..n..k...row.col.
struct MmaForm {
  int m;
  int n;
  int k;
  // PTX type names of the sums, rows and columns. tf32 is float32 in memory.
  absl::string_view c;
  absl::string_view a;
  absl::string_view b;
  absl::string_view op = "";  // for b1: "xor" or "and" of the bit pairs, before popcount
  int since = 80;             // lowest compute capability
};
absl::Span<const MmaForm> MmaForms();
// "m16n8k16_f32_f16_f16".
std::string FormName(const MmaForm& form);
// Returns the memory dtype of a PTX element type.
DType ElementOf(absl::string_view ptx);

// A thread's part of a matrix: consecutive registers from the first one, or separate registers.
struct Fragment {
  std::vector<MemoryAddress> registers;
};
// Returns a fragment at one address.
inline Fragment SingleRegister(PrimRef pointer, PrimRef offset, DType unsaid) {
  return Fragment{{AddressAtOffset(pointer, offset, unsaid)}};
}

// d = a * b + c.
struct MmaCall {
  const MmaForm* form = nullptr;
  Fragment d, a, b, c;
};
// Returns nothing for other calls, and for forms that are not in MmaForms().
std::optional<MmaCall> MmaCallOf(const Intrinsic& call);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_MATRIX_CALL_H_
