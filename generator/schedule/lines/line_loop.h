// Recognizes kernels that compute their result line by line, so that the lines of one kernel can be
// computed where another one needs them.
//
//   for line in range(32):
//     lathe_padded_lines_i8(line - 1, ..., x[0], lines[0])
//     lathe_paired_products_twice_i8(..., lines[0], ..., out[line * 512])
#ifndef LATHE_SCHEDULE_LINES_LINE_LOOP_H_
#define LATHE_SCHEDULE_LINES_LINE_LOOP_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/analysis/arithmetic/constant_value.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// The kernel is `count` turns of `body`, with line = 0, 1, ...
struct LineLoop {
  ir::PrimRef line = nullptr;
  int64_t count = 0;
  ir::StmtRef body = nullptr;
};

// Returns the loop of a kernel that consists of one loop. The product of all rows of an image with
// `lines` lines, and a loop over its elements, become loops over these lines. Returns nullopt for
// other kernels.
std::optional<LineLoop> LineLoopOf(ir::Context& context, const ir::Kernel& kernel, int64_t lines);

// Returns true if the body consists of loops, branches, stores and operations with a definition
// (ir/defined_operations.h), whose accesses are known.
bool HasKnownAccesses(const LineLoop& loop);

// Returns the number of elements of a line if each turn stores its own line of `out`, one after
// another, and the body does not read `out`. Otherwise returns nullopt.
std::optional<int64_t> StoredLine(ir::Context& context, const LineLoop& loop, ir::BufferRef out);

// An element of the line that a turn computes.
struct LinePlace {
  ir::PrimRef offset = nullptr;  // from the start of the line
  int64_t length = 0;            // of a line
};
// Returns the place of `indices` if one of them is the line itself, and all sizes before it are 1,
// or if the only one is length * line + i, for a loop i over the line. Otherwise returns nullopt.
std::optional<LinePlace> PlaceInLine(ir::Context& context, const LineLoop& loop,
                                     ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices);

// Calls `visit` for each turn with the value of the line. Returns false at the first turn for which
// `visit` does.
bool ForEachTurn(const LineLoop& loop,
                 absl::FunctionRef<bool(int64_t line, const analysis::ConstantValues&)> visit);

// Returns true if `index` is length * line in every turn.
bool IsStartOfLine(const LineLoop& loop, ir::PrimRef index, int64_t length);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_LINES_LINE_LOOP_H_
