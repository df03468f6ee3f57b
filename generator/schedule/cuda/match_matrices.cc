#include "generator/schedule/cuda/match_matrices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/kernel_scalars.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

// A copy takes four dimensions, two of which are the lines and the depth.
constexpr size_t kMaxBatchAxes = 2;
// The required alignment of global addresses in bytes.
constexpr int64_t kAlignment = 16;

class PlaceMatcher {
 public:
  PlaceMatcher(ir::Context& context, const ir::Kernel& kernel, const ir::TiledProduct& product)
      : ir_(context), kernel_(kernel), product_(product), scalars_(kernel) {}

  std::optional<ir::MatrixLayout> Match(const ir::ProductFactor& factor) {
    const bool whole = factor.element != nullptr && factor.inside == nullptr;
    if (!whole || factor.lines.size() != 1 || factor.depth.size() != 1) {
      return std::nullopt;
    }
    const auto* load = factor.element->As<ir::Load>();
    const auto& buffers = kernel_.buffers;
    const bool given = std::find(buffers.begin(), buffers.end(), load->buffer) != buffers.end();
    // 8-bit elements must be contiguous along the depth.
    const bool fits = load->buffer->dtype.bits == product_.cores->bits &&
                      (factor.along_depth || product_.cores->bits == 16);
    if (!given || !fits) return std::nullopt;
    std::vector<ir::GridAxis> axes = {factor.depth[0], factor.lines[0]};
    if (!factor.along_depth) std::swap(axes[0], axes[1]);
    axes.insert(axes.end(), product_.batch.begin(), product_.batch.end());
    std::vector<PrimRef> vars;
    for (const ir::GridAxis& axis : axes) vars.push_back(axis.var);
    const auto access = nest::AccessOf(ir_, *load->buffer, load->indices, vars);
    if (!access || !scalars_.Know(access->start)) return std::nullopt;
    ir::MatrixLayout place{load->buffer, access->start, {}};
    for (size_t i = 0; i < axes.size(); ++i) {
      const PrimRef stride = access->strides[i];
      const bool of_batch = i >= 2;
      if (of_batch && nest::IsNumber(stride, 0)) continue;
      if (!scalars_.Know(stride) || !scalars_.Know(axes[i].extent)) return std::nullopt;
      if (i > 0 && !MayBeAligned(axes[i].extent, stride)) return std::nullopt;
      place.axes.push_back({axes[i].var, axes[i].extent, stride});
    }
    if (place.axes.size() > 2 + kMaxBatchAxes) return std::nullopt;
    return place;
  }

 private:
  bool MayBeAligned(PrimRef extent, PrimRef stride) const {
    const auto number = nest::Number(stride);
    return !number || nest::IsNumber(extent, 1) ||
           (*number > 0 && *number * (product_.cores->bits / 8) % kAlignment == 0);
  }

  ir::Context& ir_;
  const ir::Kernel& kernel_;
  const ir::TiledProduct& product_;
  const KernelScalars scalars_;
};

}  // namespace

std::optional<ir::GroupProduct> MatchMatrices(ir::Context& context, const ir::Kernel& kernel,
                                              const ir::TiledProduct& product) {
  // float32 elements are rounded when they are loaded from shared memory.
  if (!product.cores || product.cores->bits == 32) return std::nullopt;
  PlaceMatcher matcher(context, kernel, product);
  auto by_row = matcher.Match(product.by_row);
  auto by_column = matcher.Match(product.by_column);
  if (!by_row || !by_column) return std::nullopt;
  return ir::GroupProduct{*std::move(by_row), *std::move(by_column), {}};
}

}  // namespace lathe::schedule
