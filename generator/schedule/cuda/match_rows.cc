#include "generator/schedule/cuda/match_rows.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/packed_elements.h"
#include "generator/nest/build_nest.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/each_load.h"
#include "generator/schedule/cuda/element_offsets.h"
#include "generator/schedule/cuda/parallel_axes.h"
#include "generator/schedule/cuda/parse_search.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::NestAxis;
using ir::PrimRef;
using ir::StmtRef;

// Shorter contiguous rows are left to one thread if neighboring rows are contiguous too.
constexpr int64_t kShortestRow = 16;
// Up to this number of rows leave most of a GPU idle if they are too long for one block.
constexpr int64_t kFewLongRows = 8;
constexpr int64_t kLongestForBlock = 16384;
constexpr int64_t kMaxRowElements = int64_t{1} << 31;

PrimRef Wide(ir::Context& ir, PrimRef e) { return ir.MakeCast(ir::DType::Int(64), e); }

bool SameExtents(ir::Context& ir, const std::vector<ir::NestAxis>& a,
                 const std::vector<ir::NestAxis>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const ir::NestAxis& x, const ir::NestAxis& y) {
                      return Wide(ir, x.extent) == Wide(ir, y.extent);
                    });
}

class RowMatcher {
 public:
  RowMatcher(ir::Context& context, const std::vector<StmtRef>& stmts, size_t first,
             const std::vector<BufferUses>& uses, const absl::flat_hash_set<PrimRef>& given,
             const absl::flat_hash_set<PrimRef>& own)
      : ir_(context), stmts_(stmts), first_(first), uses_(uses), given_(given), own_(own) {}

  // `gpus`: match columns, shared among threads for these GPUs; null: match rows.
  std::optional<RowGroup> Match(const GpuChoice* gpus) {
    gpus_ = gpus;
    std::vector<RowStage> stages;
    size_t reduction = 0;
    for (size_t i = first_; i < stmts_.size(); i += stages.back().statements) {
      std::optional<RowStage> stage = ParseRowStage(ir_, stmts_[i]);
      if (!stage) stage = ParseSearch(ir_, stmts_, i);
      if (!stage) break;
      stages.push_back(*std::move(stage));
      if (stages.back().acc == nullptr && reduction + 1 == stages.size()) ++reduction;
    }
    if (reduction == stages.size()) return std::nullopt;
    if (!Begin(stages[reduction])) return std::nullopt;
    for (size_t i = 0; i < stages.size(); ++i) {
      if (Add(stages[i])) continue;
      if (i <= reduction) return std::nullopt;
      break;
    }
    FindInner();
    return std::move(group_);
  }

 private:
  // The rows are those of the first nest with a reduction.
  bool Begin(const RowStage& stage) {
    group_.rows = stage.axes;
    for (const ir::NestAxis& axis : stage.reduce) {
      for (const ir::NestAxis& row : stage.axes) {
        if (nest::Mentions(axis.extent, row.var)) return false;
      }
      group_.along.push_back({ir_.NewVar(ir::ToString(axis.var)), axis.extent});
    }
    for (const ir::NestAxis& row : group_.rows) Bound(row);
    for (const ir::NestAxis& axis : group_.along) Bound(axis);
    const std::optional<int64_t> rows = CountOf(group_.rows), length = CountOf(group_.along);
    if (gpus_ != nullptr) return BeginColumns(stage, rows, length);
    group_.few =
        rows && (length ? *rows <= kFewLongRows && *length > kLongestForBlock : *rows == 1);
    return true;
  }

  bool BeginColumns(const RowStage& stage, std::optional<int64_t> columns,
                    std::optional<int64_t> length) {
    if (stage.axes.empty()) return false;
    int bits = 0;
    ForEachLoad(stage, [&](PrimRef, const ir::Load& load) {
      if (bits != 0 || !DependsOn(load, stage.axes.back().var)) return;
      bits = load.buffer->dtype.is_bool() ? 8 : load.buffer->dtype.bits;
    });
    if (bits == 0) return false;
    group_.columns = ChooseColumnShape(columns, length, bits, *gpus_);
    if (!group_.columns) return false;
    group_.few = group_.columns->parts > 1;
    FindOrder(stage);
    return true;
  }

  // Finds the memory order of row axes and element axes from the indices of a load.
  void FindOrder(const RowStage& stage) {
    std::vector<PrimRef> vars;
    for (const auto* axes : {&stage.axes, &stage.reduce}) {
      for (const ir::NestAxis& axis : *axes) vars.push_back(axis.var);
    }
    ForEachLoad(stage, [&](PrimRef, const ir::Load& load) {
      if (!order_.empty() || load.indices.size() != vars.size()) return;
      std::vector<size_t> order;
      for (PrimRef index : load.indices) {
        const auto at = std::find(vars.begin(), vars.end(), index);
        const auto number = static_cast<size_t>(at - vars.begin());
        if (at == vars.end() || std::count(order.begin(), order.end(), number) > 0) return;
        order.push_back(number);
      }
      order_ = std::move(order);
    });
  }

  static std::optional<int64_t> CountOf(const std::vector<ir::NestAxis>& axes) {
    int64_t count = 1;
    for (const ir::NestAxis& axis : axes) {
      const auto extent = nest::Number(axis.extent);
      if (!extent || *extent < 0 || *extent > kMaxRowElements) return std::nullopt;
      count = std::min(count * *extent, kMaxRowElements);
    }
    return count;
  }

  void Bound(const ir::NestAxis& axis) {
    const auto count = nest::Number(axis.extent);
    known_.Bound(axis.var,
                 count ? analysis::Interval{0, *count - 1} : analysis::Interval::AtLeast(0));
  }

  bool Add(const RowStage& stage) {
    const ir::GridStride grid = ParallelAxes(ir_, Nested(stage), given_, {});
    if (grid.axes.size() != stage.axes.size()) return false;
    std::optional<RowPart> part = InGroup(stage);
    if (!part || !FitsWithOthers(*part)) return false;
    // A nest along few long rows without a reduction is better spread over the whole grid by
    // itself.
    if (group_.few && part->along && !(group_.parts.empty() && stage.acc != nullptr)) return false;
    if (stage.best != nullptr && IsElsewhere(stage.best->data, stage.statements)) return false;
    if (stage.acc != nullptr ? !Lies(part->stage) : part->along && !StoresNeighbours(part->stage)) {
      return false;
    }
    group_.parts.push_back(*std::move(part));
    group_.statements += stage.statements;
    return true;
  }

  // Returns the stage as nested loops with bindings.
  StmtRef Nested(const RowStage& stage) {
    ir::NestStage nest;
    nest.spatial = stage.axes;
    for (const PlacedLet& placed : stage.outer) nest.lets.push_back(placed.let);
    nest.lets.insert(nest.lets.end(), stage.lets.begin(), stage.lets.end());
    nest.value = stage.value;
    nest.to = stage.to;
    nest.at = stage.at;
    return nest::BuildNest(ir_, {{}, {nest}, {}});
  }

  // Returns the stage in the group's variables, or nullopt if it iterates over something else.
  std::optional<RowPart> InGroup(const RowStage& from) {
    RowPart part;
    part.stage = from;
    RowStage& stage = part.stage;
    const size_t rows = group_.rows.size();
    if (stage.axes.size() < rows) return std::nullopt;
    nest::RewriteScalar rewrite(ir_);
    std::vector<ir::NestAxis> rest, axes = stage.axes;  // row axes first
    size_t whole = rows;  // bindings at this depth or less are invariant in the row
    if (gpus_ != nullptr && axes.size() > rows) {
      if (order_.size() != axes.size()) return std::nullopt;
      for (size_t i = 0; i < axes.size(); ++i) axes[order_[i]] = stage.axes[i];
      for (whole = 0; order_[whole] < rows; ++whole) continue;
    }
    for (size_t i = 0; i < rows; ++i) {
      const ir::NestAxis& axis = axes[i];
      const ir::NestAxis& row = group_.rows[i];
      if (Wide(ir_, axis.extent) == Wide(ir_, row.extent)) {
        rewrite.Replace(axis.var, row.var);
        continue;
      }
      // Several values of the axis belong to one row, such as the channels of a group.
      const auto count = nest::Number(axis.extent), groups = nest::Number(row.extent);
      if (i + 1 != rows || !count || !groups || gpus_ != nullptr) return std::nullopt;
      if (*groups <= 0 || *count % *groups != 0 || group_.along.empty()) return std::nullopt;
      const PrimRef inside = group_.along[0].var;
      const PrimRef each = ir_.Int(*count / *groups);
      rest.push_back({inside, each});
      const PrimRef first = ir_.Make(BinaryOp::kMul, Wide(ir_, row.var), each);
      rewrite.Replace(axis.var, ir_.Make(BinaryOp::kAdd, first, inside));
      whole = rows - 1;
    }
    rest.insert(rest.end(), axes.begin() + static_cast<ptrdiff_t>(rows), axes.end());
    if (stage.acc != nullptr) {
      if (!rest.empty()) return std::nullopt;
      rest = stage.reduce;
    }
    part.along = !rest.empty();
    if (part.along && !SameExtents(ir_, rest, group_.along)) return std::nullopt;
    for (size_t i = 0; i < rest.size(); ++i) {
      if (rest[i].var != group_.along[i].var) rewrite.Replace(rest[i].var, group_.along[i].var);
    }
    stage.axes.clear();
    stage.reduce.clear();
    Rename(stage, rewrite);
    std::vector<ir::NestLet> deeper;
    for (const PlacedLet& placed : stage.outer) {
      const bool of_row = stage.acc != nullptr || placed.depth <= whole;
      (of_row && part.along ? part.row_lets : deeper).push_back(placed.let);
    }
    stage.outer.clear();
    stage.lets.insert(stage.lets.begin(), deeper.begin(), deeper.end());
    return part;
  }

  // Gives each binding a new variable, because it may be evaluated several times.
  void Rename(RowStage& stage, nest::RewriteScalar& rewrite) {
    const auto renamed = [&](ir::NestLet& let) {
      const PrimRef value = Settled(rewrite(let.value));
      const PrimRef var = ir_.NewVarLike(let.var);
      rewrite.Replace(let.var, IsPlace(value) ? value : var);
      let = {var, value};
    };
    for (PlacedLet& placed : stage.outer) renamed(placed.let);
    for (ir::NestLet& let : stage.fold_lets) renamed(let);
    if (stage.term != nullptr) stage.term = Settled(rewrite(stage.term));
    for (ir::NestLet& let : stage.lets) renamed(let);
    stage.value = Settled(rewrite(stage.value));
    for (PrimRef& index : stage.at) index = Place(rewrite(index));
    std::erase_if(stage.outer, [](const PlacedLet& p) { return IsPlace(p.let.value); });
    std::erase_if(stage.fold_lets, [](const ir::NestLet& let) { return IsPlace(let.value); });
    std::erase_if(stage.lets, [](const ir::NestLet& let) { return IsPlace(let.value); });
  }

  // Returns whether `e` is index arithmetic on variables.
  static bool IsPlace(PrimRef e) {
    if (e->dtype() != ir::DType::Int(64)) return false;
    bool place = e->As<ir::Load>() == nullptr && e->As<ir::Intrinsic>() == nullptr &&
                 e->As<ir::Cast>() == nullptr;
    ir::ForEachOperand(e, [&](PrimRef part) { place = place && IsPlace(part); });
    return place;
  }

  PrimRef Place(PrimRef index) { return analysis::Simplify(ir_, index, known_); }

  // Returns `e` with simplified indices.
  PrimRef Settled(PrimRef e) {
    const PrimRef with = ir::MapOperands(ir_, e, [&](PrimRef part) { return Settled(part); });
    const auto* load = with->As<ir::Load>();
    if (load == nullptr) return with;
    std::vector<PrimRef> indices;
    for (PrimRef index : load->indices) indices.push_back(Place(index));
    return ir_.MakeLoad(load->buffer, std::move(indices), load->predicate);
  }

  // A value written by another nest of the group must be read by the thread that wrote it.
  bool FitsWithOthers(const RowPart& part) {
    bool fits = true;
    ForEachLoad(part, [&](PrimRef, const ir::Load& load) {
      for (const RowPart& other : group_.parts) {
        if (other.stage.to->data != load.buffer->data) continue;
        fits = fits && other.stage.to == load.buffer && other.stage.at == load.indices;
      }
      fits = fits && load.predicate == nullptr && load.buffer->data != part.stage.to->data;
    });
    // No other nest may access what this one writes.
    for (const RowPart& other : group_.parts) {
      fits = fits && other.stage.to->data != part.stage.to->data;
      ForEachLoad(other, [&](PrimRef, const ir::Load& load) {
        fits = fits && load.buffer->data != part.stage.to->data;
      });
    }
    return fits;
  }

  // Returns the variable along which neighboring threads have neighboring values.
  PrimRef Inner() const {
    return gpus_ == nullptr ? group_.along.back().var : group_.rows.back().var;
  }

  // Returns whether accesses are coalesced: every access that depends on the inner variable has
  // stride 1 in it. At least one access must depend on all rows, so that no data is read again for
  // another row.
  bool Lies(const RowStage& stage) {
    bool lies = true, of_all_rows = false;
    ForEachLoad(stage, [&](PrimRef, const ir::Load& load) {
      const auto of = [&](const ir::NestAxis& axis) { return DependsOn(load, axis.var); };
      if (!lies || std::none_of(group_.along.begin(), group_.along.end(), of)) return;
      if (gpus_ != nullptr && !DependsOn(load, Inner())) return;
      lies = load.indices.size() == load.buffer->shape.size() && load.buffer->strides.empty() &&
             (gpus_ == nullptr || !ir::IsPacked(load.buffer->dtype)) &&
             StepOf(load.indices.back(), Inner()) == 1;
      for (size_t d = 0; lies && d + 1 < load.indices.size(); ++d) {
        lies = !nest::Mentions(load.indices[d], Inner());
      }
      for (const ir::NestAxis& axis : gpus_ == nullptr ? group_.rows : group_.along) {
        const PrimRef index = load.indices.back();
        lies = lies &&
               !(gpus_ == nullptr ? Overlaps(index, axis.var) : nest::Mentions(index, axis.var));
      }
      of_all_rows = of_all_rows || std::all_of(group_.rows.begin(), group_.rows.end(), of);
    });
    return lies && of_all_rows;
  }

  static bool DependsOn(const ir::Load& load, PrimRef var) {
    return std::any_of(load.indices.begin(), load.indices.end(),
                       [&](PrimRef index) { return nest::Mentions(index, var); });
  }

  bool StoresNeighbours(const RowStage& stage) {
    if (stage.at.empty() || !stage.to->strides.empty()) return false;
    return StepOf(stage.at.back(), Inner()) == 1;
  }

  // Returns whether rows share the innermost dimension, as sliding windows do, or are too short for
  // a team.
  bool Overlaps(PrimRef index, PrimRef row) {
    if (!nest::Mentions(index, row)) return false;
    const std::optional<int64_t> step = StepOf(index, row);
    const auto count = nest::Number(group_.along.back().extent);
    return !step || !count || *count < kShortestRow || *step < *count;
  }

  // Returns the stride of the index in the variable.
  std::optional<int64_t> StepOf(PrimRef index, PrimRef var) {
    nest::RewriteScalar next(ir_);
    next.Replace(var, ir_.Make(BinaryOp::kAdd, var, ir_.Int(1, var->dtype())));
    const PrimRef step = analysis::Simplify(
        ir_, ir_.Make(BinaryOp::kSub, Wide(ir_, next(index)), Wide(ir_, index)), known_);
    return nest::Number(step);
  }

  void FindInner() {
    for (const RowPart& part : group_.parts) {
      if (!IsElsewhere(part.stage.to->data, 0)) group_.inner.insert(part.stage.to);
    }
  }

  // Returns whether the memory is used by statements outside of the group and the next `coming`
  // statements.
  bool IsElsewhere(PrimRef data, size_t coming) const {
    bool elsewhere = !own_.contains(data);
    for (size_t i = 0; i < stmts_.size(); ++i) {
      const bool in_group = i >= first_ && i < first_ + group_.statements + coming;
      const bool makes = stmts_[i]->As<ir::AllocStmt>() != nullptr;
      elsewhere = elsewhere || (!in_group && !makes && uses_[i].Mentions(data));
    }
    return elsewhere;
  }

  ir::Context& ir_;
  const std::vector<StmtRef>& stmts_;
  const size_t first_;
  const std::vector<BufferUses>& uses_;
  const absl::flat_hash_set<PrimRef>& given_;
  const absl::flat_hash_set<PrimRef>& own_;
  const GpuChoice* gpus_ = nullptr;
  std::vector<size_t> order_;  // numbers of the axes in memory order, row axes first
  analysis::Assumptions known_;
  RowGroup group_;
};

}  // namespace

std::optional<RowGroup> MatchRows(ir::Context& context, const std::vector<StmtRef>& stmts,
                                  size_t first, const std::vector<BufferUses>& uses,
                                  const absl::flat_hash_set<PrimRef>& given,
                                  const absl::flat_hash_set<PrimRef>& own, const GpuChoice& gpus) {
  auto rows = RowMatcher(context, stmts, first, uses, given, own).Match(nullptr);
  return rows ? rows : RowMatcher(context, stmts, first, uses, given, own).Match(&gpus);
}

}  // namespace lathe::schedule
