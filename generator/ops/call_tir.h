// Maps the arguments of call_tir and related operators to the parameters of the PrimFunc.
#ifndef LATHE_OPS_CALL_TIR_H_
#define LATHE_OPS_CALL_TIR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/module.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

// Returns true for call_tir, call_tir_inplace, call_tir_with_grad.
bool IsCallTir(const ir::Op& op);

// Returns the infos of the outputs, given as one info, a list or a tuple.
std::vector<ir::StructInfoRef> CallTirOutputs(const ir::Call& call);
// Returns for each output the argument that it overwrites, or -1 for a new tensor.
std::vector<int64_t> InplaceIndices(const ir::Call& call, size_t outputs);

// The source of one parameter of the PrimFunc.
struct CallTirSlot {
  enum class From { kArg, kTirVar, kOutput };
  From from = From::kArg;
  int index = 0;
};
// Returns the sources of all parameters, in order; nullopt when the PrimFunc has another number of
// parameters. Arguments come first, then the extra scalars (tir_vars), then the outputs that are
// not in place. When the last parameters are scalars, the extra scalars come last, as in older
// programs.
std::optional<std::vector<CallTirSlot>> CallTirSlots(const ir::PrimFunc& func, size_t args,
                                                     size_t tir_vars,
                                                     const std::vector<int64_t>& inplace_indices);

}  // namespace lathe::ops

#endif  // LATHE_OPS_CALL_TIR_H_
