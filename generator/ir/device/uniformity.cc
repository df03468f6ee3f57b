#include "generator/ir/device/uniformity.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "generator/ir/device/memory_address.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"
#include "generator/target/gpu.h"

namespace lathe::ir {
namespace {

bool IsWarps(int64_t threads) { return threads % kWarp == 0; }

// A thread index has the same value in any 32-bit integer type.
PrimRef WithoutCasts(PrimRef e) {
  for (const auto* cast = e->As<Cast>(); cast != nullptr; cast = e->As<Cast>()) {
    if (!e->dtype().is_integer() || e->dtype().bits < 32) break;
    e = cast->value;
  }
  return e;
}

bool IsOverX(const ForStmt& loop) { return loop.thread == "threadIdx.x"; }

bool HasLoopOverX(StmtRef body) {
  bool has = false;
  ForEachStmt(body, [&](StmtRef stmt) {
    const auto* loop = stmt->As<ForStmt>();
    has = has || (loop != nullptr && IsOverX(*loop));
  });
  return has;
}

}  // namespace

// Collects variables first; conditions are evaluated when all are known.
Uniformity::Uniformity(StmtRef body) {
  if (body == nullptr) return;
  ForEachStmt(body, [&](StmtRef stmt) {
    if (const auto* loop = stmt->As<ForStmt>(); loop != nullptr && !loop->thread.empty()) {
      const auto* first = loop->min->As<IntImm>();
      const bool counts = first != nullptr && first->value == 0 && loop->step == nullptr;
      Launched(counts ? loop->var : nullptr, loop->thread, loop->extent);
    }
    if (const auto* attr = stmt->As<AttrStmt>()) {
      const Launch launch = ThreadsOf(*attr);
      if (launch.var != nullptr) Launched(launch.var, launch.thread, attr->value);
    }
    if (const auto* store = stmt->As<StoreStmt>()) {
      written_.insert(store->buffer->data);
      Mention(store->value);
    }
    if (const auto* let = stmt->As<LetStmt>()) Mention(let->value);
    if (const auto* value = stmt->As<EvaluateStmt>()) Mention(value->value);
    if (const auto* block = stmt->As<BlockStmt>()) {
      for (const BlockMatch& match : block->matches) {
        written_.insert(match.source.buffer->data);
        written_.insert(match.buffer->data);
      }
    }
  });
  Look(body);
}

void Uniformity::Launched(PrimRef var, const std::string& thread, PrimRef extent) {
  if (!absl::StartsWith(thread, "threadIdx.")) return;
  const auto* number = WithoutCasts(extent)->As<IntImm>();
  const bool whole = number != nullptr && IsWarps(number->value);
  const auto [row, is_new] = whole_.try_emplace(thread, whole);
  row->second = row->second && whole;
  if (thread == "threadIdx.x" && var != nullptr) x_.insert(var);
}

// Memory whose address is taken may be written through that address.
void Uniformity::Mention(PrimRef e) {
  if (!mentioned_.insert(e).second) return;
  if (e->dtype().is_handle()) {
    if (PrimRef data = PointedData(e)) written_.insert(data);
  }
  ForEachOperand(e, [&](PrimRef operand) { Mention(operand); });
}

void Uniformity::Look(StmtRef stmt) {
  const auto note = [&](PrimRef var, UniformScope who) {
    if (who != UniformScope::kBlock) vars_[var] = who;
  };
  const auto* loop = stmt->As<ForStmt>();
  const bool of_block = loop != nullptr && absl::StartsWith(loop->thread, "threadIdx.");
  if (of_block) {
    // If rows along x are whole warps, the threads of a warp have the same y and z.
    const bool rows = !IsOverX(*loop) && RowsAreWarps();
    note(loop->var,
         rows && (in_x_ || HasLoopOverX(loop->body)) ? UniformScope::kWarp : UniformScope::kThread);
  } else if (loop != nullptr && loop->kind != LoopKind::kThreadBinding) {
    note(loop->var, ScopeInside(stmt));
  }
  if (const auto* attr = stmt->As<AttrStmt>()) {
    const Launch launch = ThreadsOf(*attr);
    if (absl::StartsWith(launch.thread, "threadIdx.")) note(launch.var, UniformScope::kThread);
  }
  if (const auto* let = stmt->As<LetStmt>()) note(let->var, ScopeOf(let->value));
  if (const auto* block = stmt->As<BlockStmt>()) {
    for (const BlockAxis& axis : block->axes) {
      note(axis.var, axis.binding == nullptr ? UniformScope::kThread : ScopeOf(axis.binding));
    }
  }
  const bool outside = std::exchange(in_x_, in_x_ || (of_block && IsOverX(*loop)));
  ForEachChild(stmt, [&](StmtRef child) { Look(child); });
  in_x_ = outside;
}

bool Uniformity::RowsAreWarps() const {
  const auto x = whole_.find("threadIdx.x");
  return x != whole_.end() && x->second;
}

UniformScope Uniformity::ScopeInside(StmtRef stmt) {
  if (const auto* branch = stmt->As<IfStmt>()) return ScopeOf(branch->cond);
  if (const auto* loop = stmt->As<WhileStmt>()) return ScopeOf(loop->cond);
  if (const auto* loop = stmt->As<ForStmt>()) {
    const UniformScope step = loop->step == nullptr ? UniformScope::kBlock : ScopeOf(loop->step);
    return std::min({ScopeOf(loop->min), ScopeOf(loop->extent), step});
  }
  const auto* block = stmt->As<BlockStmt>();
  const bool guarded = block != nullptr && block->predicate != nullptr;
  return guarded ? ScopeOf(block->predicate) : UniformScope::kBlock;
}

UniformScope Uniformity::ScopeOf(PrimRef e) {
  if (const auto known = memory_.find(e); known != memory_.end()) return known->second;
  const UniformScope who = Found(e);
  memory_[e] = who;
  return who;
}

UniformScope Uniformity::Found(PrimRef e) {
  if (e->As<SymVar>() != nullptr) {
    const auto it = vars_.find(e);
    return it == vars_.end() ? UniformScope::kBlock : it->second;
  }
  if (const auto* load = e->As<Load>()) {
    // Memory that the body does not write is uniform; non-global memory has been written inside the
    // launch.
    const std::string& scope = load->buffer->scope;
    const bool outside = scope.empty() || scope == "global";
    if (!outside || load->predicate != nullptr || written_.contains(load->buffer->data)) {
      return UniformScope::kThread;
    }
  }
  if (const auto* call = e->As<Intrinsic>()) {
    const bool same = call->name == "likely" || call->name == "if_then_else";
    if (!same) return UniformScope::kThread;
  }
  if (e->As<Let>() != nullptr || e->As<CommReducer>() != nullptr) return UniformScope::kThread;
  UniformScope who = UniformScope::kBlock;
  ForEachOperand(e, [&](PrimRef operand) { who = std::min(who, ScopeOf(operand)); });
  const auto* binary = e->As<Binary>();
  return who == UniformScope::kThread && binary != nullptr ? Compared(*binary) : who;
}

// An index within a row of whole warps: its warp number, and comparisons with multiples of the warp
// size, are uniform in a warp.
UniformScope Uniformity::Compared(const Binary& e) {
  const auto number = [](PrimRef side) { return WithoutCasts(side)->As<IntImm>(); };
  const auto is_warps = [](const IntImm* n, int64_t more = 0) {
    return n != nullptr && n->value >= 0 && n->value < INT32_MAX && IsWarps(n->value + more);
  };
  const IntImm* const left = number(e.lhs);
  const IntImm* const right = number(e.rhs);
  const bool left_counts = IsNumberInRow(e.lhs), right_counts = IsNumberInRow(e.rhs);
  bool warp = false;
  switch (e.op) {
    case BinaryOp::kDiv:
      // Division truncates towards zero, so negative values would mix warps.
      warp = e.lhs->As<SymVar>() != nullptr && left_counts && is_warps(right) && right->value > 0;
      break;
    case BinaryOp::kFloorDiv:
      warp = left_counts && is_warps(right) && right->value > 0;
      break;
    case BinaryOp::kShr:
      warp = left_counts && right != nullptr && right->value >= 5 && right->value < 31;
      break;
    case BinaryOp::kLt:
    case BinaryOp::kGe:
      warp = (left_counts && is_warps(right)) || (right_counts && is_warps(left, 1));
      break;
    case BinaryOp::kLe:
    case BinaryOp::kGt:
      warp = (left_counts && is_warps(right, 1)) || (right_counts && is_warps(left));
      break;
    default:
      break;
  }
  return warp ? UniformScope::kWarp : UniformScope::kThread;
}

// threadIdx.x plus a multiple of the warp size, if rows consist of whole warps.
bool Uniformity::IsNumberInRow(PrimRef e) {
  e = WithoutCasts(e);
  if (x_.contains(e)) return whole_.size() == 1 || RowsAreWarps();
  const auto* sum = e->As<Binary>();
  if (sum == nullptr || sum->op != BinaryOp::kAdd) return false;
  return (IsNumberInRow(sum->lhs) && IsWholeWarps(sum->rhs)) ||
         (IsNumberInRow(sum->rhs) && IsWholeWarps(sum->lhs));
}

bool Uniformity::IsWholeWarps(PrimRef e) {
  e = WithoutCasts(e);
  if (ScopeOf(e) == UniformScope::kThread) return false;
  if (const auto* number = e->As<IntImm>()) return IsWarps(number->value);
  const auto* product = e->As<Binary>();
  return product != nullptr && product->op == BinaryOp::kMul &&
         (IsWholeWarps(product->lhs) || IsWholeWarps(product->rhs));
}

}  // namespace lathe::ir
