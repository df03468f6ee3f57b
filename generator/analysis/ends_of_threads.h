// A `return` inside of loops over threads: it ends the thread that comes to it, and no other.
#ifndef LATHE_ANALYSIS_ENDS_OF_THREADS_H_
#define LATHE_ANALYSIS_ENDS_OF_THREADS_H_

#include "absl/strings/string_view.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// A `return`, in whatever form; inside of loops over threads it is the end of one.
bool EndsThread(ir::StmtRef stmt);
// Whether such a one stands in `stmt`.
bool MayEndThread(ir::StmtRef stmt);

// "threadIdx.x" and "blockIdx.x" and their kin: what a thread of a grid is told by. Virtual threads
// are loops in each of them.
bool IsOfGrid(absl::string_view thread);

// Where all threads have to come together in `body`, but one may have ended before: on a GPU the
// others would wait for it, or read what it no longer says. Null where there is no such place.
ir::StmtRef MeetingBehindEnds(ir::StmtRef body);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ENDS_OF_THREADS_H_
