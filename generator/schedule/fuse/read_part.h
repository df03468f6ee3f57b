// Which elements of what one stage makes another one reads, and the first stage for those alone.
#ifndef LATHE_SCHEDULE_FUSE_READ_PART_H_
#define LATHE_SCHEDULE_FUSE_READ_PART_H_

#include <optional>
#include <vector>

#include "generator/nest/nest.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::schedule {

// Where a reader meets the stage that makes what it reads.
struct ReadPart {
  ir::NestStage made;           // makes what is read, and nothing else
  nest::RewriteScalar rewrite;  // the reader's axes become those of `made`
  bool whole = true;            // every element is read
};

// Matches the axes of `reader`, which reads the elements of a tensor of the sizes `shape` at
// `place`, with those of `maker`, which stores each of them at its axes:
//
//   for i < n, j < 8: t[i, j] = ...      for i < n, j < 4: ...
//   for i < n, j < 4: out[i, j] = t[i, j + 2]          with j + 2 for j
//
// Nothing unless each axis of the reader counts places of one dimension at a step that is a number,
// and all of them are proved to lie within `shape`: that indices look alike says nothing of how far
// they go.
std::optional<ReadPart> ReadPartOf(ir::Context& context, const ir::NestStage& maker,
                                   const ir::NestStage& reader,
                                   const std::vector<ir::PrimRef>& place,
                                   const std::vector<ir::PrimRef>& shape);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_READ_PART_H_
