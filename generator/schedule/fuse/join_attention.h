// Recognizes attention written as several operators (two products and a softmax), so that it
// becomes one kernel that does not store the scores.
#ifndef LATHE_SCHEDULE_FUSE_JOIN_ATTENTION_H_
#define LATHE_SCHEDULE_FUSE_JOIN_ATTENTION_H_

#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// Returns whether the last stage is a sum over one axis, like the second product of an attention.
bool MayEndAttention(const nest::NestCall& call);

// Returns whether the whole kernel is an attention that has a launch form.
bool IsAttention(ir::Context& context, const nest::NestCall& call);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_JOIN_ATTENTION_H_
