#include "generator/schedule/cuda/match_sort.h"

#include <algorithm>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/program.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/read_store_nest.h"
#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// The limit of elements numbered in shared memory. Longer rows use the memory of the ranks.
constexpr int64_t kMaxSharedElements = 8192;
// Longer rows are counted by the whole grid, unless there are as many rows.
constexpr int64_t kLongest = 65536;
constexpr int64_t kManyRows = 64;
// Shorter rows are counted, one thread for each element.
constexpr int64_t kShortestSort = 32;
constexpr int kFewestThreads = 64;
constexpr int kMaxSortThreads = 512;

const ir::Binary* BinaryWith(PrimRef e, BinaryOp op) {
  const auto* binary = e->As<ir::Binary>();
  return binary != nullptr && binary->op == op ? binary : nullptr;
}

class SortMatcher {
 public:
  SortMatcher(ir::Context& context, const std::vector<StmtRef>& stmts, size_t first,
              const std::vector<BufferUses>& uses)
      : ir_(context), stmts_(stmts), first_(first), uses_(uses) {}

  std::optional<SortNests> Match(const absl::flat_hash_set<PrimRef>& own) {
    if (!ReadCount() || !own.contains(rank_->data) || !Counts() || !IsWorth()) return std::nullopt;
    for (size_t i = 0; i < stmts_.size(); ++i) {
      if (i >= first_ && i < first_ + found_.statements) continue;
      if (stmts_[i]->As<ir::AllocStmt>() != nullptr || !uses_[i].Mentions(rank_->data)) continue;
      const StmtRef gather = i > first_ ? GatherOf(stmts_[i]) : nullptr;
      if (gather == nullptr) return std::nullopt;
      found_.gathers.emplace_back(i, gather);
    }
    if (found_.gathers.empty()) return std::nullopt;
    found_.sort.order = rank_;
    found_.sort.body = stmts_[first_ + found_.statements - 1];
    return std::move(found_);
  }

 private:
  // Matches rank[at] = the sum of terms over one loop: in one nest, or in a nest after one that
  // stores 0, as for sums that may be empty.
  bool ReadCount() {
    if (const auto stage = ParseRowStage(ir_, stmts_[first_]); stage && stage->acc != nullptr) {
      const auto* value = stage->value->As<ir::Load>();
      if (stage->fold != ir::Fold::kSum || stage->reduce.size() != 1 || !stage->outer.empty() ||
          !stage->fold_lets.empty() || !stage->lets.empty() || !nest::IsNumber(stage->init, 0) ||
          value == nullptr || value->buffer != stage->acc) {
        return false;
      }
      for (const ir::NestAxis& axis : stage->axes) {
        axes_.push_back({axis.var, ir_.Int(0), axis.extent});
      }
      over_ = {stage->reduce[0].var, ir_.Int(0), stage->reduce[0].extent};
      term_ = stage->term;
      rank_ = stage->to;
      return IsAtAxes(stage->at, axes_);
    }
    const auto begins = ReadStoreNest(ir_, stmts_[first_]);
    if (!begins || first_ + 1 >= stmts_.size() || !nest::IsNumber(begins->value, 0)) return false;
    auto nest = ReadStoreNest(ir_, stmts_[first_ + 1]);
    if (!nest || nest->to != begins->to || nest->loops.size() != begins->loops.size() + 1) {
      return false;
    }
    over_ = nest->loops.back();
    nest->loops.pop_back();
    axes_ = nest->loops;
    rank_ = nest->to;
    found_.statements = 2;
    const auto* sum = BinaryWith(nest->value, BinaryOp::kAdd);
    const auto* so_far = sum == nullptr ? nullptr : sum->lhs->As<ir::Load>();
    if (so_far == nullptr || so_far->buffer != rank_ || !IsAtAxes(so_far->indices, axes_)) {
      return false;
    }
    term_ = sum->rhs;
    for (size_t d = 0; d < axes_.size(); ++d) {
      if (begins->loops[d].extent != axes_[d].extent) return false;
    }
    return IsAtAxes(begins->at, begins->loops) && IsAtAxes(nest->at, axes_);
  }

  bool IsAtAxes(const std::vector<PrimRef>& at, const std::vector<ir::GridAxis>& axes) const {
    return std::equal(at.begin(), at.end(), axes.begin(), axes.end(),
                      [&](PrimRef index, const ir::GridAxis& axis) {
                        return analysis::Simplify(ir_, index) == axis.var;
                      });
  }

  // Returns whether a term states that x[.., k, ..] precedes x[.., j, ..].
  bool Counts() {
    const PrimRef k = over_.var;
    const auto* count = term_->As<ir::Cast>();
    const auto* either = count == nullptr ? nullptr : BinaryWith(count->value, BinaryOp::kOr);
    const auto* equal = either == nullptr ? nullptr : BinaryWith(either->rhs, BinaryOp::kAnd);
    const auto* earlier = equal == nullptr ? nullptr : BinaryWith(equal->rhs, BinaryOp::kLt);
    const auto* other = equal == nullptr ? nullptr : equal->lhs->As<ir::Unary>();
    if (earlier == nullptr || other == nullptr || other->op != ir::UnaryOp::kNot) return false;
    const auto axis = std::find_if(axes_.begin(), axes_.end(),
                                   [&](const ir::GridAxis& a) { return a.var == earlier->rhs; });
    if (earlier->lhs != k || axis == axes_.end() || axis->extent != over_.extent) return false;
    along_ = static_cast<size_t>(axis - axes_.begin());
    // The comparison with swapped operands must be the opposite of this one.
    nest::RewriteScalar swap(ir_);
    swap.Replace(k, axis->var);
    swap.Replace(axis->var, k);
    if (swap(either->lhs) != other->value || !Orders(either->lhs, k, swap)) return false;
    ir::SortRows& sort = found_.sort;
    for (size_t d = 0; d < axes_.size(); ++d) {
      if (d != along_) sort.rows.push_back(axes_[d]);
      sort.at.push_back(axes_[d].var);
    }
    sort.along = axes_[along_];
    sort.other = k;
    sort.before = either->lhs;
    return true;
  }

  // Matches a < b; for floats also with NaN ordered first or last.
  bool Orders(PrimRef before, PrimRef k, nest::RewriteScalar& swap) const {
    const auto* either = BinaryWith(before, BinaryOp::kOr);
    const auto* less = BinaryWith(either == nullptr ? before : either->lhs, BinaryOp::kLt);
    if (less == nullptr || swap(less->lhs) != less->rhs) return false;
    const PrimRef mine = less->lhs, its = less->rhs;
    if (mine->As<ir::Load>() == nullptr || !(nest::Mentions(mine, k) || nest::Mentions(its, k)))
      return false;
    if (either == nullptr) return !mine->dtype().is_floating();
    const auto* nan = BinaryWith(either->rhs, BinaryOp::kAnd);
    const auto* is_not = nan == nullptr ? nullptr : nan->rhs->As<ir::Unary>();
    if (is_not == nullptr || is_not->op != ir::UnaryOp::kNot) return false;
    return swap(nan->lhs) == is_not->value && (IsNan(nan->lhs, mine) || IsNan(nan->lhs, its));
  }

  // e != e
  static bool IsNan(PrimRef asks, PrimRef e) {
    const auto* differs = BinaryWith(asks, BinaryOp::kNe);
    return differs != nullptr && differs->lhs == e && differs->rhs == e;
  }

  bool IsWorth() const {
    const auto length = nest::Number(found_.sort.along.extent);
    if (!length) return true;
    if (*length < kShortestSort) return false;
    int64_t rows = 1;
    for (const ir::GridAxis& axis : found_.sort.rows) {
      rows *= std::min(kManyRows, nest::Number(axis.extent).value_or(kManyRows));
      rows = std::min(rows, kManyRows);
    }
    return *length <= kLongest || rows >= kManyRows;
  }

  // Rewrites to[.., rank[at], ..] = value at `at` to to[at] = value of the element with that rank.
  StmtRef GatherOf(StmtRef stmt) {
    auto nest = ReadStoreNest(ir_, stmt);
    if (!nest || nest->loops.size() != axes_.size() || nest->at.size() != axes_.size() ||
        nest::Reads(nest->value, rank_) || nest->to->data == rank_->data) {
      return nullptr;
    }
    const PrimRef place = nest->loops[along_].var;
    for (size_t d = 0; d < axes_.size(); ++d) {
      if (nest->loops[d].extent != axes_[d].extent) return nullptr;
      if (d == along_ ? !IsCount(nest->at[d], *nest) : nest->at[d] != nest->loops[d].var) {
        return nullptr;
      }
    }
    const PrimRef element = ir_.NewVar("element");
    std::vector<PrimRef> here;
    for (const ir::GridAxis& loop : nest->loops) here.push_back(loop.var);
    nest::RewriteScalar taken(ir_);
    taken.Replace(place, element);
    const Location loc = stmt->loc();
    StmtRef body =
        ir_.Make(ir::SeqStmt{{ir_.Make(ir::LetStmt{element, ir_.MakeLoad(rank_, here)}, loc),
                              ir_.Make(ir::StoreStmt{nest->to, here, taken(nest->value)}, loc)}},
                 loc);
    for (size_t d = axes_.size(); d-- > 0;) {
      ir::ForStmt loop;
      loop.var = nest->loops[d].var;
      loop.min = nest->loops[d].min;
      loop.extent = nest->loops[d].extent;
      loop.body = body;
      body = ir_.Make(std::move(loop), loc);
    }
    return body;
  }

  // Returns whether `e` is the rank at the loops' variables.
  bool IsCount(PrimRef e, const StoreNest& nest) const {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->buffer == rank_ && IsAtAxes(load->indices, nest.loops);
  }

  ir::Context& ir_;
  const std::vector<StmtRef>& stmts_;
  const size_t first_;
  const std::vector<BufferUses>& uses_;
  std::vector<ir::GridAxis> axes_;  // of the rank
  size_t along_ = 0;                // the index of the sorted axis
  ir::GridAxis over_;               // the axis of the counted elements
  PrimRef term_ = nullptr;
  BufferRef rank_ = nullptr;
  SortNests found_;
};

}  // namespace

std::optional<SortNests> MatchSort(ir::Context& context, const std::vector<StmtRef>& stmts,
                                   size_t first, const std::vector<BufferUses>& uses,
                                   const absl::flat_hash_set<PrimRef>& own) {
  auto found = SortMatcher(context, stmts, first, uses).Match(own);
  if (!found) return std::nullopt;
  ir::SortRows& sort = found->sort;
  const auto length = nest::Number(sort.along.extent);
  sort.shared = length && *length <= kMaxSharedElements ? *length : 0;
  sort.threads = length ? kFewestThreads : kMaxSortThreads;
  while (length && sort.threads<kMaxSortThreads&& * length> int64_t{2} * sort.threads) {
    sort.threads *= 2;
  }
  return found;
}

}  // namespace lathe::schedule
