#include "generator/transform/stream/resize_kernel.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/map_parts.h"

namespace lathe::transform {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// Rewrites the statements of a function for other sizes of its buffers.
class KernelResizer {
 public:
  KernelResizer(ir::Context& context, const KernelWindow& window, int64_t frames)
      : context_(context), window_(window), frames_(frames) {}

  BufferRef Resized(BufferRef buffer, int64_t frames) {
    ir::Buffer copy = *buffer;
    copy.shape[static_cast<size_t>(window_.axes.at(buffer))] =
        context_.Int(frames, copy.shape[0]->dtype());
    return buffers_[buffer] = context_.NewBuffer(std::move(copy));
  }

  BufferRef Of(BufferRef buffer) {
    if (const auto it = buffers_.find(buffer); it != buffers_.end()) return it->second;
    return window_.axes.contains(buffer) ? Resized(buffer, frames_) : buffer;
  }

  PrimRef Of(PrimRef e) {
    if (e == nullptr) return nullptr;
    if (const auto it = done_.find(e); it != done_.end()) return it->second;
    PrimRef result = nullptr;
    if (const auto* load = e->As<ir::Load>()) {
      result = context_.MakeLoad(Of(load->buffer), Of(load->indices), Of(load->predicate));
    } else {
      result = ir::MapOperands(context_, e, [&](PrimRef operand) { return Of(operand); });
    }
    return done_[e] = result;
  }

  std::vector<PrimRef> Of(std::vector<PrimRef> list) {
    for (PrimRef& e : list) e = Of(e);
    return list;
  }

  StmtRef Of(StmtRef stmt) {
    if (stmt == nullptr) return nullptr;
    const auto extent = [&](PrimRef var, PrimRef old) {
      return window_.vars.contains(var) ? context_.Int(frames_, old->dtype()) : old;
    };
    ir::Stmt::Node node =
        ir::MapChildren(context_, stmt, [&](StmtRef child) { return Of(child); })->node();
    ir::MapParts(
        node, [&](PrimRef e) { return Of(e); }, [&](BufferRef buffer) { return Of(buffer); });
    if (auto* loop = std::get_if<ir::ForStmt>(&node)) {
      loop->extent = extent(loop->var, loop->extent);
    } else if (auto* block = std::get_if<ir::BlockStmt>(&node)) {
      for (ir::BlockAxis& axis : block->axes) axis.extent = extent(axis.var, axis.extent);
      block->reads.reset();
      block->writes.reset();
    }
    return context_.Make(std::move(node), stmt->loc());
  }

 private:
  ir::Context& context_;
  const KernelWindow& window_;
  const int64_t frames_;
  absl::flat_hash_map<BufferRef, BufferRef> buffers_;
  absl::flat_hash_map<PrimRef, PrimRef> done_;
};

}  // namespace

ir::PrimFunc WithFrames(ir::Context& context, const ir::PrimFunc& func, const KernelWindow& window,
                        int64_t frames) {
  KernelResizer resizer(context, window, frames);
  ir::PrimFunc resized = func;
  for (ir::PrimParam& param : resized.params) {
    if (param.buffer == nullptr || !window.axes.contains(param.buffer)) continue;
    const bool is_result = param.buffer == func.params.back().buffer;
    const int64_t read = (frames - 1) * window.stride + window.kernel;
    param.buffer = resizer.Resized(param.buffer, is_result ? frames : read);
  }
  resized.body = resizer.Of(func.body);
  return resized;
}

}  // namespace lathe::transform
