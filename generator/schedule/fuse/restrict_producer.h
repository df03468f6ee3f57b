// Matches the elements that one stage stores with those that another one reads, and restricts the
// producer to these.
#ifndef LATHE_SCHEDULE_FUSE_RESTRICT_PRODUCER_H_
#define LATHE_SCHEDULE_FUSE_RESTRICT_PRODUCER_H_

#include <optional>
#include <vector>

#include "generator/nest/nest.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::schedule {

// The fusion of a producer stage with a reader.
struct RestrictedProducer {
  ir::NestStage made;           // computes only the elements that are read
  nest::RewriteScalar rewrite;  // maps the reader's axes to those of `made`
  bool whole = true;            // every element is read
};

// Matches the axes of `reader`, which reads a tensor of the sizes `shape` at `place`, with those of
// `maker`, which stores each element at its axes:
//
//   for i < n, j < 8: t[i, j] = ...      for i < n, j < 4: ...
//   for i < n, j < 4: out[i, j] = t[i, j + 2]          with j + 2 for j
//
// Returns nothing unless each axis of the reader indexes one dimension with a constant stride, and
// all indices are proved to be within `shape`: equal indices do not imply equal ranges.
std::optional<RestrictedProducer> RestrictProducer(ir::Context& context, const ir::NestStage& maker,
                                                   const ir::NestStage& reader,
                                                   const std::vector<ir::PrimRef>& place,
                                                   const std::vector<ir::PrimRef>& shape);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_RESTRICT_PRODUCER_H_
