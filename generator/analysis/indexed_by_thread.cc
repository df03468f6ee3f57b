#include "generator/analysis/indexed_by_thread.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StmtRef;

class SpreadSearch {
 public:
  explicit SpreadSearch(ir::BufferRef buffer) : buffer_(buffer) {}

  bool In(StmtRef stmt) {
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (loop->kind == ir::LoopKind::kThreadBinding) threads_.insert(loop->var);
    } else if (const auto* attr = stmt->As<ir::AttrStmt>()) {
      if (const PrimRef var = ir::ThreadsOf(*attr).var; var != nullptr) threads_.insert(var);
    } else if (const auto* let = stmt->As<ir::LetStmt>()) {
      if (Hangs(let->value)) threads_.insert(let->var);
      Read(let->value);
    } else if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (const ir::BlockAxis& axis : block->axes) {
        if (axis.binding != nullptr && Hangs(axis.binding)) threads_.insert(axis.var);
      }
      for (const ir::BlockMatch& match : block->matches) {
        if (match.source.buffer == buffer_) Place(match.source.mins);
      }
    } else if (const auto* store = stmt->As<ir::StoreStmt>()) {
      if (store->buffer == buffer_) Place(store->indices);
      Read(store->value);
    } else if (const auto* value = stmt->As<ir::EvaluateStmt>()) {
      Read(value->value);
    }
    ir::ForEachChild(stmt, [&](StmtRef child) { (void)In(child); });
    return found_;
  }

 private:
  bool Hangs(PrimRef e) const {
    bool hangs = threads_.contains(e);
    ir::ForEachOperand(e, [&](PrimRef operand) { hangs = hangs || Hangs(operand); });
    return hangs;
  }
  void Place(const std::vector<PrimRef>& indices) {
    found_ = found_ || std::any_of(indices.begin(), indices.end(),
                                   [&](PrimRef index) { return Hangs(index); });
  }
  void Read(PrimRef e) {
    const auto* load = e->As<ir::Load>();
    if (load != nullptr && load->buffer == buffer_) Place(load->indices);
    ir::ForEachOperand(e, [&](PrimRef operand) { Read(operand); });
  }

  const ir::BufferRef buffer_;
  absl::flat_hash_set<PrimRef> threads_;  // thread variables, and variables derived from them
  bool found_ = false;
};

}  // namespace

bool IsIndexedByThread(StmtRef body, ir::BufferRef buffer) { return SpreadSearch(buffer).In(body); }

}  // namespace lathe::analysis
