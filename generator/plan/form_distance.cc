#include "generator/plan/form_distance.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "generator/ir/function_calls.h"
#include "generator/nest/inline_element.h"
#include "generator/support/match.h"

namespace lathe::plan {
namespace {

using analysis::ConstantValue;
using analysis::ConstantValues;
using ir::BufferRef;
using ir::PrimRef;

const ir::NestStage& StageOf(const ir::StageForm& form) {
  return lathe::Match(
      form, [](const ir::NestStage& stage) -> const ir::NestStage& { return stage; },
      [](const auto& other) -> const ir::NestStage& { return other.stage; });
}

// Returns whether the value grows by constant steps with each variable, and never falls.
bool IsRising(PrimRef e) {
  if (e->As<ir::IntImm>() != nullptr || e->As<ir::SymVar>() != nullptr) return true;
  if (const auto* cast = e->As<ir::Cast>()) return IsRising(cast->value);
  const auto* n = e->As<ir::Binary>();
  if (n == nullptr || !IsRising(n->lhs)) return false;
  if (n->op == ir::BinaryOp::kAdd) return IsRising(n->rhs);
  const auto* factor = n->rhs->As<ir::IntImm>();
  return n->op == ir::BinaryOp::kMul && factor != nullptr && factor->value >= 0;
}

// Returns whether a function may access memory through a pointer. Expressions share operands:
// `seen` holds those that were searched.
bool HasPointer(PrimRef e, absl::flat_hash_set<PrimRef>& seen) {
  if (e == nullptr || !seen.insert(e).second) return false;
  const auto* call = e->As<ir::Intrinsic>();
  bool any = e->dtype().is_handle() || (call != nullptr && ir::IsCall(call->name));
  ir::ForEachOperand(e, [&](PrimRef operand) { any = any || HasPointer(operand, seen); });
  return any;
}

bool HasPointer(const ir::NestStage& stage) {
  absl::flat_hash_set<PrimRef> seen;
  const auto in_lets = [&](const std::vector<ir::NestLet>& lets) {
    return std::any_of(lets.begin(), lets.end(),
                       [&](const ir::NestLet& let) { return HasPointer(let.value, seen); });
  };
  return HasPointer(stage.init, seen) || HasPointer(stage.update, seen) ||
         HasPointer(stage.value, seen) || in_lets(stage.fold_lets) || in_lets(stage.lets);
}

class FormWalk {
 public:
  FormWalk(const ir::KernelForm& form, absl::Span<const BufferRef> read, BufferRef written,
           const ConstantValues& values, int64_t& visits_left)
      : form_(form), read_(read), written_(written), values_(values), visits_left_(visits_left) {}

  std::optional<int64_t> Run() {
    const auto size = Elements(*written_);
    if (!size) return std::nullopt;
    for (const ir::StageForm& form : form_.stages) reads_.push_back(Reads(form));
    auto rows = form_.rows.begin();
    for (size_t i = 0; i < form_.stages.size();) {
      while (rows != form_.rows.end() && rows->end <= i) ++rows;
      const bool shares = rows != form_.rows.end() && rows->first <= i;
      const size_t end = shares ? rows->end : i + 1;
      bool reads = false, writes = false;
      for (size_t k = i; k < end; ++k) {
        if (HasPointer(StageOf(form_.stages[k]))) return std::nullopt;
        reads = reads || reads_[k];
        writes = writes || Writes(form_.stages[k]);
      }
      if (reads && writes) {
        const bool known =
            shares ? Lines(*rows) : InPlace(form_.stages[i]) || Tiles(form_.stages[i]);
        if (!known) return std::nullopt;
      } else if (reads) {
        distance_ = std::max(distance_, written_end_);
      } else if (writes) {
        written_end_ = *size;
      }
      i = end;
    }
    return distance_;
  }

 private:
  bool IsRead(BufferRef buffer) const {
    return buffer != nullptr && std::any_of(read_.begin(), read_.end(), [&](BufferRef other) {
             return other->data == buffer->data;
           });
  }

  bool ReadsIn(const ir::NestStage& stage) const {
    return std::any_of(read_.begin(), read_.end(), [&](BufferRef buffer) {
      return !nest::UsesOf(stage, buffer).places.empty() || nest::IsReadInExtent(stage, buffer);
    });
  }

  bool Reads(const ir::StageForm& form) const {
    return ReadsIn(StageOf(form)) ||
           lathe::Match(
               form, [](const ir::NestStage&) { return false; },
               [&](const ir::TiledSum& sum) {
                 return IsRead(sum.by_row) || IsRead(sum.by_column) || IsRead(sum.panels);
               },
               [&](const ir::PaddedCopy& copy) { return IsRead(copy.from); },
               [](const ir::IntegerLanes&) { return false; },
               [&](const ir::VectorLoops& loops) {
                 ir::NestStage term = loops.stage;
                 if (loops.term != nullptr) term.value = loops.term;
                 return ReadsIn(term);
               });
  }

  bool Writes(const ir::StageForm& form) const {
    const BufferRef to = StageOf(form).to;
    return to != nullptr && to->data == written_->data;
  }

  std::optional<int64_t> Elements(const ir::Buffer& buffer) const {
    int64_t count = 1;
    for (PrimRef size : buffer.shape) {
      const auto number = ConstantValue(size, values_);
      if (!number) return std::nullopt;
      count *= *number;
    }
    return count;
  }

  // Runs the body at each position of the axes in order, until it returns false.
  bool AtEachPosition(absl::Span<const ir::NestAxis> axes, absl::FunctionRef<bool()> body) {
    if (axes.empty()) return body();
    const auto extent = ConstantValue(axes[0].extent, values_);
    if (!extent) return false;
    for (int64_t i = 0; i < *extent; ++i) {
      values_[axes[0].var] = i;
      if (!AtEachPosition(axes.subspan(1), body)) return false;
    }
    return true;
  }

  // Runs the shared loops: copies of some lines of the input, and stages that read these.
  bool Lines(const ir::NestRows& rows) {
    return AtEachPosition(rows.axes, [&] {
      for (size_t i = rows.first; i < rows.end; ++i) {
        if (--visits_left_ < 0) return false;
        const ir::StageForm& form = form_.stages[i];
        const auto* copy = std::get_if<ir::PaddedCopy>(&form);
        if (reads_[i] && (copy == nullptr || Writes(form) || !ReadLines(*copy))) return false;
        if (Writes(form) && !WriteResults(form)) return false;
      }
      return true;
    });
  }

  // Returns whether each element is read only where its result is written, in vectors or one by
  // one.
  bool InPlace(const ir::StageForm& form) {
    const ir::NestStage& stage = StageOf(form);
    const bool elementwise = std::holds_alternative<ir::IntegerLanes>(form) ||
                             std::holds_alternative<ir::NestStage>(form) ||
                             std::holds_alternative<ir::VectorLoops>(form);
    if (!elementwise || stage.acc != nullptr || written_end_ != 0) return false;
    for (BufferRef buffer : read_) {
      if (buffer->shape != written_->shape || nest::IsReadInExtent(stage, buffer)) return false;
      for (const std::vector<PrimRef>& place : nest::UsesOf(stage, buffer).places) {
        if (place != stage.at) return false;
      }
    }
    const auto size = Elements(*written_);
    written_end_ = size.value_or(0);
    return size.has_value();
  }

  // Runs a product whose blocks of rows are complete one after another. A block reads its rows for
  // each panel, after it wrote the results of the panels before.
  bool Tiles(const ir::StageForm& form) {
    const auto* sum = std::get_if<ir::TiledSum>(&form);
    if (sum == nullptr || !sum->rows_outermost || !sum->batch.empty()) return false;
    ir::NestStage rest = sum->stage;  // without the product itself
    rest.update = rest.init;
    if (!IsRead(sum->by_row) || IsRead(sum->by_column) || ReadsIn(rest)) return false;
    return AtEachPosition(sum->outer, [&] { return Blocks(*sum); });
  }

  // Runs the blocks of rows of one product.
  bool Blocks(const ir::TiledSum& sum) {
    const auto rows = ConstantValue(sum.row.extent, values_);
    const auto columns = ConstantValue(sum.column.extent, values_);
    const auto start = ConstantValue(sum.row_start, values_);
    const auto row_stride = ConstantValue(sum.row_stride, values_);
    const bool rising =
        std::all_of(sum.k_strides.begin(), sum.k_strides.end(), [&](PrimRef stride) {
          const auto value = ConstantValue(stride, values_);
          return value && *value >= 0;
        });
    if (!rows || !columns || !start || !row_stride || *row_stride < 0 || !rising) return false;
    if (*columns <= 0) return true;
    values_[sum.column.var] = *columns - 1;
    for (int64_t r = 0; r < *rows; ++r) {  // a block may begin at any row
      if (--visits_left_ < 0) return false;
      values_[sum.row.var] = std::min(r + sum.rows, *rows) - 1;
      if (!WriteAt(sum.stage)) return false;
      distance_ = std::max(distance_, written_end_ - (*start + r * *row_stride));
    }
    return true;
  }

  // The first element that the copy reads: lines before the image are zeros.
  bool ReadLines(const ir::PaddedCopy& copy) {
    int64_t first = 0;
    for (size_t d = 0; d < copy.start.size(); ++d) {
      const auto size = ConstantValue(copy.from->shape[d], values_);
      const auto start = copy.start[d] == nullptr ? std::optional<int64_t>(0)
                                                  : ConstantValue(copy.start[d], values_);
      if (!size || !start) return false;
      first = first * *size + std::max<int64_t>(*start - copy.before[d], 0);
    }
    distance_ = std::max(distance_, written_end_ - first);
    return true;
  }

  // The end of the elements that the stage writes, at the last values of its axes.
  bool WriteResults(const ir::StageForm& form) {
    const ir::NestStage& stage = StageOf(form);
    std::vector<ir::NestAxis> axes = stage.spatial;
    if (const auto* sum = std::get_if<ir::TiledSum>(&form)) {
      axes.insert(axes.end(), sum->batch.begin(), sum->batch.end());
      axes.insert(axes.end(), sum->outer.begin(), sum->outer.end());
      axes.insert(axes.end(), {sum->row, sum->column});
    }
    for (const ir::NestAxis& axis : axes) {
      const auto extent = ConstantValue(axis.extent, values_);
      if (!extent) return false;
      if (*extent == 0) return true;
      values_[axis.var] = *extent - 1;
    }
    return WriteAt(stage);
  }

  // Notes the element that the stage writes at the current values of its axes.
  bool WriteAt(const ir::NestStage& stage) {
    int64_t last = 0;
    for (size_t d = 0; d < stage.at.size(); ++d) {
      const auto size = ConstantValue(written_->shape[d], values_);
      const auto index = IsRising(stage.at[d]) ? ConstantValue(stage.at[d], values_) : std::nullopt;
      if (!size || !index) return false;
      last = last * *size + *index;
    }
    written_end_ = std::max(written_end_, last + 1);
    return true;
  }

  const ir::KernelForm& form_;
  const absl::Span<const BufferRef> read_;
  const BufferRef written_;
  ConstantValues values_;
  int64_t& visits_left_;
  std::vector<bool> reads_;  // for each stage, whether it reads the memory
  int64_t written_end_ = 0;
  int64_t distance_ = 0;
};

}  // namespace

std::optional<int64_t> FormDistance(const ir::KernelForm& form, absl::Span<const BufferRef> read,
                                    BufferRef written, const ConstantValues& values,
                                    int64_t& visits_left) {
  return FormWalk(form, read, written, values, visits_left).Run();
}

}  // namespace lathe::plan
