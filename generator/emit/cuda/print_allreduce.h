// Prints T.tvm_thread_allreduce: a reduction over the threads of some axes whose result every
// thread receives.
#ifndef LATHE_EMIT_CUDA_PRINT_ALLREDUCE_H_
#define LATHE_EMIT_CUDA_PRINT_ALLREDUCE_H_

#include "absl/status/status.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints `call` to `out`. `reducer` combines the values; null: the program does not declare one.
// Fails without a reducer, for more than 8 values, for results that are not elements of buffers, or
// if the number of threads is not constant.
absl::Status PrintAllreduce(CScope& scope, const ir::CommReducer* reducer,
                            const ir::Intrinsic& call, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_ALLREDUCE_H_
