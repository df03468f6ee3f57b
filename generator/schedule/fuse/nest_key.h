// Computes a text that is equal for two nests exactly if they are equal up to variable names.
#ifndef LATHE_SCHEDULE_FUSE_NEST_KEY_H_
#define LATHE_SCHEDULE_FUSE_NEST_KEY_H_

#include <string>

#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// The name of the kernel counts too, without its digits unless `numbered`. `scalars` are in the
// order of the kernel's parameters.
std::string NestKey(const nest::NestCall& call, const std::vector<ir::PrimRef>& scalars,
                    bool numbered);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_NEST_KEY_H_
