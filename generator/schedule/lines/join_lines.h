// Joins two kernels, so that the tensor between them exists only as the lines that the second one
// reads next:
//
//   for line: t[line] = conv(x)          for line:
//   for line: out[line] = conv(t)   =>     move the lines of t up, and compute its next line
//                                          out[line] = conv(lines of t)
#ifndef LATHE_SCHEDULE_LINES_JOIN_LINES_H_
#define LATHE_SCHEDULE_LINES_JOIN_LINES_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

struct JoinedKernel {
  ir::Kernel kernel;
  // One for each of the kernel's buffers; nothing for memory that only the joined kernel needs.
  std::vector<std::optional<ir::TensorId>> tensors;
};

// Returns the kernel of both steps without the tensor `between`, which the first one stores and the
// second one reads. Every line of it is computed once, in order. Returns nullopt unless both are
// loops over lines, the second one reads `between` by windows of lines that follow each other, or
// one line at a time, and neither has scalar arguments.
std::optional<JoinedKernel> JoinLines(ir::Context& context, const ir::Program& program,
                                      const ir::KernelStep& first, const ir::KernelStep& second,
                                      ir::TensorId between);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_LINES_JOIN_LINES_H_
