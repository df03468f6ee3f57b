#include "generator/schedule/cuda/match_scan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/program.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/read_store_nest.h"
#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Shorter rows are left to one thread each.
constexpr int64_t kShortestScan = 32;
// Threads of a block for rows of dynamic length, and the maximum.
constexpr int kSomeScanThreads = 256;
constexpr int kMaxScanThreads = 512;
// Contiguous elements of each thread in longer rows.
constexpr int kEach = 4;
constexpr int64_t kLong = 256;

bool IsNumberSoFar(ir::DType dtype) {
  if (dtype.lanes != 1 || dtype.is_bool()) return false;
  return dtype.is_floating() ? dtype.bits >= 16 : dtype.is_integer() && dtype.bits >= 8;
}

class ScanMatcher {
 public:
  ScanMatcher(ir::Context& context, StoreNest nest)
      : ir_(context), nest_(std::move(nest)), k_(nest_.loops.back().var) {}

  std::optional<ir::ScanRows> Match() {
    if (!StoresAlong()) return std::nullopt;
    const auto* both = nest_.value->As<ir::Binary>();
    if (both == nullptr || (both->op != BinaryOp::kAdd && both->op != BinaryOp::kMul)) {
      return std::nullopt;
    }
    ir::ScanRows scan;
    scan.fold = both->op == BinaryOp::kAdd ? ir::Fold::kSum : ir::Fold::kProduct;
    const PrimRef first_of_left = FirstOf(both->lhs), first_of_right = FirstOf(both->rhs);
    if ((first_of_left == nullptr) == (first_of_right == nullptr)) return std::nullopt;
    scan.init = first_of_left != nullptr ? first_of_left : first_of_right;
    scan.term = first_of_left != nullptr ? both->rhs : both->lhs;
    if (nest::Reads(scan.term, nest_.to)) return std::nullopt;
    scan.rows.assign(nest_.loops.begin(), nest_.loops.end() - 1);
    scan.along = nest_.loops.back();
    scan.dtype = WideEnough(nest_.to->dtype);
    Store(scan);
    return scan;
  }

 private:
  // Returns whether the innermost loop is along the innermost dimension of the store.
  bool StoresAlong() const {
    if (!IsNumberSoFar(nest_.to->dtype) || nest_.value->dtype() != nest_.to->dtype) return false;
    if (nest_.at.empty() || nest_.at.size() != nest_.to->shape.size()) return false;
    if (!nest_.to->strides.empty() || nest_.at.back() != k_) return false;
    return std::none_of(nest_.at.begin(), nest_.at.end() - 1,
                        [&](PrimRef index) { return nest::Mentions(index, k_); });
  }

  // Matches `k == 0 ? first : to[.., k - 1]` and returns `first`, else null.
  PrimRef FirstOf(PrimRef e) const {
    const auto* chosen = e->As<ir::Intrinsic>();
    if (chosen == nullptr || chosen->name != "if_then_else" || chosen->args.size() != 3) {
      return nullptr;
    }
    const auto* asks = chosen->args[0]->As<ir::Binary>();
    const auto* before = chosen->args[2]->As<ir::Load>();
    const bool begins = asks != nullptr && asks->op == BinaryOp::kEq && asks->lhs == k_ &&
                        nest::IsNumber(asks->rhs, 0) && nest::IsNumber(chosen->args[1]);
    if (!begins || before == nullptr || before->buffer != nest_.to ||
        before->predicate != nullptr || before->indices.size() != nest_.at.size()) {
      return nullptr;
    }
    for (size_t d = 0; d + 1 < nest_.at.size(); ++d) {
      if (analysis::Simplify(ir_, before->indices[d]) != nest_.at[d]) return nullptr;
    }
    const PrimRef step = analysis::Simplify(
        ir_, ir_.Make(BinaryOp::kSub, k_, ir_.MakeCast(k_->dtype(), before->indices.back())));
    return nest::IsNumber(step, 1) ? chosen->args[1] : nullptr;
  }

  void Store(ir::ScanRows& scan) {
    ir::Buffer made;
    made.name = "so_far";
    made.dtype = nest_.to->dtype;
    made.scope = ir::kRegisterScope;
    made.data = ir_.NewPointer(made.name, made.dtype, "local");
    scan.so_far = ir_.NewBuffer(std::move(made));
    scan.store =
        ir_.Make(ir::StoreStmt{nest_.to, nest_.at, ir_.MakeLoad(scan.so_far, {})}, Location());
  }

  ir::Context& ir_;
  const StoreNest nest_;
  const PrimRef k_;
};

}  // namespace

std::optional<ir::ScanRows> MatchScan(ir::Context& context, const ir::GridStride& grid,
                                      ir::StmtRef loops) {
  auto nest = ReadStoreNest(context, loops);
  if (!nest || nest->asserts || nest->loops.empty()) return std::nullopt;
  // All loops but the last are grid axes: rows are independent.
  if (grid.axes.size() + 1 != nest->loops.size()) return std::nullopt;
  for (const ir::GridAxis& axis : grid.axes) {
    if (axis.var == nest->loops.back().var) return std::nullopt;
  }
  const auto length = nest::Number(nest->loops.back().extent);
  if (length && *length < kShortestScan) return std::nullopt;
  auto scan = ScanMatcher(context, *std::move(nest)).Match();
  if (!scan) return std::nullopt;
  scan->body = loops;
  scan->each = length && *length <= kLong ? 1 : kEach;
  scan->team = length ? 32 : kSomeScanThreads;
  while (length && scan->team<kMaxScanThreads&& * length> int64_t{scan->team} * scan->each) {
    scan->team *= 2;
  }
  return scan;
}

}  // namespace lathe::schedule
