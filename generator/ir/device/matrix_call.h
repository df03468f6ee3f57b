// What a warp does together with small matrices, of which each thread holds a part in registers:
// mma, ldmatrix, and what goes with them, in whatever dialect they are written.
#ifndef LATHE_IR_DEVICE_MATRIX_CALL_H_
#define LATHE_IR_DEVICE_MATRIX_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/device/memory_place.h"

namespace lathe::ir {

// An instruction mma.sync.aligned.m..n..k...row.col.
struct MmaForm {
  int m;
  int n;
  int k;
  // By PTX's names, as they stand there: of sums, rows and columns. tf32 is float32 in memory.
  absl::string_view c;
  absl::string_view a;
  absl::string_view b;
  absl::string_view op =
      "";          // "xor", "and": what pairs of bits are, of which those set are counted
  int since = 80;  // the first GPU that has it
};
absl::Span<const MmaForm> MmaForms();
// "m16n8k16_f32_f16_f16".
std::string FormName(const MmaForm& form);
// What an element of that name of PTX's is in memory.
DType ElementOf(absl::string_view ptx);

// A thread's part of a matrix: `registers` behind each other from the first on, or each on its own.
struct Fragment {
  std::vector<MemoryPlace> registers;
};
// Of one place.
inline Fragment OneAt(PrimRef pointer, PrimRef offset, DType unsaid) {
  return Fragment{{PlaceBehind(pointer, offset, unsaid)}};
}

// d = a * b + c.
struct MmaCall {
  const MmaForm* form = nullptr;
  Fragment d, a, b, c;
};
std::optional<MmaCall> MmaCallOf(const Intrinsic& call);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_MATRIX_CALL_H_
