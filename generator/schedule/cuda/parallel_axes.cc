#include "generator/schedule/cuda/parallel_axes.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/packed_elements.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/buffer_uses.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using ir::StmtRef;

// Returns whether `stmt` leaves the enclosing loop early. A `continue` only ends the iteration.
bool EndsEarly(StmtRef stmt) {
  bool ends = false;
  ir::ForEachStmt(stmt, [&](StmtRef s) {
    ends = ends || s->As<ir::BreakStmt>() != nullptr || s->As<ir::ReturnStmt>() != nullptr;
  });
  return ends;
}

bool IsPlainLoop(const ir::ForStmt& loop) {
  return loop.kind != ir::LoopKind::kThreadBinding && loop.step == nullptr;
}

class ParallelAxisFinder {
 public:
  ParallelAxisFinder(ir::Context& context, const absl::flat_hash_set<PrimRef>& kept,
                     const analysis::ShapeVarMap& lets, const CalleeUses& callees,
                     ConflictUnit unit)
      : ir_(context), kept_(kept), lets_(lets), callees_(callees), unit_(unit) {}

  ir::GridStride Find(StmtRef stmt) {
    const BufferUses uses = UsesOf(ir_, stmt, lets_, callees_);
    std::vector<const ir::ForStmt*> chain;
    std::vector<std::vector<StmtRef>>
        before;  // statements before each loop, inside the enclosing one
    StmtRef inside = stmt;
    for (auto next = Next(inside, uses); next; next = Next(inside, uses)) {
      chain.push_back(next->loop);
      before.push_back(std::move(next->before));
      inside = next->loop->body;
    }
    ir::GridStride found;
    found.body = inside;
    absl::flat_hash_set<const ir::ForStmt*> serial;
    if (chain.empty() || uses.opaque || EndsEarly(stmt)) {
      found.body = stmt;
      return found;
    }
    for (const ir::ForStmt* loop : chain) RangeOf(*loop);
    for (const auto& [var, count] : uses.spans) ranges_.Bound(var, {0, count - 1});
    ir::ForEachStmt(inside, [&](StmtRef s) {
      if (const auto* loop = s->As<ir::ForStmt>()) RangeOf(*loop);
    });
    absl::flat_hash_set<PrimRef> taken;  // variables that are equal in the two iterations compared
    for (const ir::ForStmt* loop : chain) {
      if (IsFree(*loop, chain, before) && IsIndependent(loop->var, uses, taken)) {
        found.axes.push_back({loop->var, loop->min, loop->extent});
        taken.insert(loop->var);
      } else {
        serial.insert(loop);
      }
    }
    if (found.axes.empty()) {
      found.body = stmt;
      return found;
    }
    for (size_t i = chain.size(); i-- > 0;) {
      if (serial.contains(chain[i])) {
        ir::ForStmt loop = *chain[i];
        loop.body = found.body;
        found.body = ir_.Make(std::move(loop), found.body->loc());
      }
      found.body = After(std::move(before[i]), found.body);
    }
    return found;
  }

 private:
  struct NextLoop {
    std::vector<StmtRef> before;
    const ir::ForStmt* loop;
  };

  // Returns the loop that the statement is, or the last one in it, after bindings and checks that
  // every thread can repeat because they read nothing that the nest writes.
  static std::optional<NextLoop> Next(StmtRef stmt, const BufferUses& uses) {
    NextLoop next = {{}, stmt->As<ir::ForStmt>()};
    if (const auto* seq = stmt->As<ir::SeqStmt>(); seq != nullptr && !seq->stmts.empty()) {
      next.before.assign(seq->stmts.begin(), seq->stmts.end() - 1);
      next.loop = seq->stmts.back()->As<ir::ForStmt>();
    }
    const bool fine = next.loop != nullptr && IsPlainLoop(*next.loop) &&
                      std::all_of(next.before.begin(), next.before.end(),
                                  [&](StmtRef s) { return IsEachThreads(s, uses); });
    return fine ? std::optional(std::move(next)) : std::nullopt;
  }

  static bool IsEachThreads(StmtRef stmt, const BufferUses& uses) {
    const auto* let = stmt->As<ir::LetStmt>();
    const auto* check = stmt->As<ir::AssertStmt>();
    const StmtRef body = let != nullptr ? let->body : check != nullptr ? check->body : nullptr;
    if ((let == nullptr && check == nullptr) || body != nullptr) return false;
    if (let != nullptr && let->var->dtype().is_handle()) return false;
    return !ReadsWritten(let != nullptr ? let->value : check->cond, uses);
  }

  static bool ReadsWritten(PrimRef e, const BufferUses& uses) {
    const auto* load = e->As<ir::Load>();
    const auto* call = e->As<ir::Intrinsic>();
    bool reads = (load != nullptr && uses.Stores(load->buffer->data)) ||
                 (call != nullptr && ir::IsCall(call->name));
    ir::ForEachOperand(e, [&](PrimRef part) { reads = reads || ReadsWritten(part, uses); });
    return reads;
  }

  StmtRef After(std::vector<StmtRef> before, StmtRef body) {
    if (before.empty()) return body;
    const Location loc = body->loc();
    if (const auto* seq = body->As<ir::SeqStmt>()) {
      before.insert(before.end(), seq->stmts.begin(), seq->stmts.end());
    } else {
      before.push_back(body);
    }
    return ir_.Make(ir::SeqStmt{std::move(before)}, loc);
  }

  void RangeOf(const ir::ForStmt& loop) {
    const analysis::Interval from = analysis::BoundsOf(ir_, loop.min, ranges_);
    const analysis::Interval count = analysis::BoundsOf(ir_, loop.extent, ranges_);
    const analysis::Interval to = from + count;
    ranges_.Bound(loop.var, {from.lo, to.hi == analysis::kPosInf ? to.hi : to.hi - 1});
  }

  // Returns whether the loop's bounds do not depend on the other loops or on statements between
  // them.
  bool IsFree(const ir::ForStmt& loop, const std::vector<const ir::ForStmt*>& chain,
              const std::vector<std::vector<StmtRef>>& before) const {
    absl::flat_hash_set<PrimRef> inside;
    for (const ir::ForStmt* other : chain) inside.insert(other->var);
    for (const std::vector<StmtRef>& stmts : before) {
      for (StmtRef stmt : stmts) {
        if (const auto* let = stmt->As<ir::LetStmt>()) inside.insert(let->var);
      }
    }
    for (PrimRef bound : {loop.min, loop.extent}) {
      if (nest::ReadsMemory(bound)) return false;
      for (PrimRef var : analysis::VarsIn(bound)) {
        if (inside.contains(var)) return false;
      }
    }
    return true;
  }

  // Returns whether no iteration accesses what another one writes: each written buffer has a
  // dimension in which all its uses are disjoint for different values of `var`.
  bool IsIndependent(PrimRef var, const BufferUses& uses,
                     const absl::flat_hash_set<PrimRef>& taken) {
    absl::flat_hash_map<PrimRef, std::vector<const BufferUse*>> by_memory;
    absl::flat_hash_set<PrimRef> written;
    for (const BufferUse& use : uses.uses) {
      const PrimRef data = use.buffer->data;
      if (uses.own.contains(data) && !kept_.contains(data)) continue;
      by_memory[data].push_back(&use);
      if (use.stores) written.insert(data);
    }
    // Callees may access any element of the memory passed to them.
    for (PrimRef data : uses.written_anywhere) {
      if (!uses.own.contains(data) || kept_.contains(data)) return false;
    }
    for (PrimRef data : uses.read_anywhere) {
      if (written.contains(data)) return false;
    }
    for (PrimRef data : written) {
      if (!IsApart(var, by_memory.at(data), uses, taken)) return false;
    }
    return true;
  }

  bool IsApart(PrimRef var, const std::vector<const BufferUse*>& uses, const BufferUses& all,
               const absl::flat_hash_set<PrimRef>& taken) {
    const ir::BufferRef buffer = uses[0]->buffer;
    for (const BufferUse* use : uses) {
      if (use->buffer != buffer || use->indices.size() != buffer->shape.size()) return false;
    }
    for (size_t d = 0; d < buffer->shape.size(); ++d) {
      if (unit_ == ConflictUnit::kByte && !AreWholeBytes(*buffer, d)) continue;
      if (IsApartIn(d, var, uses, all, taken)) return true;
    }
    return false;
  }

  // Returns whether elements at different indices of the dimension share no byte.
  static bool AreWholeBytes(const ir::Buffer& buffer, size_t d) {
    if (!ir::IsPacked(buffer.dtype)) return true;
    if (!buffer.strides.empty() || buffer.elem_offset != nullptr) return false;
    int64_t bits = buffer.dtype.bits % 8;
    for (size_t inner = d + 1; inner < buffer.shape.size(); ++inner) {
      bits = bits * (nest::Number(buffer.shape[inner]).value_or(1) % 8) % 8;
    }
    return bits == 0;
  }

  bool IsApartIn(size_t d, PrimRef var, const std::vector<const BufferUse*>& uses,
                 const BufferUses& all, const absl::flat_hash_set<PrimRef>& taken) {
    std::optional<int64_t> step;
    std::vector<PrimRef> rests;
    for (const BufferUse* use : uses) {
      const PrimRef at = use->indices[d];
      if (nest::ReadsMemory(at)) return false;
      const auto placed = [&](PrimRef value) {
        return analysis::Simplify(ir_, analysis::Substitute(ir_, at, {{var, value}}), ranges_);
      };
      const PrimRef one = ir_.Int(1, var->dtype());
      const PrimRef next = placed(ir_.Make(BinaryOp::kAdd, var, one));
      const PrimRef by =
          analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, Wide(next), Wide(placed(var))), ranges_);
      const auto* number = by->As<ir::IntImm>();
      if (number == nullptr || number->value == 0 || (step && *step != number->value)) return false;
      step = number->value;
      rests.push_back(Wide(placed(ir_.Int(0, var->dtype()))));
    }
    const int64_t apart = std::abs(*step);
    analysis::ShapeVarMap renamed;
    analysis::Assumptions both = ranges_;
    for (PrimRef loop : all.loops) {
      if (loop == var || taken.contains(loop)) continue;
      const PrimRef other = ir_.NewVar(ir::ToString(loop), loop->dtype());
      renamed[loop] = other;
      both.Bound(other, ranges_.RangeOf(ir_, loop));
    }
    for (PrimRef a : rests) {
      for (PrimRef b : rests) {
        const PrimRef off = analysis::Simplify(
            ir_, ir_.Make(BinaryOp::kSub, a, analysis::Substitute(ir_, b, renamed)), both);
        const analysis::Interval range = analysis::BoundsOf(ir_, off, both);
        if (range.lo <= -apart || range.hi >= apart) return false;
      }
    }
    return true;
  }

  PrimRef Wide(PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }

  ir::Context& ir_;
  const absl::flat_hash_set<PrimRef>& kept_;
  const analysis::ShapeVarMap& lets_;
  const CalleeUses& callees_;
  const ConflictUnit unit_;
  analysis::Assumptions ranges_;
};

}  // namespace

ir::GridStride ParallelAxes(ir::Context& context, StmtRef stmt,
                            const absl::flat_hash_set<PrimRef>& kept,
                            const analysis::ShapeVarMap& lets, const CalleeUses& callees,
                            ConflictUnit unit) {
  return ParallelAxisFinder(context, kept, lets, callees, unit).Find(stmt);
}

}  // namespace lathe::schedule
