#include "generator/schedule/vectors/match_tiled_sum.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/collapsible_loops.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"
#include "generator/nest/weight_blocks.h"
#include "generator/schedule/vectors/tile_shape.h"
#include "generator/schedule/vectors/vector_value.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::NestAxis;
using ir::PrimRef;

const ir::DType kSumType = ir::DType::Float(32);

std::vector<PrimRef> VarsOf(const std::vector<ir::NestAxis>& axes) {
  std::vector<PrimRef> vars;
  for (const ir::NestAxis& axis : axes) vars.push_back(axis.var);
  return vars;
}

// A factor: an element, or an integer times a scale.
struct TiledFactor {
  const ir::Load* load = nullptr;
  const ir::Load* scales = nullptr;  // null: the element is float32
};
std::optional<TiledFactor> TiledFactorOf(const ir::NestStage& stage, PrimRef e) {
  if (const auto parts = nest::DequantizedBy(e)) {
    const ir::DType dtype = parts->integers->buffer->dtype;
    if (parts->zeros != nullptr || (dtype != ir::DType::Int(8) && dtype != ir::DType::Int(4))) {
      return std::nullopt;
    }
    return TiledFactor{parts->integers, parts->scales};
  }
  const auto* load = e->As<ir::Load>();
  if (load == nullptr || load->predicate != nullptr) return std::nullopt;
  if (load->buffer == stage.acc || load->buffer->dtype != kSumType) return std::nullopt;
  return TiledFactor{load, nullptr};
}

// The two factors of acc + x * y.
std::optional<std::pair<TiledFactor, TiledFactor>> FactorsOf(const ir::NestStage& stage) {
  const auto* sum = stage.update->As<ir::Binary>();
  if (sum == nullptr || sum->op != BinaryOp::kAdd) return std::nullopt;
  const auto is_acc = [&](PrimRef e) {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->buffer == stage.acc;
  };
  const PrimRef rest = is_acc(sum->lhs) ? sum->rhs : is_acc(sum->rhs) ? sum->lhs : nullptr;
  const auto* product = rest == nullptr ? nullptr : rest->As<ir::Binary>();
  if (product == nullptr || product->op != BinaryOp::kMul) return std::nullopt;
  const auto x = TiledFactorOf(stage, product->lhs), y = TiledFactorOf(stage, product->rhs);
  if (!x || !y) return std::nullopt;
  return std::pair(*x, *y);
}

// Puts the values of named parts of the update in their places.
void InlineFoldLets(ir::Context& context, ir::NestStage& stage) {
  nest::RewriteScalar rewrite(context);
  for (const ir::NestLet& let : stage.fold_lets) rewrite.Replace(let.var, rewrite(let.value));
  stage.update = rewrite(stage.update);
  stage.fold_lets.clear();
}

class TiledSumMatcher {
 public:
  TiledSumMatcher(ir::Context& context, const ir::NestStage& stage, const Target& target)
      : ir_(context), stage_(stage), target_(target) {}

  std::optional<ir::TiledSum> Match(const ir::Load& by_row, const TiledFactor& columns_factor) {
    const ir::Load& by_column = *columns_factor.load;
    const size_t spatial = stage_.spatial.size();
    std::vector<PrimRef> vars = VarsOf(stage_.spatial);
    for (const ir::NestAxis& axis : stage_.reduce) vars.push_back(axis.var);
    const auto a = nest::AccessOf(ir_, *by_row.buffer, by_row.indices, vars);
    const auto b = nest::AccessOf(ir_, *by_column.buffer, by_column.indices, vars);
    if (!a || !b) return std::nullopt;
    std::vector<ir::NestAxis> rows, columns, outer, batch;
    for (size_t i = 0; i < spatial; ++i) {
      const bool in_a = !nest::IsNumber(a->strides[i], 0), in_b = !nest::IsNumber(b->strides[i], 0);
      (in_a && in_b ? batch : in_a ? rows : in_b ? columns : outer).push_back(stage_.spatial[i]);
    }
    if (columns.empty() || !nest::Number(columns.back().extent)) return std::nullopt;
    ir::TiledSum sum;
    sum.stage = stage_;
    sum.column = columns.back();
    columns.pop_back();
    batch.insert(batch.end(), columns.begin(), columns.end());
    JoinRows(by_row, rows, sum);
    sum.batch = std::move(batch);
    sum.outer = std::move(outer);
    sum.outer.insert(sum.outer.end(), rows.begin(), rows.end());
    if (!AlongRows(sum) || !AlongColumns(by_column, sum)) return std::nullopt;
    if (columns_factor.scales != nullptr && !ScalesAlongColumns(*columns_factor.scales, sum)) {
      return std::nullopt;
    }
    Shape(sum);
    return sum;
  }

 private:
  // Takes the innermost of `rows`, collapsed with outer axes that continue it: the rows of a batch
  // of matrices, the pixels of all lines.
  void JoinRows(const ir::Load& by_row, std::vector<ir::NestAxis>& rows, ir::TiledSum& sum) {
    by_row_ = ir_.MakeLoad(by_row.buffer, by_row.indices);
    if (rows.empty()) {
      sum.row = {ir_.NewVar("row"), ir_.Int(1)};
      return;
    }
    sum.row = rows.back();
    rows.pop_back();
    while (!rows.empty() && ContinuesRow(sum, rows.back())) {
      const ir::NestAxis around = rows.back();
      rows.pop_back();
      nest::RewriteScalar rewrite(ir_);
      rewrite.Replace(around.var, ir_.Int(0, around.var->dtype()));
      nest::RewriteStage(rewrite, sum.stage);
      by_row_ = rewrite(by_row_);
      sum.row.extent =
          analysis::Simplify(ir_, ir_.Make(BinaryOp::kMul, sum.row.extent,
                                           ir_.MakeCast(sum.row.extent->dtype(), around.extent)));
    }
  }

  // Returns whether a step of `around` equals all steps of the row in every access.
  bool ContinuesRow(const ir::TiledSum& sum, const ir::NestAxis& around) {
    const auto fine = [&](PrimRef e) {
      return nest::AreCollapsible(ir_, around.var, sum.row, e, sum.stage.acc);
    };
    return fine(by_row_) &&
           nest::AreCollapsible(ir_, around.var, sum.row, *sum.stage.to, sum.stage.at) &&
           fine(sum.stage.value) &&
           std::all_of(sum.stage.lets.begin(), sum.stage.lets.end(),
                       [&](const ir::NestLet& let) { return fine(let.value); });
  }

  bool AlongRows(ir::TiledSum& sum) {
    std::vector<PrimRef> vars = {sum.row.var};
    for (const ir::NestAxis& axis : sum.stage.reduce) vars.push_back(axis.var);
    const auto* load = by_row_->As<ir::Load>();
    const auto access = nest::AccessOf(ir_, *load->buffer, load->indices, vars);
    if (!access) return false;
    sum.by_row = load->buffer;
    sum.row_start = access->start;
    sum.row_stride = access->strides[0];
    sum.k_strides.assign(access->strides.begin() + 1, access->strides.end());
    return true;
  }

  bool AlongColumns(const ir::Load& by_column, ir::TiledSum& sum) {
    std::vector<PrimRef> vars = {sum.column.var};
    for (const ir::NestAxis& axis : sum.stage.reduce) vars.push_back(axis.var);
    const auto access = nest::AccessOf(ir_, *by_column.buffer, by_column.indices, vars);
    if (!access) return false;
    sum.by_column = by_column.buffer;
    sum.column_start = access->start;
    sum.column_stride = access->strides[0];
    sum.column_k_strides.assign(access->strides.begin() + 1, access->strides.end());
    return true;
  }

  // The offset of a scale is not affine in the reduce axes, which blocks divide, and depends on no
  // other axes.
  bool ScalesAlongColumns(const ir::Load& scales, ir::TiledSum& sum) {
    const auto access = nest::AccessOf(ir_, *scales.buffer, scales.indices, {sum.column.var});
    if (!access) return false;
    for (const ir::NestAxis& axis : stage_.spatial) {
      if (axis.var != sum.column.var && nest::Mentions(access->start, axis.var)) return false;
    }
    sum.panel_scales = scales.buffer;
    sum.scale_start = access->start;
    sum.scale_column_stride = access->strides[0];
    return true;
  }

  void Shape(ir::TiledSum& sum) {
    SumSize size;
    size.has_integers = sum.panel_scales != nullptr;
    size.in_pairs = size.has_integers && sum.by_column->dtype.bits == 4;
    size.rows = nest::Number(sum.row.extent);
    size.columns = *nest::Number(sum.column.extent);
    size.depth = 1;
    for (const ir::NestAxis& axis : sum.stage.reduce) size.depth *= *nest::Number(axis.extent);
    if (const auto stride = nest::Number(sum.row_stride)) {
      size.row_bytes = *stride * static_cast<int64_t>(sizeof(float));
    }
    const SumTile shape = ChooseTile(target_, size);
    sum.depth = size.depth;
    sum.rows = shape.rows;
    sum.vectors = shape.vectors;
    sum.stores_vectors = FinishesInVectors(ir_, sum.stage, sum.column.var);
    const int64_t innermost = *nest::Number(sum.stage.reduce.back().extent);
    const bool blocks = sum.stores_vectors && sum.stage.reduce.size() == 1 && !size.has_integers;
    sum.block = blocks ? shape.block : innermost;
  }

  ir::Context& ir_;
  const ir::NestStage& stage_;
  const Target& target_;
  PrimRef by_row_ = nullptr;
};

}  // namespace

std::vector<ir::TiledSum> MatchTiledSum(ir::Context& context, const ir::NestStage& stage,
                                        const Target& target) {
  std::vector<ir::TiledSum> matches;
  if (LanesOf(target) == 0 || stage.acc == nullptr || stage.acc->dtype != kSumType) return matches;
  if (!nest::IsNumber(stage.init, 0)) return matches;
  ir::NestStage plain = stage;
  InlineFoldLets(context, plain);
  nest::DropSingleSteps(context, plain);
  if (plain.reduce.empty()) return matches;
  for (const ir::NestAxis& axis : plain.reduce) {
    if (!nest::Number(axis.extent)) return matches;
  }
  // The longest loop is innermost.
  const auto longest = std::max_element(plain.reduce.begin(), plain.reduce.end(),
                                        [](const ir::NestAxis& a, const ir::NestAxis& b) {
                                          return *nest::Number(a.extent) < *nest::Number(b.extent);
                                        });
  std::rotate(longest, longest + 1, plain.reduce.end());
  const auto factors = FactorsOf(plain);
  if (!factors) return matches;
  const auto& [x, y] = *factors;
  // Names of other parts stand for work that a tile would repeat.
  if (!stage.fold_lets.empty() && x.scales == nullptr && y.scales == nullptr) return matches;
  TiledSumMatcher matcher(context, plain, target);
  for (const auto& [by_row, by_column] : {std::pair(x, y), std::pair(y, x)}) {
    if (by_row.scales != nullptr) continue;
    if (auto match = matcher.Match(*by_row.load, by_column)) matches.push_back(*std::move(match));
  }
  return matches;
}

}  // namespace lathe::schedule
