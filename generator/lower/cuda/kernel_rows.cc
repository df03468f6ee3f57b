#include "generator/lower/cuda/kernel_rows.h"

#include <utility>

#include "generator/ir/program.h"

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

// acc = 0; for k: acc = acc + x[k]; sum[0] = acc: what comes together in a variable is one
// statement.
bool IsReduction(const StmtRef* row) {
  const auto* alloc = row[0]->As<ir::AllocStmt>();
  const auto* start = row[1]->As<ir::StoreStmt>();
  return alloc != nullptr && alloc->buffer->scope == ir::kRegisterScope && start != nullptr &&
         start->buffer == alloc->buffer && row[2]->As<ir::ForStmt>() != nullptr &&
         row[3]->As<ir::StoreStmt>() != nullptr;
}

}  // namespace

std::vector<StmtRef> KernelRows(ir::Context& context, StmtRef body) {
  Flatten flatten(context);
  flatten.Append(body);
  const std::vector<StmtRef> flat = flatten.Take();
  std::vector<StmtRef> rows;
  for (size_t i = 0; i < flat.size(); ++i) {
    if (i + 4 > flat.size() || !IsReduction(&flat[i])) {
      rows.push_back(flat[i]);
      continue;
    }
    rows.push_back(context.Make(ir::SeqStmt{{flat[i], flat[i + 1], flat[i + 2], flat[i + 3]}},
                                flat[i]->loc()));
    i += 3;
  }
  return rows;
}

}  // namespace lathe::lower
