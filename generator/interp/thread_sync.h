// Whether threads must run side by side, or one after the other gives the same.
#ifndef LATHE_INTERP_THREAD_SYNC_H_
#define LATHE_INTERP_THREAD_SYNC_H_

#include "generator/ir/tir.h"

namespace lathe::interp {

// True when threads meet in `s`: at a barrier, a warp shuffle or a reduction across threads.
bool ThreadsMeet(ir::StmtRef s);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_THREAD_SYNC_H_
