// T.tvm_thread_allreduce: every thread gets what the values of all threads of some axes come to.
#ifndef LATHE_EMIT_CUDA_PRINT_ALLREDUCE_H_
#define LATHE_EMIT_CUDA_PRINT_ALLREDUCE_H_

#include "absl/status/status.h"
#include "generator/emit/c/c_scope.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// `reducer` combines them; null where the program does not say.
absl::Status PrintAllreduce(CScope& scope, const ir::CommReducer* reducer,
                            const ir::Intrinsic& call, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_ALLREDUCE_H_
