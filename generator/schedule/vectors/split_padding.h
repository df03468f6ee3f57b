// Splits the padding of a convolution's input into a separate copy stage.
#ifndef LATHE_SCHEDULE_VECTORS_SPLIT_PADDING_H_
#define LATHE_SCHEDULE_VECTORS_SPLIT_PADDING_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"

namespace lathe::schedule {

// Sets `copy.stage`, the loops of the copy, from the other members.
void SetCopyStage(ir::Context& context, ir::PaddedCopy& copy);

struct SplitPadding {
  ir::PaddedCopy copy;
  ir::NestStage sum;  // reads the copy without the bounds condition
};

// Matches acc + (inside ? image[y + i - 1, ...] : 0) * weight. Returns nothing if no factor has
// this form or the condition is not exactly the bounds check of the image.
std::optional<SplitPadding> SplitPaddingOf(ir::Context& context, const ir::NestStage& stage);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_SPLIT_PADDING_H_
