#include "generator/schedule/cuda/match_product.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/program.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/collapse_axes.h"
#include "generator/schedule/cuda/element_offsets.h"
#include "generator/schedule/cuda/product_factor.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::GridAxis;
using ir::PrimRef;
using ir::StmtRef;

// The body of one iteration: a sum over loops, and the value stored from it.
struct SumFold {
  ir::BufferRef sum = nullptr;
  std::vector<GridAxis> loops;
  PrimRef update = nullptr;
  std::vector<StmtRef> finish;
};

class FoldReader {
 public:
  explicit FoldReader(ir::Context& context) : ir_(context) {}

  std::optional<SumFold> Read(StmtRef body) {
    const auto* seq = body->As<ir::SeqStmt>();
    if (seq == nullptr) return std::nullopt;
    size_t at = 0;
    const auto& rows = seq->stmts;
    for (; at < rows.size(); ++at) {
      const auto* let = rows[at]->As<ir::LetStmt>();
      if (let == nullptr || let->body != nullptr) break;
      lets_[let->var] = Expanded(let->value);
      fold_.finish.push_back(rows[at]);
    }
    if (rows.size() < at + 4) return std::nullopt;
    const auto* alloc = rows[at]->As<ir::AllocStmt>();
    if (alloc == nullptr || alloc->body != nullptr || alloc->buffer->scope != ir::kRegisterScope) {
      return std::nullopt;
    }
    fold_.sum = alloc->buffer;
    const auto* start = rows[at + 1]->As<ir::StoreStmt>();
    if (start == nullptr || start->buffer != fold_.sum || !nest::IsNumber(start->value, 0)) {
      return std::nullopt;
    }
    if (!ReadLoops(rows[at + 2])) return std::nullopt;
    for (at += 3; at < rows.size(); ++at) {
      const auto* let = rows[at]->As<ir::LetStmt>();
      const auto* store = rows[at]->As<ir::StoreStmt>();
      const bool fine = let != nullptr ? let->body == nullptr
                                       : store != nullptr && store->buffer != fold_.sum &&
                                             store->predicate == nullptr;
      if (!fine) return std::nullopt;
      fold_.finish.push_back(rows[at]);
    }
    return std::move(fold_);
  }

 private:
  PrimRef Expanded(PrimRef e) { return analysis::Substitute(ir_, e, lets_); }

  bool ReadLoops(StmtRef stmt) {
    const auto* loop = stmt->As<ir::ForStmt>();
    for (; loop != nullptr; loop = stmt->As<ir::ForStmt>()) {
      const bool plain = loop->step == nullptr && loop->kind != ir::LoopKind::kThreadBinding &&
                         nest::Number(loop->min) == int64_t{0};
      if (!plain) return false;
      fold_.loops.push_back({loop->var, loop->min, Expanded(loop->extent)});
      stmt = loop->body;
    }
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (size_t i = 0; i + 1 < seq->stmts.size(); ++i) {
        const auto* let = seq->stmts[i]->As<ir::LetStmt>();
        if (let == nullptr || let->body != nullptr) return false;
        lets_[let->var] = Expanded(let->value);
      }
      stmt = seq->stmts.back();
    }
    const auto* store = stmt->As<ir::StoreStmt>();
    if (store == nullptr || store->buffer != fold_.sum || store->predicate != nullptr) return false;
    fold_.update = Expanded(store->value);
    return !fold_.loops.empty();
  }

  ir::Context& ir_;
  analysis::ShapeVarMap lets_;
  SumFold fold_;
};

// Small floats are summed in float32 and rounded once. Returns nullopt for dtypes without tiles.
std::optional<ir::DType> SumDType(ir::DType dtype) {
  if (dtype.lanes != 1) return std::nullopt;
  if (dtype.is_floating()) {
    if (dtype.bits == 64) return dtype;
    return dtype.bits >= 16 ? std::optional(ir::DType::Float(32)) : std::nullopt;
  }
  return dtype.is_integer() && dtype.bits >= 32 ? std::optional(dtype) : std::nullopt;
}

class ProductMatcher {
 public:
  ProductMatcher(ir::Context& context, const ir::GridStride& grid, StmtRef loops, bool tf32)
      : ir_(context), grid_(grid), tf32_(tf32) {
    product_.loops = loops;
  }

  std::optional<ir::TiledProduct> Match() {
    PrimRef x = nullptr, y = nullptr;
    if (!Read(x, y)) return std::nullopt;
    if (HasAtMost(product_.rows, kFewLines - 1) || HasAtMost(product_.columns, kFewLines - 1) ||
        HasAtMost(product_.depth, kFewProducts - 1)) {
      return std::nullopt;
    }
    UseCores(x, y);
    Place(x, y);
    return std::move(product_);
  }

  std::optional<ir::VectorProduct> MatchVectors() {
    PrimRef x = nullptr, y = nullptr;
    if (!Read(x, y)) return std::nullopt;
    const bool few_rows = HasAtMost(product_.rows, kFewLines - 1);
    const bool few_columns = HasAtMost(product_.columns, kFewLines - 1);
    if (few_rows == few_columns || HasAtMost(product_.depth, kShortDepth - 1)) return std::nullopt;
    ir::VectorProduct vectors;
    vectors.shape.of_rows = few_rows;
    vectors.shape.vectors =
        static_cast<int>(*nest::Number(ElementsOf(few_rows ? product_.rows : product_.columns)));
    if (vectors.shape.vectors == 0) return std::nullopt;
    Place(x, y);
    for (ir::ProductFactor* factor : {&product_.by_row, &product_.by_column}) {
      if (factor->inside != nullptr) factor->element = factor->inside = nullptr;
    }
    vectors.product = std::move(product_);
    // The matrix must be contiguous across neighbors, with a single depth axis.
    const ir::ProductFactor& matrix = vectors.matrix();
    if (matrix.element == nullptr || matrix.depth.size() != 1) return std::nullopt;
    return vectors;
  }

 private:
  // Parses the sum, its factors and the roles of the axes.
  bool Read(PrimRef& x, PrimRef& y) {
    auto fold = FoldReader(ir_).Read(grid_.body);
    if (!fold) return false;
    const auto sum_dtype = SumDType(fold->sum->dtype);
    if (!sum_dtype || !Factors(*fold, x, y)) return false;
    for (const GridAxis& loop : fold->loops) {
      for (const GridAxis& axis : grid_.axes) {
        if (nest::Mentions(loop.extent, axis.var)) return false;
      }
    }
    product_.sum = fold->sum;
    product_.sum_dtype = *sum_dtype;
    product_.depth = fold->loops;
    product_.finish = std::move(fold->finish);
    // Columns are the innermost axis of the result.
    if (nest::Mentions(x, grid_.axes.back().var)) std::swap(x, y);
    for (const GridAxis& axis : grid_.axes) {
      if (nest::Number(axis.min) != int64_t{0}) return false;
      const bool in_x = nest::Mentions(x, axis.var), in_y = nest::Mentions(y, axis.var);
      (in_x == in_y ? product_.batch : in_x ? product_.rows : product_.columns).push_back(axis);
    }
    return true;
  }

  // The order of a sum may change: a contiguous axis becomes the innermost, so that vectors are
  // loaded.
  void OrderDepth(PrimRef x, PrimRef y) {
    std::vector<GridAxis>& depth = product_.depth;
    const auto lies = [&](const GridAxis& axis) {
      return IsSideBySide(ir_, x, axis.var) || IsSideBySide(ir_, y, axis.var);
    };
    if (lies(depth.back())) return;
    const auto found = std::find_if(depth.begin(), depth.end(), lies);
    if (found != depth.end()) std::rotate(found, found + 1, depth.end());
  }

  void Place(PrimRef x, PrimRef y) {
    OrderDepth(x, y);
    product_.by_row = {x, product_.rows, product_.depth};
    product_.by_column = {y, product_.columns, product_.depth};
    CollapseAxes(ir_, product_);
    PlaceFactor(ir_, product_.cores.has_value(), product_.by_row);
    PlaceFactor(ir_, product_.cores.has_value(), product_.by_column);
  }

  // Matches sum + x * y, possibly converted to the dtype of the sum.
  static bool Factors(const SumFold& fold, PrimRef& x, PrimRef& y) {
    const auto* sum = fold.update->As<ir::Binary>();
    if (sum == nullptr || sum->op != BinaryOp::kAdd) return false;
    const auto is_sum = [&](PrimRef e) {
      const auto* load = e->As<ir::Load>();
      return load != nullptr && load->buffer == fold.sum;
    };
    const PrimRef rest = is_sum(sum->lhs) ? sum->rhs : is_sum(sum->rhs) ? sum->lhs : nullptr;
    const auto* product = rest == nullptr ? nullptr : rest->As<ir::Binary>();
    if (product == nullptr || product->op != BinaryOp::kMul) return false;
    x = product->lhs;
    y = product->rhs;
    return !nest::Reads(x, fold.sum) && !nest::Reads(y, fold.sum);
  }

  // Uses tensor cores for dtypes whose products are exact in the sum's dtype, and for float32 if
  // tf32 is allowed.
  void UseCores(PrimRef& x, PrimRef& y) {
    const ir::DType single = ir::DType::Float(32);
    const PrimRef a = Narrow(x), b = Narrow(y);
    const ir::DType dtype = a->dtype();
    const bool serve = IsFloatOfCores(dtype)
                           ? product_.sum_dtype == single
                           : dtype == ir::DType::Int(8) && product_.sum_dtype == ir::DType::Int(32);
    if (serve && dtype == b->dtype()) {
      product_.cores = dtype;
      x = a;
      y = b;
    } else if (tf32_ && product_.sum_dtype == single && x->dtype() == single &&
               y->dtype() == single) {
      product_.cores = single;
    }
  }

  PrimRef ElementsOf(const std::vector<GridAxis>& axes) const {
    PrimRef count = ir_.Int(1);
    for (const GridAxis& axis : axes) {
      count = ir_.Make(BinaryOp::kMul, count, ir_.MakeCast(ir::DType::Int(64), axis.extent));
    }
    return analysis::Simplify(ir_, count);
  }

  // Returns whether the number of points is known to be at most `most`.
  static bool HasAtMost(const std::vector<GridAxis>& axes, int64_t most) {
    int64_t count = 1;
    for (const GridAxis& axis : axes) {
      const auto extent = nest::Number(axis.extent);
      if (!extent) return false;
      count *= *extent;
      if (count > most) return false;
    }
    return true;
  }

  ir::Context& ir_;
  const ir::GridStride& grid_;
  const bool tf32_;
  ir::TiledProduct product_;
};

}  // namespace

std::optional<ir::TiledProduct> MatchProduct(ir::Context& context, const ir::GridStride& grid,
                                             StmtRef loops, bool tf32) {
  if (grid.axes.empty()) return std::nullopt;
  return ProductMatcher(context, grid, loops, tf32).Match();
}

std::optional<ir::VectorProduct> MatchVectorProduct(ir::Context& context,
                                                    const ir::GridStride& grid, StmtRef loops) {
  if (grid.axes.empty()) return std::nullopt;
  return ProductMatcher(context, grid, loops, false).MatchVectors();
}

}  // namespace lathe::schedule
