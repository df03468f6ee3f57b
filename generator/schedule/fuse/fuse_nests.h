// Two kernels as one, so that what the first hands to the second is never stored.
#ifndef LATHE_SCHEDULE_FUSE_FUSE_NESTS_H_
#define LATHE_SCHEDULE_FUSE_FUSE_NESTS_H_

#include <optional>
#include <string>

#include "generator/nest/nest_call.h"

namespace lathe::schedule {

struct HandOver {
  ir::TensorId tensor;
  absl::string_view name;  // of its binding
  bool shared = false;     // others read it too, and each would compute it again
  bool unpacks = false;    // weights of few bits are better unpacked again than kept in memory
  bool moved = false;      // it is a factor that lies as well where the producer reads it
  bool by_teams = false;   // rows are summed up by teams of threads, which check no index first
};

// What a kernel is called that does what two of these names do, where that is short enough.
std::string NameOfBoth(const std::string& first, const std::string& second);

// `consumer` with what `producer` computes computed where it is read:
// - each element in place, when it is read once, or costs next to nothing;
// - or, when the producer's elements come together over a reduce axis, the consumer's work where
//   each of them is complete.
// Nothing when neither is exact and worth it.
std::optional<nest::NestCall> FuseNests(ir::Context& context, const nest::NestCall& producer,
                                        const nest::NestCall& consumer, const HandOver& over);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_FUSE_NESTS_H_
