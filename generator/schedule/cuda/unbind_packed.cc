#include "generator/schedule/cuda/unbind_packed.h"

#include "generator/ir/each_stmt.h"
#include "generator/ir/packed_elements.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/threads/serialize_threads.h"

namespace lathe::schedule {

using ir::StmtRef;

StmtRef UnbindPacked(ir::Context& context, StmtRef body, const CalleeUses& callees) {
  const BufferUses uses = UsesOf(context, body, {}, callees);
  bool packed = false, of_launch = false;
  for (const BufferUse& use : uses.uses) {
    packed = packed || (use.stores && ir::IsPacked(use.buffer->dtype));
  }
  // Packed stores of callees.
  for (ir::PrimRef data : uses.written_anywhere) {
    const auto* pointer = data->As<ir::SymVar>();
    packed = packed || (pointer != nullptr && ir::IsPacked(pointer->pointee));
  }
  const auto add = [&](ir::BufferRef buffer) { of_launch = of_launch || IsOfLaunch(*buffer); };
  ir::ForEachStmt(body, [&](StmtRef s) {
    if (const auto* alloc = s->As<ir::AllocStmt>()) add(alloc->buffer);
    if (const auto* block = s->As<ir::BlockStmt>()) {
      for (ir::BufferRef buffer : block->allocs) add(buffer);
    }
  });
  if (!packed || of_launch || !BindsThreads(body)) return body;
  const StmtRef loops = SerializeThreads(context, body);
  return loops == nullptr ? body : loops;
}

}  // namespace lathe::schedule
