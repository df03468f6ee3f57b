#include "generator/lower/cuda/kernel_rows.h"

#include <utility>

namespace lathe::lower {
namespace {

using ir::StmtRef;

class Flatten {
 public:
  explicit Flatten(ir::Context& context) : ir_(context) {}

  void Append(StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (StmtRef child : seq->stmts) Append(child);
      return;
    }
    if (const auto* block = stmt->As<ir::BlockStmt>(); block != nullptr && OnlyHolds(*block)) {
      for (ir::BufferRef buffer : block->allocs) {
        ir::AllocStmt alloc;
        alloc.buffer = buffer;
        rows_.push_back(ir_.Make(std::move(alloc), stmt->loc()));
      }
      Append(block->body);
      return;
    }
    if (const auto* attr = stmt->As<ir::AttrStmt>()) {
      if (attr->body != nullptr) Append(attr->body);
      return;
    }
    if (Taken<ir::LetStmt>(stmt) || Taken<ir::AllocStmt>(stmt) || Taken<ir::DeclBufferStmt>(stmt) ||
        Taken<ir::AssertStmt>(stmt)) {
      return;
    }
    rows_.push_back(stmt);
  }

  std::vector<StmtRef> Take() { return std::move(rows_); }

 private:
  static bool OnlyHolds(const ir::BlockStmt& block) {
    return block.realized && block.axes.empty() && block.predicate == nullptr &&
           block.init == nullptr && block.matches.empty();
  }

  template <typename T>
  bool Taken(StmtRef stmt) {
    const T* holds = stmt->As<T>();
    if (holds == nullptr || holds->body == nullptr) return false;
    T alone = *holds;
    alone.body = nullptr;
    rows_.push_back(ir_.Make(std::move(alone), stmt->loc()));
    Append(holds->body);
    return true;
  }

  ir::Context& ir_;
  std::vector<StmtRef> rows_;
};

}  // namespace

std::vector<StmtRef> KernelRows(ir::Context& context, StmtRef body) {
  Flatten flatten(context);
  flatten.Append(body);
  return flatten.Take();
}

}  // namespace lathe::lower
