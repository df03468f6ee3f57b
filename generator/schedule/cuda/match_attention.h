// Attention among the nests of a kernel: known by what they do, after fusion, whatever operator
// they come from.
//
//   for i, j: s[i, j] = what becomes of the sum over k of q[i, k] * w[j, k]
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
  size_t statements = 0;  // of the kernel
};

// The nests from `first` on, of which nobody else uses what is between them. Heads have a size that
// is a number; floats of 16 bits that become such floats are for tensor cores, and what adds up in
// float32 else.
//
// `uses` are those of the statements, `given` is memory that all rounds share, `own` what the
// kernel allocates, `lets` are what variables around the nests stand for.
std::optional<AttentionNests> MatchAttention(ir::Context& context,
                                             const std::vector<ir::StmtRef>& stmts, size_t first,
                                             const std::vector<BufferUses>& uses,
                                             const absl::flat_hash_set<ir::PrimRef>& given,
                                             const absl::flat_hash_set<ir::PrimRef>& own,
                                             const analysis::ShapeVarMap& lets);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_ATTENTION_H_
