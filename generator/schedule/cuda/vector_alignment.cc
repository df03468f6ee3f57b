#include "generator/schedule/cuda/vector_alignment.h"

#include <optional>
#include <vector>

#include "generator/ir/buffer_extent.h"
#include "generator/ir/final_store.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"
#include "generator/nest/stored_buffers.h"
#include "generator/schedule/cuda/element_offsets.h"
#include "generator/schedule/cuda/kernel_scalars.h"

namespace lathe::schedule {
namespace {

using ir::GridAxis;
using ir::PrimRef;
using Axes = std::vector<GridAxis>;

constexpr int64_t kRun = 16;  // bytes

class AlignmentFinder {
 public:
  AlignmentFinder(ir::Context& context, const ir::Kernel& kernel)
      : ir_(context), scalars_(kernel) {}

  // Contiguous elements are along the last of the axes `along`; its extent is a multiple of a
  // vector if there are other axes.
  std::optional<ir::VectorAlignment> Of(ir::BufferRef buffer, const std::vector<PrimRef>& indices,
                                        const Axes& along,
                                        const std::vector<const Axes*>& others) const {
    const int bytes = buffer->dtype.bits / 8;
    if (along.empty() || !ir::IsPlainMemory(*buffer) || bytes == 0) return std::nullopt;
    const auto extent = nest::Number(along.back().extent);
    if (along.size() > 1 && (!extent || *extent * bytes % kRun != 0)) return std::nullopt;
    std::vector<PrimRef> vars = {along.back().var};
    for (size_t i = 0; i + 1 < along.size(); ++i) vars.push_back(along[i].var);
    for (const Axes* axes : others) {
      for (const GridAxis& axis : *axes) vars.push_back(axis.var);
    }
    const auto access = nest::AccessOf(ir_, *buffer, indices, vars);
    if (!access || !nest::IsNumber(access->strides[0], 1)) return std::nullopt;
    std::vector<PrimRef> steps = {access->start};
    steps.insert(steps.end(), access->strides.begin() + 1, access->strides.end());
    ir::VectorAlignment even{buffer, {}};
    for (PrimRef step : steps) {
      if (const auto number = nest::Number(step)) {
        if (*number * bytes % kRun != 0) return std::nullopt;
      } else if (scalars_.Know(step)) {
        even.steps.push_back(step);
      } else {
        return std::nullopt;
      }
    }
    return even;
  }

  std::optional<ir::VectorAlignment> OfFactor(const ir::ProductFactor& factor,
                                              const Axes& batch) const {
    if (factor.element == nullptr) return std::nullopt;
    const auto* load = factor.element->As<ir::Load>();
    const bool deep = factor.along_depth;
    return Of(load->buffer, load->indices, deep ? factor.depth : factor.lines,
              {deep ? &factor.lines : &factor.depth, &batch});
  }

  std::optional<ir::VectorAlignment> OfResults(const std::vector<ir::StmtRef>& finish,
                                               const Axes& columns, const Axes& rows,
                                               const Axes& batch) const {
    const ir::StoreStmt* store = ir::FinalStore(finish);
    if (store == nullptr || store->predicate != nullptr) return std::nullopt;
    if (nest::StoredBuffers(ir_.Make(ir::SeqStmt{finish}, {})).AreReadBy(store->value)) {
      return std::nullopt;
    }
    const int bits = store->buffer->dtype.bits;
    // A thread's vectors are at fixed distances from the first, so they must not cross the end of
    // an axis.
    if (columns.size() != 1 || (bits != 8 && bits != 16 && bits != 32)) return std::nullopt;
    return Of(store->buffer, store->indices, columns, {&rows, &batch});
  }

 private:
  ir::Context& ir_;
  const KernelScalars scalars_;
};

}  // namespace

void FindVectorAlignment(ir::Context& context, const ir::Kernel& kernel,
                         ir::TiledProduct& product) {
  const AlignmentFinder find(context, kernel);
  // The start of a part of the depth must be aligned.
  const bool whole_runs = !product.part || product.part->each % kRun == 0;
  for (ir::ProductFactor* factor : {&product.by_row, &product.by_column}) {
    if (whole_runs || !factor->along_depth)
      factor->alignment = find.OfFactor(*factor, product.batch);
  }
  product.store_alignment =
      find.OfResults(product.finish, product.columns, product.rows, product.batch);
}

void FindVectorAlignment(ir::Context& context, const ir::Kernel& kernel, ir::Attention& attention) {
  const AlignmentFinder find(context, kernel);
  for (ir::ProductFactor* factor : {&attention.query, &attention.key, &attention.value}) {
    factor->alignment = find.OfFactor(*factor, attention.batch);
  }
  attention.store_alignment =
      find.OfResults(attention.finish, attention.columns, attention.rows, attention.batch);
}

}  // namespace lathe::schedule
