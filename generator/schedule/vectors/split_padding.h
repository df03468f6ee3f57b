// A convolution's image with its border, as a stage of its own.
#ifndef LATHE_SCHEDULE_VECTORS_SPLIT_PADDING_H_
#define LATHE_SCHEDULE_VECTORS_SPLIT_PADDING_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"

namespace lathe::schedule {

struct SplitPadding {
  ir::PaddedCopy copy;
  ir::NestStage sum;  // reads the copy, and asks no more whether it is inside
};

// Of acc + (inside ? image[y + i - 1, ...] : 0) * weight. Nothing where no factor is of that kind,
// or the condition is not just that the element is there.
std::optional<SplitPadding> SplitPaddingOf(ir::Context& context, const ir::NestStage& stage);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_SPLIT_PADDING_H_
