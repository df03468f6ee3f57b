// Computes the distance of overlap_distance.h for a kernel in a library form, stage by stage.
//
//   copy x to x_padded; y = sums of x_padded                    0: y may replace all of x
//   for each line: copy three lines of x; compute a line of y   x must stay two lines ahead
//   for each block of four rows: y = x * w                      x must stay four rows ahead
#ifndef LATHE_PLAN_FORM_DISTANCE_H_
#define LATHE_PLAN_FORM_DISTANCE_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "generator/analysis/arithmetic/constant_value.h"
#include "generator/ir/kernel_form.h"

namespace lathe::plan {

// Returns the smallest distance in elements, at least 0, of the start of `read` above the start of
// `written`. `values` are the known scalars of the kernel. Subtracts the visits of stages in shared
// loops and of rows of products from `visits_left`. Returns nullopt if the visits are used up, if a
// stage may access memory through a pointer, if a stage reads and writes the memory in an order
// that is not known, or if a size or position is not constant.
std::optional<int64_t> FormDistance(const ir::KernelForm& form,
                                    absl::Span<const ir::BufferRef> read, ir::BufferRef written,
                                    const analysis::ConstantValues& values, int64_t& visits_left);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_FORM_DISTANCE_H_
