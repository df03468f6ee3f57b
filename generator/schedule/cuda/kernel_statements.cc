#include "generator/schedule/cuda/kernel_statements.h"

#include <utility>

#include "generator/ir/each_stmt.h"
#include "generator/ir/program.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {
namespace {

using ir::StmtRef;

class Flatten {
 public:
  explicit Flatten(ir::Context& context) : ir_(context) {}

  void Append(StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (size_t i = 0; i < seq->stmts.size(); ++i) {
        const auto launch = ThreadLoopOf(seq->stmts[i]);
        if (launch && launch->body == nullptr) return AppendLaunch(*seq, i);
        Append(seq->stmts[i]);
      }
      return;
    }
    if (ThreadLoopOf(stmt)) {
      rows_.push_back(stmt);
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

  // A launch without a body covers the rest of its sequence.
  void AppendLaunch(const ir::SeqStmt& seq, size_t at) {
    ir::AttrStmt launch = *seq.stmts[at]->As<ir::AttrStmt>();
    const Location loc = seq.stmts[at]->loc();
    const std::vector<StmtRef> rest(seq.stmts.begin() + static_cast<ptrdiff_t>(at) + 1,
                                    seq.stmts.end());
    launch.body = ir_.Make(ir::SeqStmt{rest}, loc);
    rows_.push_back(ir_.Make(std::move(launch), loc));
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

// acc = 0; for k: acc = acc + x[k]; sum[0] = acc: a reduction in a variable counts as one
// statement.
bool IsReduction(const StmtRef* row) {
  const auto* alloc = row[0]->As<ir::AllocStmt>();
  const auto* start = row[1]->As<ir::StoreStmt>();
  return alloc != nullptr && alloc->buffer->scope == ir::kRegisterScope && start != nullptr &&
         start->buffer == alloc->buffer && row[2]->As<ir::ForStmt>() != nullptr &&
         row[3]->As<ir::StoreStmt>() != nullptr;
}

}  // namespace

std::vector<StmtRef> KernelStatements(ir::Context& context, StmtRef body) {
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

std::string NameOfStatements(const std::vector<StmtRef>& rows, const char* otherwise) {
  std::string name;
  for (StmtRef row : rows) {
    ir::ForEachStmt(row, [&](StmtRef s) {
      const auto* store = s->As<ir::StoreStmt>();
      if (!name.empty() || store == nullptr || IsOfLaunch(*store->buffer)) return;
      if (store->buffer->scope != ir::kRegisterScope) name = store->buffer->name;
    });
  }
  return name.empty() ? otherwise : name;
}

std::vector<StmtRef> NeededBy(ir::Context& context, const std::vector<StmtRef>& preamble,
                              StmtRef body) {
  BufferUses uses = UsesOf(context, body);
  std::vector<StmtRef> needed;
  for (size_t i = preamble.size(); i-- > 0;) {
    const auto* let = preamble[i]->As<ir::LetStmt>();
    const auto* alloc = preamble[i]->As<ir::AllocStmt>();
    const ir::PrimRef defined = let != nullptr ? let->var : alloc->buffer->data;
    if (!uses.Mentions(defined)) continue;
    needed.insert(needed.begin(), preamble[i]);
    const BufferUses more = UsesOf(context, preamble[i]);
    uses.vars.insert(more.vars.begin(), more.vars.end());
  }
  return needed;
}

}  // namespace lathe::schedule
