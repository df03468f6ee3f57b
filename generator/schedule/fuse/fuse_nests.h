// Fuses two kernels into one, so that the tensor between them is never stored.
#ifndef LATHE_SCHEDULE_FUSE_FUSE_NESTS_H_
#define LATHE_SCHEDULE_FUSE_FUSE_NESTS_H_

#include <optional>
#include <string>

#include "generator/nest/nest_call.h"

namespace lathe::schedule {

struct Intermediate {
  ir::TensorId tensor;
  absl::string_view name;  // of its binding
  bool shared = false;     // it has other readers, and each would recompute it
  bool unpacks = false;    // weights of few bits: unpacking again is better than storing
  bool moved = false;      // a factor whose layout at the producer's input is as good
  bool weights = false;    // constant integers times scales, which a product unpacks
  bool by_teams = false;   // teams of threads sum up rows, without index checks
};

// Returns the fused name of two kernels, or `first` if it would be too long.
std::string FusedName(const std::string& first, const std::string& second);

// Returns `consumer` with the computation of `producer` inlined:
// - each element at its use, if it is read once or very cheap;
// - or, if the producer reduces, the consumer's work at the point where an element is complete.
// Returns nothing if neither is exact and profitable.
std::optional<nest::NestCall> FuseNests(ir::Context& context, const nest::NestCall& producer,
                                        const nest::NestCall& consumer, const Intermediate& over);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_FUSE_NESTS_H_
