// Matches attention among the nests of a kernel by its loops after fusion, regardless of the source
// operators.
//
//   for i, j: s[i, j] = score of the sum over k of q[i, k] * w[j, k]
//   for i: largest[i] = the largest of s[i, j]
//   for i: sum[i] = the sum over j of e^(s[i, j] - largest[i])
//   for i, c: out[i, c] = the sum over j of e^(s[i, j] - largest[i]) * v[j, c], by sum[i]
#ifndef LATHE_SCHEDULE_CUDA_MATCH_ATTENTION_H_
#define LATHE_SCHEDULE_CUDA_MATCH_ATTENTION_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {

struct AttentionNests {
  ir::Attention attention;
  size_t statements = 0;  // the number of matched kernel statements
};

// Matches the nests from `first` on, with elementwise operations on the result. Returns nullopt if
// they are no attention, if an intermediate value has other readers, or if the head size is dynamic
// or above kLargestHead. 16-bit floats with 16-bit results use tensor cores. Sums are float32.
//
// `uses` describes the statements, `given` is memory shared by all iterations, `own` is memory that
// the kernel allocates, `lets` are the values of variables defined around the nests.
std::optional<AttentionNests> MatchAttention(ir::Context& context,
                                             const std::vector<ir::StmtRef>& stmts, size_t first,
                                             const std::vector<BufferUses>& uses,
                                             const absl::flat_hash_set<ir::PrimRef>& given,
                                             const absl::flat_hash_set<ir::PrimRef>& own,
                                             const analysis::ShapeVarMap& lets);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_ATTENTION_H_
