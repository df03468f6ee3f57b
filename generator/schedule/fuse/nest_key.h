// A text that two nests share exactly when they are equal up to the names of variables.
#ifndef LATHE_SCHEDULE_FUSE_NEST_KEY_H_
#define LATHE_SCHEDULE_FUSE_NEST_KEY_H_

#include <string>

#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// `scalars` in the order in which the kernel takes them. `numbered`: kernels that are called by
// different numbers of one name are different.
std::string NestKey(const nest::NestCall& call, const std::vector<ir::PrimRef>& scalars,
                    bool numbered);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_NEST_KEY_H_
