#include "generator/schedule/accesses/check_indices.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/map_children.h"
#include "generator/nest/scalar_facts.h"
#include "generator/nest/stored_buffers.h"
#include "generator/schedule/accesses/wrapping_range.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/transform/legalize.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using ir::StmtRef;

class Checking {
 public:
  // In loops written by the user, sizes are not constrained, indices of any dtype may wrap around,
  // and written memory may have several names.
  Checking(ir::Context& context, StmtRef body, bool has_user_loops)
      : ir_(context),
        has_user_loops_(has_user_loops),
        stored_(body),
        known_(has_user_loops ? analysis::Assumptions::Nothing() : analysis::Assumptions()) {
    if (!has_user_loops) return;
    ir::ForEachStmt(body, [&](StmtRef stmt) {
      const auto* store = stmt->As<ir::StoreStmt>();
      if (store != nullptr) written_.push_back(store->buffer->dtype);
      const auto* block = stmt->As<ir::BlockStmt>();
      const auto* let = stmt->As<ir::LetStmt>();
      const bool calls = (let != nullptr && ir::CallsFunctions(let->value)) ||
                         (store != nullptr && ir::CallsFunctions(store->value));
      writes_any_ |= calls || stmt->As<ir::EvaluateStmt>() != nullptr ||
                     stmt->As<ir::DeclBufferStmt>() != nullptr ||
                     (block != nullptr && !block->matches.empty());
    });
  }

  // A function may be called with any arguments.
  void IsGiven(const ir::PrimParam& param) {
    if (param.buffer == nullptr && !param.var->dtype().is_handle()) data_.insert(param.var);
  }

  StmtRef Checked(StmtRef stmt) { return Whole(Row(stmt), stmt); }

 private:
  std::vector<StmtRef> Row(StmtRef stmt) {
    std::vector<StmtRef> row;
    Append(stmt, row);
    return row;
  }
  StmtRef Whole(std::vector<StmtRef> row, StmtRef from) {
    return row.size() == 1 ? row[0] : Made(ir::SeqStmt{std::move(row)}, from);
  }
  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }
  StmtRef Inside(StmtRef stmt) {
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Checked(part); });
  }

  // Appends `stmt` to `row` after the checks that it needs.
  void Append(StmtRef stmt, std::vector<StmtRef>& row) {
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef child : s.stmts) Append(child, row);
        },
        [&](const ir::ForStmt& s) {
          ir::ForStmt loop = s;
          if (has_user_loops_) Counts(s, row);
          std::vector<StmtRef> body = Row(s.body);
          const auto* times = s.extent->As<ir::IntImm>();
          if (times != nullptr && times->value > 0) Hoist(body, {}, s.var, row);
          loop.body = Whole(std::move(body), s.body);
          row.push_back(Made(std::move(loop), stmt));
        },
        [&](const ir::BlockStmt& s) {
          ir::BlockStmt block = s;
          if (has_user_loops_) Regions(s, row);
          if (s.init != nullptr) block.init = Checked(s.init);
          std::vector<StmtRef> body = Row(s.body);
          analysis::ShapeVarMap bindings;
          for (const ir::BlockAxis& axis : s.axes) bindings[axis.var] = axis.binding;
          const bool plain = s.realized && s.predicate == nullptr && s.init == nullptr &&
                             s.allocs.empty() && s.matches.empty();
          if (plain) Hoist(body, bindings, nullptr, row);
          block.body = Whole(std::move(body), s.body);
          row.push_back(Made(std::move(block), stmt));
        },
        [&](const ir::StoreStmt& s) {
          Visit(s.value, nullptr);
          for (PrimRef index : s.indices) Visit(index, nullptr);
          Places(s.buffer, s.indices, nullptr);
          Emit(stmt, row);
          row.push_back(stmt);
        },
        [&](const ir::LetStmt& s) {
          Visit(s.value, nullptr);
          Emit(stmt, row);
          if (IsData(s.value)) {
            data_.insert(s.var);
            known_.Bound(s.var, {});
          }
          row.push_back(Inside(stmt));
        },
        [&](const ir::ReturnStmt& s) {
          if (s.value != nullptr) Visit(s.value, nullptr);
          Emit(stmt, row);
          row.push_back(stmt);
        },
        [&](const ir::IfStmt& s) {
          Visit(s.cond, nullptr);
          Emit(stmt, row);
          row.push_back(Inside(stmt));
        },
        [&](const ir::WhileStmt& s) { row.push_back(Turns(s, stmt)); },
        [&](const ir::AssertStmt& s) {
          Visit(s.cond, nullptr);
          Emit(stmt, row);
          row.push_back(Inside(stmt));
        },
        [&](const ir::EvaluateStmt& s) {
          Visit(s.value, nullptr);
          Emit(stmt, row);
          row.push_back(stmt);
        },
        [&](const auto&) { row.push_back(Inside(stmt)); });
  }

  // The variable of a loop whose bounds are data counts as data.
  void Counts(const ir::ForStmt& s, std::vector<StmtRef>& row) {
    Visit(s.min, nullptr);
    Visit(s.extent, nullptr);
    Emit(s.body, row);
    if (IsData(s.min) || IsData(s.extent)) {
      data_.insert(s.var);
      return;
    }
    const analysis::Interval from = Certain(s.min), count = Certain(s.extent);
    const analysis::Interval end = from + count;
    if (s.step == nullptr)
      known_.Bound(s.var, {from.lo, end.hi == analysis::kPosInf ? end.hi : end.hi - 1});
  }

  // The regions of a block are evaluated before its axes have values: in terms of the enclosing
  // loops.
  void Regions(const ir::BlockStmt& s, std::vector<StmtRef>& row) {
    analysis::ShapeVarMap bindings;
    for (const ir::BlockAxis& axis : s.axes) {
      if (axis.binding == nullptr) continue;
      Visit(axis.binding, nullptr);
      bindings[axis.var] = axis.binding;
      if (IsData(axis.binding)) {
        data_.insert(axis.var);
      } else {
        known_.Bound(axis.var, Certain(axis.binding));
      }
    }
    if (s.predicate != nullptr) Visit(s.predicate, nullptr);
    for (const ir::BlockMatch& match : s.matches) {
      Places(match.source.buffer, match.source.mins, s.predicate);
      std::vector<PrimRef> last = match.source.mins;
      for (size_t d = 0; d < last.size(); ++d) {
        const PrimRef extent = ir_.MakeCast(last[d]->dtype(), match.source.extents[d]);
        last[d] = ir_.Make(BinaryOp::kAdd, last[d],
                           ir_.Make(BinaryOp::kSub, extent, ir_.Int(1, last[d]->dtype())));
      }
      Places(match.source.buffer, last, s.predicate);
    }
    for (PrimRef& need : needs_) need = analysis::Substitute(ir_, need, bindings);
    Emit(s.body, row);
  }

  // If the condition of a while loop has a data-dependent index, it is checked before each
  // iteration.
  StmtRef Turns(const ir::WhileStmt& s, StmtRef stmt) {
    Visit(s.cond, nullptr);
    if (needs_.empty()) return Inside(stmt);
    std::vector<StmtRef> turn;
    Emit(stmt, turn);
    turn.push_back(Made(ir::IfStmt{Not(s.cond), Made(ir::BreakStmt{}, stmt), nullptr}, stmt));
    Append(s.body, turn);
    return Made(ir::WhileStmt{ir_.Bool(true), Whole(std::move(turn), s.body)}, stmt);
  }

  // Moves the leading checks of `body` to the end of `row`, in terms of outer variables. Stops at
  // the first check that depends on `var` (null: none) or on memory that is written.
  void Hoist(std::vector<StmtRef>& body, const analysis::ShapeVarMap& bindings, PrimRef var,
             std::vector<StmtRef>& row) {
    size_t count = 0;
    for (; count + 1 < body.size(); ++count) {
      const auto* check = body[count]->As<ir::AssertStmt>();
      if (check == nullptr || check->kind != kIndexError) break;
      const std::vector<PrimRef> vars = analysis::VarsIn(check->cond);
      if (std::find(vars.begin(), vars.end(), var) != vars.end() || MayChange(check->cond)) break;
      ir::AssertStmt outside = *check;
      outside.cond = analysis::Substitute(ir_, check->cond, bindings);
      row.push_back(Made(std::move(outside), body[count]));
    }
    body.erase(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void Emit(StmtRef stmt, std::vector<StmtRef>& row) {
    for (PrimRef need : needs_) {
      if (IsChecked(need, row)) continue;
      ir::AssertStmt assert;
      assert.cond = need;
      assert.kind = kIndexError;
      assert.messages = {
          absl::StrCat("an index out of bounds: ", ir::ToString(need), " is wanted")};
      row.push_back(Made(std::move(assert), stmt));
    }
    needs_.clear();
  }

  // Returns whether `row` already checks `need`, and nothing after that check can change it.
  bool IsChecked(PrimRef need, const std::vector<StmtRef>& row) const {
    const bool checked = std::any_of(row.begin(), row.end(), [&](StmtRef stmt) {
      const auto* check = stmt->As<ir::AssertStmt>();
      return check != nullptr && check->kind == kIndexError && check->cond == need;
    });
    return checked && !MayChange(need);
  }

  // Returns whether the kernel may write memory that `e` reads.
  bool MayChange(PrimRef e) const {
    const auto* load = e->As<ir::Load>();
    if (load != nullptr && (writes_any_ || std::find(written_.begin(), written_.end(),
                                                     load->buffer->dtype) != written_.end())) {
      return true;
    }
    bool may = stored_.AreReadBy(e);
    ir::ForEachOperand(e, [&](PrimRef part) { may = may || MayChange(part); });
    return may;
  }

  // Adds checks for every access of `e`, under the condition `when` (null: always).
  void Visit(PrimRef e, PrimRef when) {
    const auto* load = e->As<ir::Load>();
    const auto* call = e->As<ir::Intrinsic>();
    const auto* binary = e->As<ir::Binary>();
    if (call != nullptr && call->name == "if_then_else") {
      Visit(call->args[0], when);
      Visit(call->args[1], And(when, call->args[0]));
      Visit(call->args[2], And(when, Not(call->args[0])));
    } else if (binary != nullptr && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr)) {
      Visit(binary->lhs, when);
      Visit(binary->rhs, And(when, binary->op == BinaryOp::kAnd ? binary->lhs : Not(binary->lhs)));
    } else {
      ir::ForEachOperand(e, [&](PrimRef part) { Visit(part, when); });
    }
    if (load != nullptr)
      Places(load->buffer, load->indices, when);  // after the checks of its indices
  }

  void Places(ir::BufferRef buffer, const std::vector<PrimRef>& indices, PrimRef when) {
    for (size_t d = 0; d < indices.size() && d < buffer->shape.size(); ++d) {
      if (!IsData(indices[d])) continue;
      const std::optional<PrimRef> within = Within(indices[d], buffer->shape[d]);
      if (!within) continue;
      if (nest::AnyConjunct(when, [&](PrimRef cond) { return cond == *within; })) continue;
      const PrimRef need = when == nullptr ? *within : ir_.Make(BinaryOp::kOr, Not(when), *within);
      if (std::find(needs_.begin(), needs_.end(), need) == needs_.end()) needs_.push_back(need);
    }
  }

  // Returns the condition 0 <= index < extent, or nothing if it always holds.
  std::optional<PrimRef> Within(PrimRef index, PrimRef extent) {
    if (has_user_loops_ && !Holds(index->dtype(), extent)) {
      index = ir_.MakeCast(ir::DType::Int(64), index);
    }
    PrimRef lowest = ir_.Int(0, index->dtype());
    extent = InDType(index->dtype(), extent);
    if (PrimRef plain = CountedFromEnd(index, extent)) {
      index = plain;
      extent = InDType(index->dtype(), extent);
      lowest =
          analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, ir_.Int(0, index->dtype()), extent));
    }
    const analysis::Interval range = Certain(index);
    const auto* least = lowest->As<ir::IntImm>();
    const auto* size = extent->As<ir::IntImm>();
    const bool above = range.lo >= 0 || (least != nullptr && range.lo >= least->value);
    const bool below = size != nullptr && range.hi < size->value;
    if (size != nullptr && size->value == 0) return ir_.Bool(false);  // there are no elements
    if (above && below) return std::nullopt;
    const PrimRef not_below = ir_.Make(BinaryOp::kGe, index, lowest);
    const PrimRef not_above = ir_.Make(BinaryOp::kLt, index, extent);
    if (above) return not_above;
    return below ? not_below : ir_.Make(BinaryOp::kAnd, not_below, not_above);
  }

  PrimRef InDType(ir::DType dtype, PrimRef extent) {
    const auto* size = extent->As<ir::IntImm>();
    const bool known = size != nullptr && Holds(dtype, extent);
    return known ? ir_.Int(size->value, dtype) : ir_.MakeCast(dtype, extent);
  }

  // Returns whether `extent` can be represented in the index's `dtype`.
  static bool Holds(ir::DType dtype, PrimRef extent) {
    const auto* size = extent->As<ir::IntImm>();
    if (dtype == ir::DType::Int(64)) return true;
    const int bits = dtype.is_int() ? dtype.bits - 1 : dtype.bits;
    return size != nullptr && bits < 63 && size->value < int64_t{1} << bits;
  }

  // The range of `e`; for loops of the user, with wraparound.
  analysis::Interval Certain(PrimRef e) {
    return has_user_loops_ ? WrappingRange(ir_, e, known_) : analysis::BoundsOf(ir_, e, known_);
  }

  // Returns x of "x < 0 ? x + extent : x", where a signed x may be as low as -extent. Null if
  // `index` has another form.
  PrimRef CountedFromEnd(PrimRef index, PrimRef extent) {
    const auto* select = index->As<ir::Select>();
    if (select == nullptr) return nullptr;
    const PrimRef x = select->if_false;
    const PrimRef sum = ir_.Make(BinaryOp::kAdd, x, ir_.MakeCast(x->dtype(), extent));
    const PrimRef below = ir_.Make(BinaryOp::kLt, x, ir_.Int(0, x->dtype()));
    const bool same =
        analysis::Simplify(ir_, select->cond, known_) == analysis::Simplify(ir_, below, known_) &&
        analysis::Simplify(ir_, select->if_true, known_) == analysis::Simplify(ir_, sum, known_);
    return same && x->dtype().is_int() ? x : nullptr;
  }

  bool IsData(PrimRef e) const {
    if (e->dtype().lanes != 1) return false;
    if (nest::ReadsMemory(e) || ir::CallsFunctions(e)) return true;
    for (PrimRef var : analysis::VarsIn(e)) {
      if (data_.contains(var)) return true;
    }
    return false;
  }

  PrimRef Not(PrimRef e) { return ir_.Make(ir::UnaryOp::kNot, e); }
  PrimRef And(PrimRef a, PrimRef b) { return a == nullptr ? b : ir_.Make(BinaryOp::kAnd, a, b); }

  ir::Context& ir_;
  const bool has_user_loops_;
  const nest::StoredBuffers stored_;
  std::vector<ir::DType> written_;     // the dtypes that the user's loops store
  bool writes_any_ = false;            // may write through unknown names
  absl::flat_hash_set<PrimRef> data_;  // variables with values read from memory
  analysis::Assumptions known_;        // data variables, unlike sizes, may be negative
  std::vector<PrimRef> needs_;         // checks of the current statement
};

}  // namespace

void CheckIndices(ir::Context& context, ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::PrimFunc& func = program.kernels[ir::KernelId{i}].func;
    const bool has_user_loops =
        ir::FindAttr<std::string>(func.attrs, transform::kOperatorName) == nullptr;
    if (has_user_loops && BindsThreads(func.body))
      continue;  // a failing thread would leave others waiting at barriers
    func.body = Checking(context, func.body, has_user_loops).Checked(func.body);
  }
  for (auto& [name, func] : program.callees) {
    Checking checking(context, func.body, true);
    for (const ir::PrimParam& param : func.params) checking.IsGiven(param);
    func.body = checking.Checked(func.body);
  }
}

}  // namespace lathe::schedule
