#include "generator/schedule/cuda/transpose_tiles.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/map_operands.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/each_load.h"
#include "generator/schedule/cuda/element_offsets.h"
#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// Shorter axes fill too little of a tile.
constexpr int64_t kShortestAxis = 16;
// The limit of tiles in a block: 32 x 33 elements of up to 8 bytes each.
constexpr size_t kMaxTiles = 4;

class TransposeMatcher {
 public:
  TransposeMatcher(ir::Context& context, RowStage stage)
      : ir_(context), stage_(std::move(stage)), offsets_(context, stage_.axes) {}

  std::optional<ir::TransposeTiles> Match() {
    const ir::NestAxis* written = AxisAlong(stage_.to, stage_.at);
    bool fine = written != nullptr && ir::IsPlainMemory(*stage_.to) && !Chooses(stage_.value);
    for (const ir::NestLet& let : stage_.lets) fine = fine && !Chooses(let.value);
    const ir::NestAxis* read = nullptr;
    ForEachLoad(stage_, [&](PrimRef e, const ir::Load& load) {
      fine = fine && load.predicate == nullptr && ir::IsPlainMemory(*load.buffer);
      if (!fine) return;
      const ir::NestAxis* along = AxisAlong(load.buffer, load.indices);
      // A load that depends on only one of the two axes is invariant along a line of the tile.
      if (along == nullptr || along == written || !Names(load.indices, written->var)) return;
      if (read == nullptr) read = along;
      if (read != along ||
          std::find(transposed_.begin(), transposed_.end(), e) != transposed_.end())
        return;
      transposed_.push_back(e);
    });
    if (!fine || transposed_.empty() || transposed_.size() > kMaxTiles) return std::nullopt;
    if (IsShort(*read) || IsShort(*written)) return std::nullopt;
    return Made(*read, *written);
  }

 private:
  static bool IsShort(const ir::NestAxis& axis) {
    const auto* extent = axis.extent->As<ir::IntImm>();
    return extent != nullptr && extent->value < kShortestAxis;
  }

  static bool Names(const std::vector<PrimRef>& indices, PrimRef var) {
    return std::any_of(indices.begin(), indices.end(),
                       [&](PrimRef index) { return nest::Mentions(index, var); });
  }

  // Returns the axis along which the buffer is contiguous, or null.
  const ir::NestAxis* AxisAlong(BufferRef buffer, const std::vector<PrimRef>& indices) {
    for (const ir::NestAxis& axis : stage_.axes) {
      if (offsets_.StrideOf(buffer, indices, axis.var) == 1) return &axis;
    }
    return nullptr;
  }

  BufferRef Tile(BufferRef of) {
    ir::Buffer tile;
    tile.name = absl::StrCat(of->name, "_tile");
    tile.dtype = of->dtype;
    tile.data = ir_.NewPointer(tile.name, tile.dtype, "shared");
    tile.scope = "shared";
    tile.shape = {ir_.Int(ir::kTransposeTile), ir_.Int(ir::kTransposeTile + 1)};
    return ir_.NewBuffer(std::move(tile));
  }

  StmtRef Make(ir::Stmt::Node node) { return ir_.Make(std::move(node), Location()); }
  StmtRef Seq(std::vector<StmtRef> stmts) {
    return stmts.size() == 1 ? stmts[0] : Make(ir::SeqStmt{std::move(stmts)});
  }

  ir::TransposeTiles Made(const ir::NestAxis& read, const ir::NestAxis& written) {
    ir::TransposeTiles made;
    const auto axis = [&](const ir::NestAxis& from) {
      return ir::GridAxis{from.var, ir_.Int(0, from.var->dtype()), from.extent};
    };
    for (const ir::NestAxis& other : stage_.axes) {
      if (other.var != read.var && other.var != written.var) made.outer.push_back(axis(other));
    }
    made.read_along = axis(read);
    made.write_along = axis(written);
    made.row = ir_.NewVar("row");
    made.lane = ir_.NewVar("lane");
    std::vector<StmtRef> reads;
    absl::flat_hash_map<PrimRef, PrimRef> replaced;
    for (PrimRef e : transposed_) {
      const BufferRef tile = Tile(e->As<ir::Load>()->buffer);
      made.tiles.push_back(tile);
      reads.push_back(Make(ir::StoreStmt{tile, {made.row, made.lane}, e}));
      replaced[e] = ir_.MakeLoad(tile, {made.lane, made.row});
    }
    made.read = Seq(std::move(reads));
    const auto from_tile = [&](PrimRef e, const auto& self) -> PrimRef {
      if (const auto it = replaced.find(e); it != replaced.end()) return it->second;
      return ir::MapOperands(ir_, e, [&](PrimRef part) { return self(part, self); });
    };
    std::vector<StmtRef> writes, all;
    for (const ir::NestLet& let : stage_.lets) {
      writes.push_back(Make(ir::LetStmt{let.var, from_tile(let.value, from_tile), nullptr}));
      all.push_back(Make(ir::LetStmt{let.var, let.value, nullptr}));
    }
    writes.push_back(Make(ir::StoreStmt{stage_.to, stage_.at, from_tile(stage_.value, from_tile)}));
    all.push_back(Make(ir::StoreStmt{stage_.to, stage_.at, stage_.value}));
    made.write = Seq(std::move(writes));
    made.body = Seq(std::move(all));
    return made;
  }

  ir::Context& ir_;
  RowStage stage_;
  ElementOffsets offsets_;
  std::vector<PrimRef> transposed_;  // loads that are contiguous along the read axis
};

}  // namespace

std::optional<ir::TransposeTiles> MatchTransposeTiles(ir::Context& context, StmtRef stmt,
                                                      const ir::GridStride& grid) {
  std::optional<RowStage> stage = ParseRowStage(context, stmt);
  if (!stage || stage->acc != nullptr || stage->axes.size() < 2 ||
      stage->axes.size() != grid.axes.size()) {
    return std::nullopt;
  }
  ExpandPlaces(context, *stage);
  return TransposeMatcher(context, *std::move(stage)).Match();
}

}  // namespace lathe::schedule
