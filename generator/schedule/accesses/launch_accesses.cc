#include "generator/schedule/accesses/launch_accesses.h"

#include <vector>

#include "generator/nest/scalar_facts.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::GridAxis;
using ir::PrimRef;

class Launch {
 public:
  Launch(ir::Context& context, analysis::FactStack& facts, AccessWalk& walk)
      : ir_(context), facts_(facts), walk_(walk) {}

  void Find(const ir::GridLaunch& launch) {
    for (ir::StmtRef stmt : launch.preamble) Behind(stmt);
    lathe::Match(
        launch.form, [&](const ir::GridStride& f) { Grid(f); },
        [&](const ir::TeamRows& f) { Rows(f); }, [&](const ir::ScanRows& f) { Scan(f); },
        [&](const ir::SortRows& f) { Sort(f); }, [&](const ir::WideStride& f) { Wide(f); },
        [&](const ir::TransposeTiles& f) { Transposed(f); },
        [&](const ir::TiledProduct& f) { Product(f); },
        [&](const ir::VectorProduct& f) { Product(f.product); },
        [&](const ir::Attention& f) { Attention(f); }, [](const ir::BoundThreads&) {});
  }

 private:
  PrimRef Long(PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }

  void Axis(const GridAxis& axis) { facts_.AddLoop(axis.var, axis.min, axis.extent); }
  void Axes(const std::vector<GridAxis>& axes) {
    for (const GridAxis& axis : axes) Axis(axis);
  }

  // Assertions of the statement hold in the launches after it.
  void Behind(ir::StmtRef stmt) {
    if (stmt == nullptr) return;
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      for (ir::StmtRef inner : seq->stmts) Behind(inner);
    } else if (const auto* let = stmt->As<ir::LetStmt>(); let != nullptr && let->body == nullptr) {
      walk_.Expr(let->value);
      facts_.AddBinding(let->var, let->value);
    } else if (const auto* check = stmt->As<ir::AssertStmt>();
               check != nullptr && check->body == nullptr) {
      walk_.Expr(check->cond);
      facts_.Assume(check->cond);
    } else {
      walk_.Stmt(stmt);
    }
  }

  void Grid(const ir::GridStride& grid) {
    if (grid.axes.empty()) return Behind(grid.body);  // its assertions hold in later launches
    Axes(grid.axes);
    walk_.Stmt(grid.body);
  }

  void Rows(const ir::TeamRows& rows) {
    Axes(rows.rows);
    facts_.AddLoop(rows.thread, ir_.Int(0), ir_.Int(rows.team));
    for (const ir::RowStep& step : rows.steps) Behind(step.body);
  }

  void Scan(const ir::ScanRows& scan) {
    Axes(scan.rows);
    Axis(scan.along);
    walk_.Expr(scan.term);
    walk_.Stmt(scan.store);
  }

  void Sort(const ir::SortRows& sort) {
    Axes(sort.rows);
    Axis(sort.along);
    facts_.AddLoop(sort.other, sort.along.min, sort.along.extent);
    walk_.Expr(sort.before);
    walk_.Access(sort.order, sort.at);
    // The sort stores a permutation of the element numbers.
    facts_.BoundElements(sort.order->data, sort.along.extent);
  }

  void Wide(const ir::WideStride& wide) {
    walk_.Need(!wide.axes.empty() && wide.width > 0, "a wide stride has an axis and a width");
    if (wide.axes.empty()) return;
    Axes(wide.axes);
    const auto one = facts_.Here();
    walk_.Stmt(wide.body);
    facts_.RestoreTo(one);
    // A piece is processed only if all of it is in bounds; this is always so if the axis consists
    // of whole pieces.
    const GridAxis& last = wide.axes.back();
    const auto extent = nest::Number(last.extent);
    walk_.Need(!wide.whole || (extent && *extent % wide.width == 0),
               "pieces that are whole divide their axis");
    const PrimRef end = ir_.Make(BinaryOp::kAdd, Long(last.var), ir_.Int(wide.width));
    const PrimRef all = ir_.Make(BinaryOp::kAdd, Long(last.min), Long(last.extent));
    facts_.Assume(ir_.Make(BinaryOp::kLe, end, all));
    for (const ir::WidePiece& piece : wide.reads) {
      walk_.Run(piece.buffer, piece.at, ir_.Int(wide.width));
    }
    walk_.Run(wide.write.buffer, wide.write.at, ir_.Int(wide.width));
    facts_.AddLoop(wide.lane, ir_.Int(0), ir_.Int(wide.width));
    walk_.Stmt(wide.lanes);
  }

  void Transposed(const ir::TransposeTiles& tiles) {
    Axes(tiles.outer);
    Axis(tiles.read_along);
    Axis(tiles.write_along);
    facts_.AddLoop(tiles.row, ir_.Int(0), ir_.Int(ir::kTransposeTile));
    facts_.AddLoop(tiles.lane, ir_.Int(0), ir_.Int(ir::kTransposeTile));
    walk_.Stmt(tiles.read);
    walk_.Stmt(tiles.write);
    walk_.Stmt(tiles.body);
  }

  void Factor(const ir::ProductFactor& factor) {
    const auto mark = facts_.Here();
    Axes(factor.lines);
    Axes(factor.depth);
    if (factor.inside != nullptr) {
      walk_.Expr(factor.inside);
      facts_.Assume(factor.inside);
    }
    walk_.Expr(factor.value);
    facts_.RestoreTo(mark);
  }

  void Matrix(const ir::MatrixLayout& matrix) {
    const auto mark = facts_.Here();
    PrimRef place = Long(matrix.start);
    for (const ir::MatrixAxis& axis : matrix.axes) {
      facts_.AddLoop(axis.var, ir_.Int(0), axis.extent);
      place = ir_.Make(BinaryOp::kAdd, place,
                       ir_.Make(BinaryOp::kMul, Long(axis.var), Long(axis.stride)));
    }
    walk_.Place(matrix.buffer, place);
    facts_.RestoreTo(mark);
  }

  void Product(const ir::TiledProduct& product) {
    const auto mark = facts_.Here();
    Axes(product.batch);
    if (product.part) {
      facts_.AddRange(product.part->part, {0, analysis::kPosInf});
    }
    Factor(product.by_row);
    Factor(product.by_column);
    if (product.groups) {
      Matrix(product.groups->by_row);
      Matrix(product.groups->by_column);
    }
    Axes(product.rows);
    Axes(product.columns);
    for (ir::StmtRef stmt : product.finish) Behind(stmt);
    facts_.RestoreTo(mark);
    if (!product.part) walk_.Stmt(product.loops);
  }

  void Attention(const ir::Attention& attention) {
    const auto mark = facts_.Here();
    Axes(attention.batch);
    Factor(attention.query);
    Factor(attention.key);
    Factor(attention.value);
    const auto score = facts_.Here();
    Axes(attention.rows);
    Axes(attention.keys);
    walk_.Expr(attention.score);
    facts_.RestoreTo(score);
    Axes(attention.rows);
    Axes(attention.columns);
    for (ir::StmtRef stmt : attention.finish) Behind(stmt);
    facts_.RestoreTo(mark);
    walk_.Stmt(attention.loops);
  }

  ir::Context& ir_;
  analysis::FactStack& facts_;
  AccessWalk& walk_;
};

}  // namespace

void LaunchAccesses(ir::Context& context, const ir::GridLaunch& launch, analysis::FactStack& facts,
                    AccessWalk& walk) {
  Launch(context, facts, walk).Find(launch);
}

}  // namespace lathe::schedule
