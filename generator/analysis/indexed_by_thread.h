// Decides whether memory that a block allocates is divided among its threads or private to each.
#ifndef LATHE_ANALYSIS_INDEXED_BY_THREAD_H_
#define LATHE_ANALYSIS_INDEXED_BY_THREAD_H_

#include "generator/ir/tir.h"

namespace lathe::analysis {

// Returns whether an index of `buffer` in `body` depends on a thread variable.
bool IsIndexedByThread(ir::StmtRef body, ir::BufferRef buffer);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_INDEXED_BY_THREAD_H_
