#include "generator/schedule/fuse/transposed_factor.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/match_product.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

// The contiguous run in memory must be as large as one access.
constexpr int64_t kFewNeighbours = 8;

struct SumOfProducts {
  PrimRef lhs = nullptr, rhs = nullptr;
};

std::optional<SumOfProducts> ProductsOf(ir::Context& context, const ir::NestStage& stage) {
  if (stage.acc == nullptr) return std::nullopt;
  analysis::ShapeVarMap lets;
  for (const ir::NestLet& let : stage.fold_lets) {
    lets[let.var] = analysis::Substitute(context, let.value, lets);
  }
  const PrimRef update = analysis::Substitute(context, stage.update, lets);
  const auto* sum = update->As<ir::Binary>();
  if (sum == nullptr || sum->op != ir::BinaryOp::kAdd) return std::nullopt;
  const PrimRef term = nest::Reads(sum->lhs, stage.acc) ? sum->rhs : sum->lhs;
  const auto* product = term->As<ir::Binary>();
  if (product == nullptr || product->op != ir::BinaryOp::kMul) return std::nullopt;
  return SumOfProducts{product->lhs, product->rhs};
}

// Returns the dimension of `tensor` that is innermost in the original layout, or nothing if the
// stage does more than permute.
std::optional<size_t> Innermost(const nest::NestCall& mover) {
  if (mover.nest.stages.size() != 1) return std::nullopt;
  const ir::NestStage& stage = mover.nest.stages[0];
  const auto* load = stage.value->As<ir::Load>();
  if (stage.acc != nullptr || !stage.lets.empty() || load == nullptr) return std::nullopt;
  if (load->predicate != nullptr || load->indices.empty()) return std::nullopt;
  for (PrimRef index : load->indices) {
    if (std::count(stage.at.begin(), stage.at.end(), index) != 1) return std::nullopt;
  }
  const auto size = nest::Number(load->buffer->shape.back());
  if (size && *size < kFewNeighbours) return std::nullopt;
  const auto place = std::find(stage.at.begin(), stage.at.end(), load->indices.back());
  return static_cast<size_t>(place - stage.at.begin());
}

// Returns the product of the extents, saturating at kShortDepth.
int64_t NumberOfPlaces(const std::vector<PrimRef>& extents) {
  int64_t count = 1;
  for (PrimRef extent : extents) {
    const auto number = nest::Number(extent);
    if (!number || *number > kShortDepth) return kShortDepth;
    count = std::min(count * *number, kShortDepth);
  }
  return count;
}

}  // namespace

bool IsTransposedFactor(ir::Context& context, const nest::NestCall& mover,
                        const nest::NestCall& product, ir::TensorId tensor) {
  const ir::BufferRef read = product.ParamOf(tensor);
  const auto innermost = Innermost(mover);
  if (!innermost || read == nullptr || product.nest.stages.size() != 1) return false;
  const ir::NestStage& stage = product.nest.stages[0];
  const auto products = ProductsOf(context, stage);
  if (!products || nest::Reads(products->lhs, read) == nest::Reads(products->rhs, read))
    return false;
  const PrimRef factor = nest::Reads(products->lhs, read) ? products->lhs : products->rhs;
  const PrimRef other = factor == products->lhs ? products->rhs : products->lhs;
  const nest::ElementUses uses = nest::UsesOf(stage, read);
  if (uses.places.size() != 1 || *innermost >= uses.places[0].size()) return false;
  PrimRef neighbour = uses.places[0][*innermost];
  if (const auto* cast = neighbour->As<ir::Cast>()) neighbour = cast->value;

  bool side_by_side = false;
  std::vector<PrimRef> lines, other_lines, depth;
  for (const ir::NestAxis& axis : stage.reduce) {
    depth.push_back(axis.extent);
    side_by_side = side_by_side || axis.var == neighbour;
  }
  for (const ir::NestAxis& axis : stage.spatial) {
    const bool own = nest::Mentions(factor, axis.var), others = nest::Mentions(other, axis.var);
    if (own == others) continue;
    (own ? lines : other_lines).push_back(axis.extent);
    side_by_side = side_by_side || (own && axis.var == neighbour);
  }
  const int64_t rows = NumberOfPlaces(lines), columns = NumberOfPlaces(other_lines),
                steps = NumberOfPlaces(depth);
  const bool tiles = rows >= kFewLines && columns >= kFewLines && steps >= kFewProducts;
  const bool vectors = (rows >= kFewLines) != (columns >= kFewLines) && steps >= kShortDepth;
  return side_by_side && (tiles || vectors);
}

}  // namespace lathe::schedule
