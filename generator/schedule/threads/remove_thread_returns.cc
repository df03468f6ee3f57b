#include "generator/schedule/threads/remove_thread_returns.h"

#include <string>
#include <utility>
#include <vector>

#include "generator/analysis/thread_returns.h"
#include "generator/ir/map_children.h"
#include "generator/ir/program.h"

namespace lathe::schedule {
namespace {

using ir::StmtRef;

bool IsLoop(StmtRef stmt) {
  return stmt->As<ir::ForStmt>() != nullptr || stmt->As<ir::WhileStmt>() != nullptr;
}

class Ending {
 public:
  explicit Ending(ir::Context& context) : ir_(context) {}

  StmtRef Round(StmtRef body) {
    const StmtRef inner = Visit(body, 0);
    if (flag_ == nullptr) return inner;
    ir::AllocStmt alloc;
    alloc.buffer = flag_;
    return Made(ir::SeqStmt{{Made(std::move(alloc), body), Set(false, body), inner}}, body);
  }

 private:
  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }

  // `loops` is the number of enclosing loops within the iteration.
  StmtRef Visit(StmtRef stmt, int loops) {
    if (analysis::IsThreadReturn(stmt)) {
      if (loops == 0) return Made(ir::ContinueStmt{}, stmt);
      return Made(ir::SeqStmt{{Set(true, stmt), Made(ir::BreakStmt{}, stmt)}}, stmt);
    }
    if (!IsLoop(stmt) || !analysis::ContainsThreadReturn(stmt)) {
      return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Visit(part, loops); });
    }
    const StmtRef loop =
        ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Visit(part, loops + 1); });
    const StmtRef on = loops == 0 ? Made(ir::ContinueStmt{}, stmt) : Made(ir::BreakStmt{}, stmt);
    const ir::PrimRef ended = ir_.MakeLoad(flag_, {});
    return Made(ir::SeqStmt{{loop, Made(ir::IfStmt{ended, on, nullptr}, stmt)}}, stmt);
  }

  StmtRef Set(bool ended, StmtRef from) {
    if (flag_ == nullptr) {
      ir::Buffer flag;
      flag.name = "ended";
      flag.dtype = ir::DType::Bool();
      flag.scope = ir::kRegisterScope;
      flag.data = ir_.NewPointer(flag.name, flag.dtype, flag.scope);
      flag_ = ir_.NewBuffer(std::move(flag));
    }
    ir::StoreStmt store;
    store.buffer = flag_;
    store.value = ir_.Bool(ended);
    return Made(std::move(store), from);
  }

  ir::Context& ir_;
  ir::BufferRef flag_ = nullptr;  // whether the thread has returned; null: no loop needs it
};

}  // namespace

StmtRef RemoveThreadReturns(ir::Context& context, StmtRef body) {
  return analysis::ContainsThreadReturn(body) ? Ending(context).Round(body) : body;
}

}  // namespace lathe::schedule
