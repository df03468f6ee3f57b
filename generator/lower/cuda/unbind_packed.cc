#include "generator/lower/cuda/unbind_packed.h"

#include "generator/ir/each_stmt.h"
#include "generator/ir/packed_elements.h"
#include "generator/lower/cuda/bind_threads.h"
#include "generator/lower/thread_loops.h"

namespace lathe::lower {

using ir::StmtRef;

StmtRef UnbindPacked(ir::Context& context, StmtRef body) {
  bool packed = false, of_launch = false;
  const auto add = [&](ir::BufferRef buffer) { of_launch = of_launch || IsOfLaunch(*buffer); };
  ir::ForEachStmt(body, [&](StmtRef s) {
    const auto* store = s->As<ir::StoreStmt>();
    packed = packed || (store != nullptr && ir::IsPacked(store->buffer->dtype));
    if (const auto* alloc = s->As<ir::AllocStmt>()) add(alloc->buffer);
    if (const auto* block = s->As<ir::BlockStmt>()) {
      for (ir::BufferRef buffer : block->allocs) add(buffer);
    }
  });
  if (!packed || of_launch || !BindsThreads(body)) return body;
  const StmtRef loops = ThreadLoops(context, body);
  return loops == nullptr ? body : loops;
}

}  // namespace lathe::lower
