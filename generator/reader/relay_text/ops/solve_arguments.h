// Derives types of operator arguments from the attributes and from the types of other arguments,
// for parameters that a program leaves unannotated:
//
//   fn (%x: Tensor[(1, 3, 8, 8), float32], %w) {
//     nn.conv2d(%x, %w, channels=4, kernel_size=[3, 3])     // %w: Tensor[(4, 3, 3, 3), float32]
//   }
#ifndef LATHE_READER_RELAY_TEXT_OPS_SOLVE_ARGUMENTS_H_
#define LATHE_READER_RELAY_TEXT_OPS_SOLVE_ARGUMENTS_H_

#include <vector>

#include "generator/ir/context.h"
#include "generator/reader/relay_text/ops/op_rows.h"

namespace lathe::relay {

// `args` holds null for each unknown argument. Returns them with those filled in that the operator
// determines; unknown scales and zero points of qnn operators become scalars. `attrs` holds every
// attribute that the row declares.
std::vector<ir::StructInfoRef> SolveArguments(ir::Context& context, const OpRow& row,
                                              const ir::AttrMap& attrs,
                                              std::vector<ir::StructInfoRef> args);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_SOLVE_ARGUMENTS_H_
