#include "generator/schedule/accesses/form_accesses.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::NestAxis;
using ir::PrimRef;

class Forms {
 public:
  Forms(ir::Context& context, const ir::KernelForm& form, analysis::FactStack& facts,
        AccessWalk& walk)
      : ir_(context), form_(form), facts_(facts), walk_(walk) {}

  void Find() {
    auto rows = form_.rows.begin();
    const auto start = facts_.Here();
    for (size_t i = 0; i < form_.stages.size(); ++i) {
      if (rows != form_.rows.end() && rows->end <= i) {
        ++rows;
        facts_.RestoreTo(start);
      }
      const bool shares = rows != form_.rows.end() && rows->first <= i;
      if (shares && rows->first == i) walk_.Axes(rows->axes);
      // Bindings of a row's stage are visible in the stages after it.
      const auto mark = facts_.Here();
      lathe::Match(
          form_.stages[i], [&](const ir::NestStage& stage) { walk_.Stage(stage); },
          [&](const ir::TiledSum& sum) { Tiled(sum); },
          [&](const ir::PaddedCopy& copy) { Padded(copy); },
          [&](const ir::VectorLoops& loops) { Vectors(loops); },
          [&](const ir::IntegerLanes& lanes) { walk_.Stage(lanes.stage); });
      if (!shares) facts_.RestoreTo(mark);
    }
    facts_.RestoreTo(start);
  }

 private:
  PrimRef Wide(PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }
  PrimRef Sum(PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kAdd, a, b); }
  PrimRef Times(PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kMul, Wide(a), Wide(b)); }

  void Vectors(const ir::VectorLoops& loops) {
    walk_.Need(form_.lanes > 0, "vectors have lanes");
    if (!loops.folds) {
      const auto& spatial = loops.stage.spatial;
      walk_.Need(std::any_of(spatial.begin(), spatial.end(),
                             [&](const NestAxis& axis) {
                               return axis.var == loops.axis.var &&
                                      axis.extent == loops.axis.extent;
                             }),
                 "vectors lie along an axis of their stage");
      return walk_.Stage(loops.stage);
    }
    const auto mark = facts_.Here();
    walk_.Axes(loops.stage.spatial);
    walk_.Axes(loops.stage.reduce);
    walk_.Axes({loops.axis});
    walk_.Expr(loops.term);
    facts_.RestoreTo(mark);
    ir::NestStage rest = loops.stage;  // the statements before and after the loops
    rest.update = rest.init;
    walk_.Stage(rest);
  }

  void Tiled(const ir::TiledSum& sum) {
    const int64_t width = int64_t{sum.vectors} * form_.lanes;
    walk_.Need(width > 0 && sum.rows > 0, "a tile has rows and columns");
    const auto columns = nest::Number(sum.column.extent);
    walk_.Need(columns && *columns >= 0, "a tile has a number of columns");
    if (width <= 0 || !columns) return;
    const auto start = facts_.Here();
    walk_.Axes(sum.batch);
    walk_.Axes(sum.outer);
    walk_.Axes({sum.row, sum.column});
    const auto finish = facts_.Here();
    walk_.Axes(sum.stage.reduce);
    Factor(sum, sum.by_row, sum.row_start, sum.row.var, sum.row_stride, sum.k_strides);
    if (sum.by_column != nullptr) {
      Factor(sum, sum.by_column, sum.column_start, sum.column.var, sum.column_stride,
             sum.column_k_strides);
    }
    facts_.RestoreTo(finish);
    Panels(sum, *columns, width);
    ir::NestStage rest = sum.stage;
    rest.spatial.clear();
    rest.reduce.clear();
    rest.update = rest.init;
    walk_.Stage(rest);
    facts_.RestoreTo(start);
  }

  void Factor(const ir::TiledSum& sum, ir::BufferRef buffer, PrimRef start, PrimRef axis,
              PrimRef stride, const std::vector<PrimRef>& k_strides) {
    walk_.Need(k_strides.size() == sum.stage.reduce.size(), "a factor has a stride for each k");
    if (k_strides.size() != sum.stage.reduce.size()) return;
    PrimRef place = Sum(Wide(start), Times(axis, stride));
    for (size_t i = 0; i < k_strides.size(); ++i) {
      place = Sum(place, Times(sum.stage.reduce[i].var, k_strides[i]));
    }
    walk_.Place(buffer, place);
  }

  // Constants have a panel for each `width` columns with the whole depth. Otherwise there is one
  // panel buffer for one block of k.
  void Panels(const ir::TiledSum& sum, int64_t columns, int64_t width) {
    int64_t depth = 1;
    for (const NestAxis& axis : sum.stage.reduce) depth *= nest::Number(axis.extent).value_or(0);
    walk_.Need(depth == sum.depth, "a panel is as deep as the sum");
    const int64_t innermost =
        sum.stage.reduce.empty() ? 0 : nest::Number(sum.stage.reduce.back().extent).value_or(0);
    const bool blocked = sum.block < innermost;
    walk_.Need(sum.block > 0 || innermost == 0, "a block has steps");
    walk_.Need(!blocked || sum.stage.reduce.size() == 1, "blocks are of one axis");
    const bool packed = sum.by_column == nullptr;
    const int64_t panels = packed ? (columns + width - 1) / width : 1;
    const int64_t deep = !packed && blocked ? sum.block : depth;
    walk_.Run(sum.panels, std::vector<PrimRef>(sum.panels->shape.size(), ir_.Int(0)),
              ir_.Int(panels * deep * width));
    if (sum.panel_scales == nullptr) return;
    walk_.Need(packed && sum.scale_block > 0, "panels of integers are constant and have scales");
    if (sum.scale_block <= 0) return;
    const int64_t blocks = (depth + sum.scale_block - 1) / sum.scale_block;
    walk_.Run(sum.panel_scales, std::vector<PrimRef>(sum.panel_scales->shape.size(), ir_.Int(0)),
              ir_.Int(panels * blocks * width));
  }

  void Padded(const ir::PaddedCopy& copy) {
    const auto& from = copy.from->shape;
    const auto& to = copy.to->shape;
    const bool alike = from.size() == to.size() && copy.before.size() == to.size() &&
                       copy.start.size() == to.size() && copy.stage.spatial.size() == to.size();
    walk_.Need(alike, "a copy with a border keeps its dimensions");
    if (!alike) return;
    walk_.Need(to.empty() || copy.start.back() == nullptr, "whole lines are copied");
    for (size_t d = 0; d < to.size(); ++d) {
      const auto all = nest::Number(to[d]);
      const auto size = nest::Number(from[d]);
      const bool whole = copy.before[d] == 0 && from[d] == to[d];
      const bool fits = all && size && copy.before[d] >= 0 && copy.before[d] <= *all && *size >= 0;
      const bool lines = copy.start[d] != nullptr && all && copy.before[d] >= 0;
      walk_.Need(whole || fits || lines, absl::StrCat("dimension ", d, " of a border is known"));
      walk_.Need(facts_.IsAtMost(Wide(copy.stage.spatial[d].extent), Wide(to[d])),
                 absl::StrCat("dimension ", d, " of a border lies within '", copy.to->name, "'"));
    }
    walk_.Stage(copy.stage);
  }

  ir::Context& ir_;
  const ir::KernelForm& form_;
  analysis::FactStack& facts_;
  AccessWalk& walk_;
};

}  // namespace

void FormAccesses(ir::Context& context, const ir::KernelForm& form, analysis::FactStack& facts,
                  AccessWalk& walk) {
  Forms(context, form, facts, walk).Find();
}

}  // namespace lathe::schedule
