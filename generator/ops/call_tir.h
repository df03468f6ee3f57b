// How a call of the call_tir family meets the PrimFunc it names.
#ifndef LATHE_OPS_CALL_TIR_H_
#define LATHE_OPS_CALL_TIR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/module.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

// call_tir, call_tir_inplace, call_tir_with_grad.
bool IsCallTir(const ir::Op& op);

// The infos of the outputs, however they are written: one, a list, a tuple.
std::vector<ir::StructInfoRef> CallTirOutputs(const ir::Call& call);
// One for each output: the argument that is overwritten to become it, or -1 for a new tensor.
std::vector<int64_t> InplaceIndices(const ir::Call& call, size_t outputs);

// What one parameter of the PrimFunc is given.
struct CallTirSlot {
  enum class From { kArg, kTirVar, kOutput };
  From from = From::kArg;
  int index = 0;
};
// For every parameter, in order; nothing when the PrimFunc does not take as many. Arguments come
// first, then the extra scalars (tir_vars), then the outputs that are not in place. When the last
// parameters are the scalar ones the extra scalars come last, as older programs have it.
std::optional<std::vector<CallTirSlot>> CallTirSlots(const ir::PrimFunc& func, size_t args,
                                                     size_t tir_vars,
                                                     const std::vector<int64_t>& inplace_indices);

}  // namespace lathe::ops

#endif  // LATHE_OPS_CALL_TIR_H_
