// Pads a tensor with a value.
#ifndef LATHE_READER_RELAY_TEXT_OPS_PAD_H_
#define LATHE_READER_RELAY_TEXT_OPS_PAD_H_

#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Elements that are added before and after an axis; negative numbers crop.
struct PadWidth {
  PrimRef before, after;
};
using PadWidths = std::vector<PadWidth>;

// Returns `x` padded with `value`, a scalar that is converted to the dtype of `x`.
Operand PaddedBy(OpCall& c, const Operand& x, const Operand& value, const PadWidths& widths);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_PAD_H_
