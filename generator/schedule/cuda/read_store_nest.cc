#include "generator/schedule/cuda/read_store_nest.h"

#include <utility>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

class Reader {
 public:
  explicit Reader(ir::Context& context) : ir_(context), bound_(context) {}

  std::optional<StoreNest> Read(StmtRef stmt) {
    if (!Take(stmt)) return std::nullopt;
    return std::move(nest_);
  }

 private:
  bool Take(StmtRef stmt) {
    if (const auto* loop = stmt->As<ir::ForStmt>()) return TakeLoop(*loop);
    if (const auto* block = stmt->As<ir::BlockStmt>()) return TakeBlock(*block);
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (size_t i = 0; i + 1 < seq->stmts.size(); ++i) {
        const auto* let = seq->stmts[i]->As<ir::LetStmt>();
        const auto* assert = seq->stmts[i]->As<ir::AssertStmt>();
        const bool stands =
            let != nullptr ? let->body == nullptr : assert != nullptr && assert->body == nullptr;
        if (!stands) return false;
        if (let != nullptr) bound_.Replace(let->var, bound_(let->value));
        nest_.asserts = nest_.asserts || assert != nullptr;
      }
      return !seq->stmts.empty() && Take(seq->stmts.back());
    }
    if (const auto* let = stmt->As<ir::LetStmt>(); let != nullptr && let->body != nullptr) {
      bound_.Replace(let->var, bound_(let->value));
      return Take(let->body);
    }
    if (const auto* assert = stmt->As<ir::AssertStmt>();
        assert != nullptr && assert->body != nullptr) {
      nest_.asserts = true;
      return Take(assert->body);
    }
    return TakeStore(stmt);
  }

  bool TakeLoop(const ir::ForStmt& loop) {
    const bool plain = loop.kind != ir::LoopKind::kThreadBinding && loop.step == nullptr &&
                       nest::Number(loop.min) == int64_t{0};
    if (!plain) return false;
    nest_.loops.push_back({loop.var, loop.min, bound_(loop.extent)});
    return Take(loop.body);
  }

  bool TakeBlock(const ir::BlockStmt& block) {
    if (!block.realized || block.predicate != nullptr || block.init != nullptr ||
        !block.allocs.empty() || !block.matches.empty()) {
      return false;
    }
    for (const ir::BlockAxis& axis : block.axes) {
      if (axis.binding == nullptr) return false;
      bound_.Replace(axis.var, bound_(axis.binding));
    }
    return Take(block.body);
  }

  bool TakeStore(StmtRef stmt) {
    const auto* store = stmt->As<ir::StoreStmt>();
    if (store == nullptr || store->predicate != nullptr) return false;
    nest_.to = store->buffer;
    for (PrimRef index : store->indices) {
      nest_.at.push_back(analysis::Simplify(ir_, bound_(index)));
    }
    nest_.value = bound_(store->value);
    return true;
  }

  ir::Context& ir_;
  nest::RewriteScalar bound_;
  StoreNest nest_;
};

}  // namespace

std::optional<StoreNest> ReadStoreNest(ir::Context& context, StmtRef stmt) {
  return Reader(context).Read(stmt);
}

}  // namespace lathe::schedule
