// Implements TIR intrinsics that compute a scalar: mathematics, bit operations, tests, fixed point.
#ifndef LATHE_INTERP_KERNEL_INTRINSIC_STEPS_H_
#define LATHE_INTERP_KERNEL_INTRINSIC_STEPS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// The step of an intrinsic whose result depends only on its evaluated operands. The operands are in
// registers operands[a]..., of dtype `type`; the result goes to dst as `to`.
struct IntrinsicStep {
  Step step;
  int arity;
  uint32_t number;  // goes into b
};

// Returns the intrinsic `name` on operands of dtype `t`; nullopt for other intrinsics.
std::optional<IntrinsicStep> FindIntrinsicStep(absl::string_view name, ir::DType t);

// dst <- bits [d * width, (d + 1) * width) of the concatenated c lanes in registers operands[a]...,
// where width is that of `to`.
const Instr* ReinterpretStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_INTRINSIC_STEPS_H_
