#include "generator/schedule/cuda/collapse_axes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/collapsible_loops.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::schedule {
namespace {

using ir::GridAxis;
using ir::PrimRef;
using ir::StmtRef;

class Joiner {
 public:
  // `values` are the expressions that use the axes. `sum` does not depend on them.
  Joiner(ir::Context& context, ir::BufferRef sum, std::vector<PrimRef*> values,
         std::vector<StmtRef>* stmts)
      : ir_(context), sum_(sum), values_(std::move(values)), stmts_(stmts) {}

  // Collapses each axis with the next inner one, from the innermost on.
  void Join(std::vector<GridAxis>& axes) {
    for (size_t i = axes.size(); i-- > 1;) {
      const GridAxis around = axes[i - 1];
      GridAxis& axis = axes[i];
      if (!GoOn(around.var, {axis.var, axis.extent})) continue;
      Drop(around.var);
      axis.extent = analysis::Simplify(
          ir_, ir_.Make(ir::BinaryOp::kMul, ir_.MakeCast(ir::DType::Int(64), around.extent),
                        ir_.MakeCast(ir::DType::Int(64), axis.extent)));
      axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
  }

 private:
  bool GoOn(PrimRef around, const ir::NestAxis& axis) const {
    const auto fine = [&](PrimRef e) { return nest::AreCollapsible(ir_, around, axis, e, sum_); };
    const auto fine_stmt = [&](StmtRef stmt) {
      if (const auto* let = stmt->As<ir::LetStmt>()) return fine(let->value);
      const auto* store = stmt->As<ir::StoreStmt>();
      return nest::AreCollapsible(ir_, around, axis, *store->buffer, store->indices) &&
             fine(store->value);
    };
    return std::all_of(values_.begin(), values_.end(), [&](PrimRef* e) { return fine(*e); }) &&
           (stmts_ == nullptr || std::all_of(stmts_->begin(), stmts_->end(), fine_stmt));
  }

  void Drop(PrimRef around) {
    nest::RewriteScalar rewrite(ir_);
    rewrite.Replace(around, ir_.Int(0, around->dtype()));
    for (PrimRef* value : values_) *value = rewrite(*value);
    if (stmts_ == nullptr) return;
    for (StmtRef& stmt : *stmts_) {
      if (const auto* let = stmt->As<ir::LetStmt>()) {
        stmt = ir_.Make(ir::LetStmt{let->var, rewrite(let->value)}, stmt->loc());
      } else {
        ir::StoreStmt store = *stmt->As<ir::StoreStmt>();
        store.indices = rewrite(store.indices);
        store.value = rewrite(store.value);
        stmt = ir_.Make(std::move(store), stmt->loc());
      }
    }
  }

  ir::Context& ir_;
  const ir::BufferRef sum_;
  std::vector<PrimRef*> values_;
  std::vector<StmtRef>* stmts_;
};

}  // namespace

void CollapseAxes(ir::Context& context, ir::TiledProduct& product) {
  Joiner(context, product.sum, {&product.by_row.value, &product.by_column.value}, &product.finish)
      .Join(product.batch);
  Joiner finish(context, product.sum, {}, &product.finish);
  finish.Join(product.rows);
  finish.Join(product.columns);
  for (ir::ProductFactor* factor : {&product.by_row, &product.by_column}) {
    Joiner joiner(context, product.sum, {&factor->value}, nullptr);
    joiner.Join(factor->lines);
    joiner.Join(factor->depth);
  }
}

}  // namespace lathe::schedule
