// Steps for the intrinsics of TIR that compute a scalar: mathematics, bits, tests, fixed point.
#ifndef LATHE_INTERP_KERNEL_INTRINSIC_STEPS_H_
#define LATHE_INTERP_KERNEL_INTRINSIC_STEPS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// How an intrinsic computes whose result is a scalar of its operands alone, all of them evaluated.
// The operands are in registers operands[a]..., of dtype `type`; the result goes to dst as `to`.
struct IntrinsicStep {
  Step step;
  int arity;
  uint32_t number;  // goes into b
};

// The intrinsic `name` on operands of dtype `t`; nothing when it is not of this sort.
std::optional<IntrinsicStep> FindIntrinsicStep(absl::string_view name, ir::DType t);

// dst <- bits [d * width, (d + 1) * width) of the c lanes in registers operands[a]... laid end to
// end, width being that of `to`.
const Instr* ReinterpretStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_INTRINSIC_STEPS_H_
