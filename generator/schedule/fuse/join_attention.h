// Attention that a program writes as several operators, two products and a softmax: one kernel, so
// that nobody else asks for the scores.
#ifndef LATHE_SCHEDULE_FUSE_JOIN_ATTENTION_H_
#define LATHE_SCHEDULE_FUSE_JOIN_ATTENTION_H_

#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// Whether a sum of products comes last, as in attention.
bool MayEndAttention(const nest::NestCall& call);

// Whether all that it does is an attention for which there is a launch.
bool IsAttention(ir::Context& context, const nest::NestCall& call);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_JOIN_ATTENTION_H_
