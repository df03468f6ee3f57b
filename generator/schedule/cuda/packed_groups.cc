#include "generator/schedule/cuda/packed_groups.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/ir/packed_elements.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/cuda/element_offsets.h"

namespace lathe::schedule {
namespace {

using ir::GridAxis;
using ir::PrimRef;

// Returns the stores of packed elements to memory that threads share.
std::vector<BufferUse> PackedStores(const BufferUses& uses,
                                    const absl::flat_hash_set<PrimRef>& kept) {
  std::vector<BufferUse> stores;
  for (const BufferUse& use : uses.uses) {
    const PrimRef data = use.buffer->data;
    if (!use.stores || !ir::IsPacked(use.buffer->dtype)) continue;
    if (!uses.own.contains(data) || kept.contains(data)) stores.push_back(use);
  }
  return stores;
}

// Sorts the axes by the dimension of the store in which they occur.
std::vector<GridAxis> InOrderOf(const BufferUse& store, std::vector<GridAxis> axes) {
  const auto dimension = [&](const GridAxis& axis) {
    return std::find_if(store.indices.begin(), store.indices.end(),
                        [&](PrimRef index) { return nest::Mentions(index, axis.var); }) -
           store.indices.begin();
  };
  std::stable_sort(axes.begin(), axes.end(), [&](const GridAxis& a, const GridAxis& b) {
    return dimension(a) < dimension(b);
  });
  return axes;
}

class Numbering {
 public:
  Numbering(ir::Context& context, const std::vector<GridAxis>& axes)
      : ir_(context), offsets_(context, CountsOf(axes)) {
    number_ = ir_.Int(0);
    for (const GridAxis& axis : axes) {
      from_zero_ = from_zero_ && nest::IsNumber(axis.min, 0);
      number_ = ir_.Make(ir::BinaryOp::kMul, number_, Wide(axis.extent));
      number_ = ir_.Make(ir::BinaryOp::kAdd, number_, Wide(axis.var));
    }
  }

  bool IsPlaceOf(const BufferUse& store) {
    const ir::Buffer& buffer = *store.buffer;
    const bool compact = buffer.strides.empty() && buffer.elem_offset == nullptr;
    if (!from_zero_ || !compact || store.indices.size() != buffer.shape.size()) return false;
    const PrimRef off =
        ir_.Make(ir::BinaryOp::kSub, offsets_.OffsetOf(store.buffer, store.indices), number_);
    return nest::Number(offsets_.Simplified(off)) == int64_t{0};
  }

 private:
  static std::vector<ir::NestAxis> CountsOf(const std::vector<GridAxis>& axes) {
    std::vector<ir::NestAxis> counts;
    for (const GridAxis& axis : axes) counts.push_back({axis.var, axis.extent});
    return counts;
  }

  PrimRef Wide(PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }

  ir::Context& ir_;
  ElementOffsets offsets_;
  PrimRef number_ = nullptr;
  bool from_zero_ = true;
};

}  // namespace

std::optional<ir::GridStride> PackedGroups(ir::Context& context, ir::StmtRef stmt,
                                           const absl::flat_hash_set<PrimRef>& kept,
                                           const analysis::ShapeVarMap& lets,
                                           const CalleeUses& callees) {
  const std::vector<BufferUse> stores = PackedStores(UsesOf(context, stmt, lets, callees), kept);
  if (stores.empty()) return std::nullopt;
  ir::GridStride grid = ParallelAxes(context, stmt, kept, lets, callees, ConflictUnit::kElement);
  if (grid.axes.empty()) return std::nullopt;
  grid.axes = InOrderOf(stores[0], std::move(grid.axes));
  Numbering numbering(context, grid.axes);
  for (const BufferUse& store : stores) {
    if (!numbering.IsPlaceOf(store)) return std::nullopt;
    grid.group = std::max(grid.group, ir::PackedGroup(store.buffer->dtype));
  }
  return grid;
}

}  // namespace lathe::schedule
