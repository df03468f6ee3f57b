// Whether memory that a block allocates for all threads has a part for each, or each thread has all
// of it for itself.
#ifndef LATHE_ANALYSIS_SPREAD_OVER_THREADS_H_
#define LATHE_ANALYSIS_SPREAD_OVER_THREADS_H_

#include "generator/ir/tir.h"

namespace lathe::analysis {

// Whether in `body` it hangs on the number of a thread which element of `buffer` is read or
// written.
bool IsSpreadOverThreads(ir::StmtRef body, ir::BufferRef buffer);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SPREAD_OVER_THREADS_H_
