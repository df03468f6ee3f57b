#include "generator/schedule/accesses/access_walk.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/schedule/accesses/operation_accesses.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// The limit of unproved accesses that are described.
constexpr size_t kMaxUnproved = 16;

// Returns whether the statement never continues to the next one.
bool Leaves(StmtRef stmt) {
  if (const auto* seq = stmt->As<ir::SeqStmt>()) {
    return !seq->stmts.empty() && Leaves(seq->stmts.back());
  }
  return stmt->As<ir::BreakStmt>() != nullptr || stmt->As<ir::ContinueStmt>() != nullptr ||
         stmt->As<ir::ReturnStmt>() != nullptr;
}

}  // namespace

void AccessWalk::Need(bool holds, const std::string& what) {
  if (holds) {
    ++proved_;
  } else if (unproved_.size() < kMaxUnproved &&
             std::find(unproved_.begin(), unproved_.end(), what) == unproved_.end()) {
    unproved_.push_back(what);
  }
}

void AccessWalk::Seq(const std::vector<StmtRef>& stmts) {
  const auto mark = facts_.Here();
  for (StmtRef stmt : stmts) {
    // The assertions of these statements hold for the statements after them.
    at_ = stmt;
    if (const auto* let = stmt->As<ir::LetStmt>(); let != nullptr && let->body == nullptr) {
      Name(let->var, let->value);
    } else if (const auto* check = stmt->As<ir::AssertStmt>();
               check != nullptr && check->body == nullptr) {
      Expr(check->cond);
      facts_.Assume(check->cond);
    } else {
      Stmt(stmt);
      const auto* branch = stmt->As<ir::IfStmt>();
      if (branch != nullptr && branch->else_case == nullptr && Leaves(branch->then_case)) {
        facts_.AssumeNot(branch->cond);
      }
    }
  }
  facts_.RestoreTo(mark);
}

void AccessWalk::Name(PrimRef var, PrimRef value) {
  Expr(value);
  facts_.AddBinding(var, value);
  const auto* call = value->As<ir::Intrinsic>();
  if (call == nullptr || call->name != "address_of" || call->args.empty()) return;
  if (call->args[0]->As<ir::Load>() != nullptr) pointers_[var] = call->args[0];
}

void AccessWalk::Stmt(StmtRef stmt) {
  const auto mark = facts_.Here();
  at_ = stmt;
  lathe::Match(
      stmt->node(), [&](const ir::SeqStmt& s) { Seq(s.stmts); },
      [&](const ir::ForStmt& s) {
        Expr(s.min);
        Expr(s.extent);
        ForgetStoresIn(s.body);
        facts_.AddLoop(s.var, s.min, s.extent);
        Stmt(s.body);
      },
      [&](const ir::BlockStmt& s) { Block(s); },
      [&](const ir::StoreStmt& s) {
        Expr(s.value);
        for (PrimRef index : s.indices) Expr(index);
        if (s.predicate != nullptr) {
          Expr(s.predicate);
          facts_.Assume(s.predicate);
        }
        Access(s.buffer, s.indices);
        facts_.RestoreTo(mark);
        facts_.Invalidate(s.buffer->data);
      },
      [&](const ir::LetStmt& s) {
        Name(s.var, s.value);
        if (s.body != nullptr) Stmt(s.body);
      },
      [&](const ir::IfStmt& s) {
        Expr(s.cond);
        facts_.Assume(s.cond);
        Stmt(s.then_case);
        facts_.RestoreTo(mark);
        if (s.else_case == nullptr) return;
        facts_.AssumeNot(s.cond);
        Stmt(s.else_case);
      },
      [&](const ir::WhileStmt& s) {
        ForgetStoresIn(s.body);
        Expr(s.cond);
        facts_.Assume(s.cond);
        Stmt(s.body);
      },
      [&](const ir::AllocStmt& s) {
        AddMemory(s.buffer);
        if (s.body != nullptr) Stmt(s.body);
      },
      [&](const ir::DeclBufferStmt& s) {
        Declare(*s.buffer);
        if (s.body != nullptr) Stmt(s.body);
      },
      [&](const ir::AttrStmt& s) {
        if (s.value != nullptr) Expr(s.value);
        if (s.body != nullptr) Stmt(s.body);
      },
      [&](const ir::AssertStmt& s) {
        Expr(s.cond);
        facts_.Assume(s.cond);
        if (s.body != nullptr) Stmt(s.body);
      },
      [&](const ir::EvaluateStmt& s) {
        Expr(s.value);
        ForgetStoresIn(stmt);
      },
      [&](const ir::ReturnStmt& s) {
        if (s.value != nullptr) Expr(s.value);
      },
      [](const ir::BreakStmt&) {}, [](const ir::ContinueStmt&) {});
  facts_.RestoreTo(mark);
}

void AccessWalk::Block(const ir::BlockStmt& block) {
  for (const ir::BlockAxis& axis : block.axes) {
    if (block.realized && axis.binding != nullptr) {
      Expr(axis.binding);
      facts_.AddBinding(axis.var, axis.binding);
    } else {
      facts_.AddLoop(axis.var, axis.min, axis.extent);
    }
  }
  if (block.predicate != nullptr) {
    Expr(block.predicate);
    facts_.Assume(block.predicate);
  }
  for (BufferRef alloc : block.allocs) AddMemory(alloc);
  for (const ir::BlockMatch& match : block.matches) Match(match);
  if (block.init != nullptr) Stmt(block.init);
  if (block.body != nullptr) Stmt(block.body);
}

// The view must not exceed the region, and the region must be inside its buffer.
void AccessWalk::Match(const ir::BlockMatch& match) {
  const ir::BufferRegion& from = match.source;
  bool fine = from.mins.size() == from.buffer->shape.size();
  for (size_t d = 0; fine && d < from.mins.size(); ++d) {
    const PrimRef end = ir_.Make(BinaryOp::kAdd, Wide(from.mins[d]), Wide(from.extents[d]));
    fine = facts_.IsNotNegative(from.mins[d]) && facts_.IsAtMost(end, Wide(from.buffer->shape[d]));
  }
  PrimRef region = ir_.Int(1), view = ir_.Int(1);
  for (PrimRef extent : from.extents) region = ir_.Make(BinaryOp::kMul, region, Wide(extent));
  for (PrimRef extent : match.buffer->shape) view = ir_.Make(BinaryOp::kMul, view, Wide(extent));
  fine = fine && facts_.IsAtMost(view, region);
  Need(fine, absl::StrCat("'", match.buffer->name, "' is matched with a part of '",
                          from.buffer->name, "'"));
}

// Another view of known memory must not exceed it.
void AccessWalk::Declare(const ir::Buffer& buffer) {
  if (const auto at = pointers_.find(buffer.data); at != pointers_.end()) {
    const auto& first = *at->second->As<ir::Load>();
    const bool alike = first.buffer->dtype == buffer.dtype && buffer.elem_offset == nullptr;
    Need(alike, absl::StrCat("'", buffer.name, "' is a part of '", first.buffer->name, "'"));
    return Run(first.buffer, first.indices, SizeOf(buffer));
  }
  const auto it = memory_.find(buffer.data);
  if (trusts_ && it == memory_.end()) return;
  if (it == memory_.end()) {
    Need(false, absl::StrCat("'", buffer.name, "' is declared over memory that is not known"));
    return;
  }
  const ir::Buffer& whole = *it->second;
  PrimRef size = SizeOf(buffer);
  const PrimRef bits = ir_.Int(int64_t{buffer.dtype.bits} * buffer.dtype.lanes);
  const PrimRef whole_bits = ir_.Int(int64_t{whole.dtype.bits} * whole.dtype.lanes);
  if (buffer.elem_offset != nullptr) {
    Need(facts_.IsNotNegative(buffer.elem_offset),
         absl::StrCat("'", buffer.name, "' begins before its memory"));
    size = ir_.Make(BinaryOp::kAdd, size, Wide(buffer.elem_offset));
  }
  Need(facts_.IsAtMost(ir_.Make(BinaryOp::kMul, size, bits),
                       ir_.Make(BinaryOp::kMul, SizeOf(whole), whole_bits)),
       absl::StrCat("'", buffer.name, "' is declared over '", whole.name, "'"));
}

void AccessWalk::ForgetStoresIn(StmtRef stmt) {
  ir::ForEachStmt(stmt, [&](StmtRef s) {
    if (const auto* store = s->As<ir::StoreStmt>()) facts_.Invalidate(store->buffer->data);
    const auto* evaluate = s->As<ir::EvaluateStmt>();
    const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
    if (call == nullptr) return;
    for (PrimRef arg : call->args) {
      ir::ForEachOperand(arg, [&](PrimRef part) {
        if (const auto* load = part->As<ir::Load>()) facts_.Invalidate(load->buffer->data);
        if (part->dtype().is_handle()) facts_.Invalidate(part);
      });
      if (const auto* load = arg->As<ir::Load>()) facts_.Invalidate(load->buffer->data);
      if (const auto* region = arg->As<ir::RegionArg>()) facts_.Invalidate(region->buffer->data);
      if (arg->dtype().is_handle()) facts_.Invalidate(arg);
    }
  });
}

void AccessWalk::Lazily(PrimRef e, PrimRef cond, bool holds) {
  const auto mark = facts_.Here();
  if (holds) {
    facts_.Assume(cond);
  } else {
    facts_.AssumeNot(cond);
  }
  when_.push_back(holds ? cond : ir_.Make(ir::UnaryOp::kNot, cond));
  Expr(e);
  when_.pop_back();
  facts_.RestoreTo(mark);
}

void AccessWalk::Expr(PrimRef e) {
  const auto outside = std::exchange(seen_, {});
  Inside(e);
  seen_ = outside;
}

void AccessWalk::Inside(PrimRef e) {
  if (e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr ||
      e->As<ir::FloatImm>() != nullptr) {
    return;
  }
  const auto* call = e->As<ir::Intrinsic>();
  const auto* binary = e->As<ir::Binary>();
  const auto* select = e->As<ir::Select>();
  if (call != nullptr && call->name == "if_then_else" && call->args.size() == 3) {
    Inside(call->args[0]);
    Lazily(call->args[1], call->args[0], true);
    Lazily(call->args[2], call->args[0], false);
  } else if (select != nullptr && IsScalar(select->cond)) {
    Inside(select->cond);
    Lazily(select->if_true, select->cond, true);
    Lazily(select->if_false, select->cond, false);
  } else if (binary != nullptr && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr)) {
    Inside(binary->lhs);
    Lazily(binary->rhs, binary->lhs, binary->op == BinaryOp::kAnd);
  } else if (const auto* let = e->As<ir::Let>()) {
    Inside(let->value);
    const auto mark = facts_.Here();
    facts_.AddBinding(let->var, let->value);
    Inside(let->body);
    facts_.RestoreTo(mark);
  } else if (call != nullptr && IsAccessingOperation(call->name)) {
    OperationAccesses(ir_, *call, *this);
  } else {
    // Small expressions are cheaper to visit again than to look up.
    if (e->depth() > 3 && !seen_.insert(e).second) return;
    ir::ForEachOperand(e, [&](PrimRef part) { Inside(part); });
    if (const auto* load = e->As<ir::Load>()) {
      const auto mark = facts_.Here();
      if (load->predicate != nullptr) facts_.Assume(load->predicate);
      Access(load->buffer, load->indices);
      facts_.RestoreTo(mark);
    }
  }
}

void AccessWalk::Axes(const std::vector<ir::NestAxis>& axes) {
  for (const ir::NestAxis& axis : axes) {
    Expr(axis.extent);
    facts_.AddLoop(axis.var, ir_.Int(0, axis.var->dtype()), axis.extent);
  }
}

void AccessWalk::Stage(const ir::NestStage& stage) {
  const auto lets = [&](const std::vector<ir::NestLet>& all) {
    for (const ir::NestLet& let : all) {
      Expr(let.value);
      facts_.AddBinding(let.var, let.value);
    }
  };
  Axes(stage.spatial);
  if (stage.acc != nullptr) {
    const auto mark = facts_.Here();
    Expr(stage.init);
    Axes(stage.reduce);
    lets(stage.fold_lets);
    Expr(stage.update);
    facts_.RestoreTo(mark);
  }
  lets(stage.lets);
  if (stage.value != nullptr) Expr(stage.value);
  if (stage.to == nullptr) return;
  for (PrimRef index : stage.at) Expr(index);
  Access(stage.to, stage.at);
}

}  // namespace lathe::schedule
