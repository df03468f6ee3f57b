#include "generator/ir/final_store.h"

namespace lathe::ir {
namespace {

// Returns false if there are other statements, or any after the store.
bool Walk(StmtRef stmt, const StoreStmt*& last) {
  if (stmt == nullptr) return true;
  if (last != nullptr) return false;
  if (const auto* let = stmt->As<LetStmt>()) return Walk(let->body, last);
  if (const auto* seq = stmt->As<SeqStmt>()) {
    for (StmtRef part : seq->stmts) {
      if (!Walk(part, last)) return false;
    }
    return true;
  }
  last = stmt->As<StoreStmt>();
  return last != nullptr;
}

}  // namespace

const StoreStmt* FinalStore(const std::vector<StmtRef>& stmts) {
  const StoreStmt* last = nullptr;
  for (StmtRef stmt : stmts) {
    if (!Walk(stmt, last)) return nullptr;
  }
  return last;
}

}  // namespace lathe::ir
