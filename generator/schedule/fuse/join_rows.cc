#include "generator/schedule/fuse/join_rows.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/packed_elements.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/same_sizes.h"
#include "generator/nest/scalar_facts.h"
#include "generator/nest/simplify_stage.h"
#include "generator/schedule/fuse/row_invariants.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::NestAxis;
using ir::NestRows;
using ir::NestStage;
using ir::PrimRef;

// A function call and some arithmetic.
constexpr int kCostOfNumber = 24;

// Returns the variable that the index is. A narrowing cast is not transparent, because it maps to
// other elements.
PrimRef VariableOf(PrimRef index) {
  const auto* cast = index->As<ir::Cast>();
  const bool widens = cast != nullptr && index->dtype().is_int() && cast->value->dtype().is_int() &&
                      index->dtype().bits >= cast->value->dtype().bits;
  return widens ? cast->value : index;
}

class RowJoin {
 public:
  RowJoin(ir::Context& context, ir::Nest& nest, ir::KernelForm* form)
      : ir_(context), nest_(nest), form_(form), given_(nest.rows) {}

  void Run() {
    for (const ir::NestStage& stage : nest_.stages)
      settled_.push_back(nest::SimplifyStage(ir_, stage));
    std::vector<NestRows> found;
    for (size_t first = 0; first < settled_.size();) {
      if (const NestRows* given = GivenAt(first)) {
        found.push_back(*given);
      } else {
        found.push_back(RowsFrom(first));
        if (found.back().end - first == 1) found.back() = OneRowFrom(first);
      }
      first = found.back().end;
    }
    nest_.rows.clear();
    if (form_ != nullptr) form_->rows.clear();
    std::vector<ir::NestStage> stages = std::move(nest_.stages);
    std::vector<ir::StageForm> forms;
    if (form_ != nullptr) forms = std::move(form_->stages);
    nest_.stages.clear();
    if (form_ != nullptr) form_->stages.clear();
    for (const NestRows& rows : found) {
      const bool given = GivenAt(rows.first) != nullptr;
      if (!given && (!rows.axes.empty() || MakesNumbers(rows))) {
        Join(rows, forms);
        continue;
      }
      if (given) Keep(rows);
      for (size_t i = rows.first; i < rows.end; ++i) {
        nest_.stages.push_back(std::move(stages[i]));
        if (form_ != nullptr) form_->stages.push_back(std::move(forms[i]));
      }
    }
  }

 private:
  // Returns the rows that began at the stage before this pass, or null.
  const NestRows* GivenAt(size_t first) const {
    for (const NestRows& rows : given_) {
      if (rows.first == first) return &rows;
    }
    return nullptr;
  }

  // Adds the rows as they are, at the next stages.
  void Keep(const NestRows& rows) {
    const size_t count = rows.end - rows.first;
    nest_.rows.push_back({nest_.stages.size(), nest_.stages.size() + count, rows.axes});
    if (form_ == nullptr) return;
    form_->rows.push_back({form_->stages.size(), form_->stages.size() + count, rows.axes});
  }

  // Returns as many stages from `first` on as may share loops, and these loops.
  NestRows RowsFrom(size_t first) const {
    NestRows rows = RowsFrom(first, true);
    return IsWorthItsVectors(rows) ? rows : RowsFrom(first, false);
  }

  NestRows RowsFrom(size_t first, bool gives_up) const {
    NestRows rows{first, first + 1, OuterAxes(first, gives_up)};
    for (; rows.end < settled_.size() && !rows.axes.empty(); ++rows.end) {
      if (GivenAt(rows.end) != nullptr) break;
      const std::vector<ir::NestAxis> next = OuterAxes(rows.end, gives_up);
      size_t shared = 0;
      while (shared < std::min(rows.axes.size(), next.size()) &&
             nest::SameSize(ir_, rows.axes[shared].extent, next[shared].extent)) {
        ++shared;
      }
      while (shared > 0 && !KeepsToRows(first, rows.end + 1, shared)) --shared;
      if (shared == 0) break;
      rows.axes.resize(shared);
    }
    return rows;
  }

  // For a single row: the stages before the next group that shares loops.
  NestRows OneRowFrom(size_t first) const {
    NestRows row{first, first + 1, {}};
    if (!IsOfLoops(first)) return row;
    while (row.end < settled_.size() && GivenAt(row.end) == nullptr && IsOfLoops(row.end) &&
           RowsFrom(row.end).end - row.end == 1) {
      ++row.end;
    }
    return row;
  }

  // Plain loops or vector loops.
  bool IsOfLoops(size_t at) const {
    return form_ == nullptr || std::holds_alternative<ir::NestStage>(form_->stages[at]) ||
           std::holds_alternative<ir::VectorLoops>(form_->stages[at]);
  }

  bool MakesNumbers(const NestRows& rows) const {
    return std::any_of(nest_.own.begin(), nest_.own.end(), [&](BufferRef own) {
      const auto handed = RowHandedOver(own, rows);
      return handed && handed->is_number;
    });
  }

  // Stages lose their vectors only if they compute one number for each row that vector stages use.
  bool IsWorthItsVectors(const NestRows& rows) const {
    const size_t depth = rows.axes.size();
    bool gives_up = false, goes_along = false;
    for (size_t i = rows.first; i < rows.end; ++i) {
      const bool has_loops = settled_[i].spatial.size() > depth || !settled_[i].reduce.empty();
      if (depth > OuterAxes(i, false).size()) {
        if (has_loops) return false;
        gives_up = true;
      }
      goes_along = goes_along || has_loops;
    }
    return !gives_up || (goes_along && rows.end - rows.first > 1);
  }

  // Returns the axes of a stage that may become outer loops. With `gives_up`, includes the
  // vectorized axis if an element is cheap.
  std::vector<ir::NestAxis> OuterAxes(size_t at, bool gives_up) const {
    std::vector<ir::NestAxis> axes = settled_[at].spatial;
    size_t count = 0;
    while (count < axes.size() && !DependsOnAxis(axes[count].extent, axes)) ++count;
    axes.resize(count);
    if (form_ == nullptr || std::holds_alternative<ir::NestStage>(form_->stages[at])) return axes;
    const auto* loops = std::get_if<ir::VectorLoops>(&form_->stages[at]);
    if (loops == nullptr) return {};
    if (gives_up && settled_[at].acc == nullptr && nest::CostOf(settled_[at]) <= kCostOfNumber) {
      return axes;
    }
    // The vectorized axis is the innermost, wherever it is listed.
    const std::vector<ir::NestAxis>& own = loops->stage.spatial;
    count = 0;
    while (count < std::min(axes.size(), own.size()) && own[count].var == axes[count].var &&
           own[count].var != loops->axis.var) {
      ++count;
    }
    axes.resize(count);
    return axes;
  }

  static bool DependsOnAxis(PrimRef extent, const std::vector<ir::NestAxis>& axes) {
    return nest::ReadsMemory(extent) ||
           std::any_of(axes.begin(), axes.end(),
                       [&](const ir::NestAxis& axis) { return nest::Mentions(extent, axis.var); });
  }

  // Returns the position of each of the first axes among the indices, or nothing if one is missing.
  static std::optional<std::vector<size_t>> PlacesOf(const std::vector<PrimRef>& indices,
                                                     const std::vector<ir::NestAxis>& axes,
                                                     size_t count) {
    std::vector<size_t> places;
    for (size_t i = 0; i < count; ++i) {
      const auto it = std::find_if(indices.begin(), indices.end(),
                                   [&](PrimRef index) { return VariableOf(index) == axes[i].var; });
      if (it == indices.end()) return std::nullopt;
      places.push_back(static_cast<size_t>(it - indices.begin()));
    }
    return places;
  }

  // Returns the position of the row axes in the indices of all accesses to the buffer.
  std::optional<std::vector<size_t>> RowIn(BufferRef buffer, size_t first, size_t end,
                                           size_t count) const {
    std::optional<std::vector<size_t>> row;
    for (size_t i = first; i < end; ++i) {
      const ir::NestStage& stage = settled_[i];
      if (nest::IsReadInExtent(stage, buffer)) return std::nullopt;
      std::vector<std::vector<PrimRef>> all = nest::UsesOf(stage, buffer).places;
      if (stage.to == buffer) all.push_back(stage.at);
      for (const std::vector<PrimRef>& indices : all) {
        const auto places = PlacesOf(indices, stage.spatial, count);
        if (!places || (row && *row != *places)) return std::nullopt;
        row = places;
      }
    }
    return row;
  }

  bool KeepsToRows(size_t first, size_t end, size_t count) const {
    for (size_t i = first; i < end; ++i) {
      if (!RowIn(settled_[i].to, first, end, count)) return false;
    }
    return true;
  }

  // Returns the only stage that stores the buffer, if all its readers are later stages of these
  // rows.
  std::optional<size_t> HandsOver(BufferRef buffer, const NestRows& rows) const {
    std::optional<size_t> from;
    for (size_t i = 0; i < settled_.size(); ++i) {
      const bool stores = settled_[i].to == buffer;
      if (nest::IsReadInExtent(settled_[i], buffer)) return std::nullopt;
      if (!stores && nest::UsesOf(settled_[i], buffer).places.empty()) continue;
      if (i < rows.first || i >= rows.end || stores == from.has_value()) return std::nullopt;
      if (stores) from = i;
    }
    return from;
  }

  // A buffer that one stage of the rows computes for others.
  struct HandedOver {
    size_t maker = 0;
    std::vector<bool> kept;  // dimensions that are neither row axes nor of size 1
    bool is_number = false;  // no dimension is kept
  };
  std::optional<HandedOver> RowHandedOver(BufferRef own, const NestRows& rows) const {
    const bool plain =
        own->strides.empty() && own->elem_offset == nullptr && !ir::IsPacked(own->dtype);
    const auto maker = plain ? HandsOver(own, rows) : std::nullopt;
    const auto row = maker ? RowIn(own, rows.first, rows.end, rows.axes.size()) : std::nullopt;
    if (!row) return std::nullopt;
    HandedOver handed{*maker, std::vector<bool>(own->shape.size(), true), false};
    for (size_t i = 0; i < handed.kept.size(); ++i) {
      handed.kept[i] = !nest::IsNumber(own->shape[i], 1);
    }
    for (size_t place : *row) handed.kept[place] = false;
    handed.is_number = std::none_of(handed.kept.begin(), handed.kept.end(), std::identity());
    // A value computed in inner loops is not visible after them.
    if (handed.is_number && settled_[*maker].spatial.size() > rows.axes.size()) return std::nullopt;
    return handed;
  }

  // Removes the row dimensions from intermediate buffers. For a single row, tensors are unchanged.
  void Shrink(const NestRows& rows, nest::RewriteScalar& rewrite) {
    std::vector<BufferRef> memory;
    for (BufferRef own : nest_.own) {
      const auto handed = RowHandedOver(own, rows);
      if (!handed || (rows.axes.empty() && !handed->is_number)) {
        memory.push_back(own);
        continue;
      }
      ir::Buffer less = *own;
      less.shape.clear();
      for (size_t i = 0; i < handed->kept.size(); ++i) {
        if (handed->kept[i]) less.shape.push_back(own->shape[i]);
      }
      if (handed->is_number) {
        const ir::NestStage& maker = settled_[handed->maker];
        const PrimRef number = IsSumAlone(maker) ? maker.value : ir_.NewVar(less.name, less.dtype);
        rewrite.ReplaceLoads(own, number);
        numbers_[own] = number;
        continue;
      }
      less.data = ir_.NewPointer(less.name, less.dtype, "global");
      const BufferRef small = ir_.NewBuffer(std::move(less));
      rewrite.Replace(own, small, handed->kept);
      memory.push_back(small);
    }
    nest_.own = std::move(memory);
    if (form_ != nullptr) form_->own = nest_.own;
  }

  // Returns whether the result of the reduction is stored without further operations.
  bool IsSumAlone(const ir::NestStage& stage) const {
    return stage.acc != nullptr && stage.lets.empty() && stage.value == ir_.MakeLoad(stage.acc, {});
  }

  void Join(const NestRows& rows, std::vector<ir::StageForm>& forms) {
    nest::RewriteScalar rewrite(ir_);
    Shrink(rows, rewrite);
    RowInvariants parts(ir_), parts_of_forms(ir_);
    for (const auto& [buffer, number] : numbers_) {
      parts.AddNumber(number);
      parts_of_forms.AddNumber(number);
    }
    NestRows joined{nest_.stages.size(), 0, rows.axes};
    NestRows joined_forms{form_ == nullptr ? 0 : form_->stages.size(), 0, rows.axes};
    for (size_t i = rows.first; i < rows.end; ++i) {
      for (size_t n = 0; n < rows.axes.size(); ++n) {
        const PrimRef own = settled_[i].spatial[n].var;
        if (own != rows.axes[n].var) rewrite.Replace(own, rows.axes[n].var);
      }
      ir::NestStage stage = settled_[i];
      PutInRow(stage, rows, rewrite);
      if (form_ != nullptr) AddForm(forms[i], stage, rows, rewrite, parts_of_forms);
      parts.TakeFrom(stage, !stage.reduce.empty());
      for (ir::NestStage& part : parts.Take()) nest_.stages.push_back(std::move(part));
      nest_.stages.push_back(std::move(stage));
    }
    joined.end = nest_.stages.size();
    nest_.rows.push_back(std::move(joined));
    if (form_ == nullptr) return;
    joined_forms.end = form_->stages.size();
    form_->rows.push_back(std::move(joined_forms));
  }

  // `stage` is already in terms of its row.
  void AddForm(ir::StageForm& form, const ir::NestStage& stage, const NestRows& rows,
               nest::RewriteScalar& rewrite, RowInvariants& parts) {
    auto* loops = std::get_if<ir::VectorLoops>(&form);
    if (loops != nullptr && (!stage.spatial.empty() || !stage.reduce.empty())) {
      PutInRow(loops->stage, rows, rewrite);
      loops->term = rewrite(loops->term);
      loops->axis.extent = rewrite(loops->axis.extent);
      parts.TakeFrom(loops->stage, loops->folds || !loops->stage.reduce.empty());
      loops->term = parts.Without(loops->term);
    } else {
      form = stage;
      parts.TakeFrom(std::get<ir::NestStage>(form), !stage.reduce.empty());
    }
    for (ir::NestStage& part : parts.Take()) form_->stages.emplace_back(std::move(part));
    form_->stages.push_back(std::move(form));
  }

  void PutInRow(ir::NestStage& stage, const NestRows& rows, nest::RewriteScalar& rewrite) const {
    stage.spatial.erase(stage.spatial.begin(),
                        stage.spatial.begin() + static_cast<std::ptrdiff_t>(rows.axes.size()));
    const auto number = numbers_.find(stage.to);
    nest::RewriteStage(rewrite, stage);
    if (number == numbers_.end()) return;
    if (number->second != stage.value) stage.lets.push_back({number->second, stage.value});
    stage.value = nullptr;
    stage.to = nullptr;
    stage.at.clear();
  }

  ir::Context& ir_;
  ir::Nest& nest_;
  ir::KernelForm* const form_;
  const std::vector<NestRows> given_;
  std::vector<ir::NestStage> settled_;
  absl::flat_hash_map<BufferRef, PrimRef> numbers_;  // numbers of a row that replace buffers
};

}  // namespace

void JoinRows(ir::Context& context, ir::Nest& nest, ir::KernelForm* form) {
  RowJoin(context, nest, form).Run();
}

}  // namespace lathe::schedule
