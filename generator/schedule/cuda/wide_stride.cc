#include "generator/schedule/cuda/wide_stride.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/map_operands.h"
#include "generator/nest/rewrite_scalar.h"
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

constexpr int64_t kBytes = 16;
constexpr int kMaxWidth = 8;
constexpr int64_t kElementRegisters = 64;  // for the elements that a thread holds at once
// With fewer elements, the grid would not fill a GPU.
constexpr int64_t kFewElements = 1 << 16;

class StrideMatcher {
 public:
  StrideMatcher(ir::Context& context, RowStage stage)
      : ir_(context), stage_(std::move(stage)), offsets_(context, stage_.axes) {}

  std::optional<ir::WideStride> Match() {
    count_ = ir_.Int(1);
    for (const ir::NestAxis& axis : stage_.axes) {
      count_ = offsets_.Simplified(ir_.Make(BinaryOp::kMul, count_, Wide(axis.extent)));
    }
    if (const auto count = nest::Number(count_); count && *count < kFewElements) {
      return std::nullopt;
    }
    bool fine = !Chooses(stage_.value);
    for (const ir::NestLet& let : stage_.lets) fine = fine && !Chooses(let.value);
    ForEachLoad(stage_, [&](PrimRef e, const ir::Load& load) {
      fine = fine && load.predicate == nullptr && ir::IsPlainMemory(*load.buffer);
      if (IsUniform(load.indices)) return;
      if (std::find(reads_.begin(), reads_.end(), e) == reads_.end()) reads_.push_back(e);
    });
    if (!fine || !ir::IsPlainMemory(*stage_.to) || !ChooseWidth()) return std::nullopt;
    if (IsFlat()) return Flat();
    return IsInRuns() ? std::optional(Made(Axes(), number_of_last())) : std::nullopt;
  }

 private:
  PrimRef Wide(PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }
  PrimRef number_of_last() const { return stage_.axes.back().var; }

  bool IsUniform(const std::vector<PrimRef>& indices) const {
    return std::none_of(stage_.axes.begin(), stage_.axes.end(),
                        [&](const ir::NestAxis& axis) { return !IsSame(indices, axis.var); });
  }

  static int64_t BytesOf(BufferRef buffer) { return std::max<int64_t>(8, buffer->dtype.bits) / 8; }

  bool ChooseWidth() {
    int64_t least = BytesOf(stage_.to);
    for (PrimRef e : reads_) least = std::min(least, BytesOf(e->As<ir::Load>()->buffer));
    width_ = static_cast<int>(std::min<int64_t>(kMaxWidth, kBytes / least));
    const int64_t places = static_cast<int64_t>(reads_.size()) + 1;
    while (width_ > 1 && places * width_ > kElementRegisters) width_ /= 2;
    return width_ > 1;
  }

  // Returns whether every access is at the element's linear index.
  bool IsFlat() {
    PrimRef number = ir_.Int(0);
    for (const ir::NestAxis& axis : stage_.axes) {
      number = ir_.Make(BinaryOp::kMul, number, Wide(axis.extent));
      number = ir_.Make(BinaryOp::kAdd, number, Wide(axis.var));
    }
    const auto is_number = [&](BufferRef buffer, const std::vector<PrimRef>& indices) {
      const PrimRef off = ir_.Make(BinaryOp::kSub, offsets_.OffsetOf(buffer, indices), number);
      return nest::Number(offsets_.Simplified(off)) == int64_t{0};
    };
    return NamesNoAxis() && is_number(stage_.to, stage_.at) &&
           std::all_of(reads_.begin(), reads_.end(), [&](PrimRef e) {
             const auto* load = e->As<ir::Load>();
             return is_number(load->buffer, load->indices);
           });
  }

  // Returns whether the axes are used in indices only.
  bool NamesNoAxis() {
    bool names = false;
    const auto look = [&](PrimRef e, const auto& self) -> void {
      if (e->As<ir::Load>() != nullptr) return;
      for (const ir::NestAxis& axis : stage_.axes) names = names || e == axis.var;
      ir::ForEachOperand(e, [&](PrimRef part) { self(part, self); });
    };
    look(stage_.value, look);
    for (const ir::NestLet& let : stage_.lets) look(let.value, look);
    return !names;
  }

  ir::WideStride Flat() {
    const PrimRef at = ir_.NewVar("i");
    const auto place = [&](BufferRef buffer) {
      std::vector<PrimRef> indices(buffer->shape.size(), ir_.Int(0));
      if (!indices.empty()) indices.back() = at;
      return indices;
    };
    flat_ = place;
    return Made({{at, ir_.Int(0), count_}}, at);
  }

  // Returns whether the innermost axis is contiguous in every access, with aligned vectors of
  // `width_` elements.
  bool IsInRuns() {
    const auto extent = nest::Number(stage_.axes.back().extent);
    if (!extent || *extent % width_ != 0) return false;
    return IsRun(stage_.to, stage_.at) && std::all_of(reads_.begin(), reads_.end(), [&](PrimRef e) {
             const auto* load = e->As<ir::Load>();
             return IsRun(load->buffer, load->indices) || IsSame(load->indices, number_of_last());
           });
  }

  static bool IsSame(const std::vector<PrimRef>& indices, PrimRef var) {
    return std::none_of(indices.begin(), indices.end(),
                        [&](PrimRef index) { return nest::Mentions(index, var); });
  }

  bool IsRun(BufferRef buffer, const std::vector<PrimRef>& indices) {
    const PrimRef last = number_of_last();
    nest::RewriteScalar none(ir_);
    none.Replace(last, ir_.Int(0, last->dtype()));
    const PrimRef first = offsets_.Simplified(none(offsets_.OffsetOf(buffer, indices)));
    const PrimRef left = offsets_.Simplified(ir_.Make(BinaryOp::kFloorMod, first, ir_.Int(width_)));
    return offsets_.StrideOf(buffer, indices, last) == 1 && nest::Number(left) == int64_t{0};
  }

  std::vector<ir::GridAxis> Axes() {
    std::vector<ir::GridAxis> axes;
    for (const ir::NestAxis& axis : stage_.axes) {
      axes.push_back({axis.var, ir_.Int(0, axis.var->dtype()), axis.extent});
    }
    return axes;
  }

  StmtRef Make(ir::Stmt::Node node) { return ir_.Make(std::move(node), Location()); }

  BufferRef Piece(BufferRef of) {
    ir::Buffer piece;
    piece.name = absl::StrCat(of->name, "_", width_);
    piece.dtype = of->dtype;
    piece.data = ir_.NewPointer(piece.name, piece.dtype, "local");
    piece.scope = "local";
    piece.shape = {ir_.Int(width_)};
    return ir_.NewBuffer(std::move(piece));
  }

  ir::WideStride Made(std::vector<ir::GridAxis> axes, PrimRef last) {
    ir::WideStride made;
    made.axes = std::move(axes);
    made.width = width_;
    made.whole = flat_ == nullptr;
    made.lane = ir_.NewVar("v");
    for (PrimRef e : reads_) {
      const auto* load = e->As<ir::Load>();
      if (flat_ == nullptr && IsSame(load->indices, number_of_last())) continue;
      const BufferRef piece = Piece(load->buffer);
      made.reads.push_back({piece, load->buffer, PlaceOf(load->buffer, load->indices)});
      pieces_[e] = piece;
    }
    made.write = {Piece(stage_.to), stage_.to, PlaceOf(stage_.to, stage_.at)};
    const PrimRef lane_at = ir_.Make(BinaryOp::kAdd, last, ir_.MakeCast(last->dtype(), made.lane));
    made.lanes = Body(made.write.piece, {made.lane}, last, lane_at, made.lane);
    made.body = Body(stage_.to, made.write.at, last, last, nullptr);
    return made;
  }

  std::vector<PrimRef> PlaceOf(BufferRef buffer, const std::vector<PrimRef>& indices) {
    return flat_ == nullptr ? indices : flat_(buffer);
  }

  // Returns the store of one element: of `lane` of the loaded vectors, or from memory if that is
  // null.
  StmtRef Body(BufferRef to, const std::vector<PrimRef>& at, PrimRef last, PrimRef lane_at,
               PrimRef lane) {
    absl::flat_hash_map<PrimRef, PrimRef> bound;
    const auto read = [&](PrimRef e, const auto& self) -> PrimRef {
      if (const auto it = bound.find(e); it != bound.end()) return it->second;
      if (e == last) return lane_at;
      const auto* load = e->As<ir::Load>();
      if (load != nullptr && pieces_.contains(e)) {
        return lane != nullptr ? ir_.MakeLoad(pieces_.at(e), {lane})
                               : ir_.MakeLoad(load->buffer, PlaceOf(load->buffer, load->indices));
      }
      return ir::MapOperands(ir_, e, [&](PrimRef part) { return self(part, self); });
    };
    std::vector<StmtRef> stmts;
    for (const ir::NestLet& let : stage_.lets) {
      const PrimRef var = ir_.NewVarLike(let.var);
      stmts.push_back(Make(ir::LetStmt{var, read(let.value, read), nullptr}));
      bound[let.var] = var;
    }
    stmts.push_back(Make(ir::StoreStmt{to, at, read(stage_.value, read)}));
    return stmts.size() == 1 ? stmts[0] : Make(ir::SeqStmt{std::move(stmts)});
  }

  ir::Context& ir_;
  RowStage stage_;
  ElementOffsets offsets_;
  PrimRef count_ = nullptr;
  int width_ = 0;
  std::vector<PrimRef> reads_;  // loads that depend on the element
  std::function<std::vector<PrimRef>(BufferRef)> flat_;
  absl::flat_hash_map<PrimRef, BufferRef> pieces_;
};

}  // namespace

std::optional<ir::WideStride> MatchWideStride(ir::Context& context, StmtRef stmt,
                                              const ir::GridStride& grid) {
  std::optional<RowStage> stage = ParseRowStage(context, stmt);
  if (!stage || stage->acc != nullptr || stage->axes.empty() ||
      stage->axes.size() != grid.axes.size()) {
    return std::nullopt;
  }
  ExpandPlaces(context, *stage);
  return StrideMatcher(context, *std::move(stage)).Match();
}

}  // namespace lathe::schedule
