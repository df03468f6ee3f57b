#include "generator/plan/overlap_distance.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/constant_value.h"
#include "generator/ir/access_order.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/nest/scalar_facts.h"
#include "generator/plan/form_distance.h"
#include "generator/plan/same_place_kernel.h"
#include "generator/support/match.h"

namespace lathe::plan {
namespace {

using analysis::ConstantValue;
using analysis::ConstantValues;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

ConstantValues KnownScalars(const ir::Kernel& kernel, const ir::KernelStep& step) {
  ConstantValues values;
  for (size_t i = 0; i < kernel.scalars.size(); ++i) {
    const auto value = nest::Number(step.scalars[i]);
    if (value) values[kernel.scalars[i]] = *value;
  }
  return values;
}

// Walks a kernel and notes, at each read of `read`, the end of what was written before.
class Walk {
 public:
  Walk(const ir::Kernel& kernel, const ir::KernelStep& step, std::vector<BufferRef> read,
       BufferRef written, int64_t visits_left)
      : read_(std::move(read)),
        written_(written),
        most_(std::min(kMaxVisits, visits_left)),
        values_(KnownScalars(kernel, step)) {}

  std::optional<int64_t> Distance(StmtRef body) {
    if (Visits(body) > most_) return std::nullopt;
    Run(body);
    return known_ ? std::optional(distance_ * ir::StorageBytes(written_->dtype, 1)) : std::nullopt;
  }

  int64_t visits() const { return visits_; }

 private:
  // Of statements and expressions in one kernel.
  static constexpr int64_t kMaxVisits = 500'000;

  void Fail() { known_ = false; }

  // An estimate, so that long loops are not begun: bounds that depend on outer loops count as 1.
  int64_t Visits(StmtRef stmt) {
    if (stmt == nullptr) return 0;
    int64_t inner = 1;
    ir::ForEachChild(stmt,
                     [&](StmtRef part) { inner = std::min(most_ + 1, inner + Visits(part)); });
    const auto* loop = stmt->As<ir::ForStmt>();
    if (loop != nullptr && SamePlaceNestOf(stmt, read_, written_)) return 1;
    const int64_t times = loop == nullptr ? 1 : Value(loop->extent).value_or(1);
    return times > most_ / inner ? most_ + 1 : std::max<int64_t>(times, 1) * inner;
  }

  std::optional<int64_t> Value(PrimRef e) const { return ConstantValue(e, values_); }

  // Buffers of other names may show the same memory.
  bool IsRead(BufferRef buffer) const {
    return std::any_of(read_.begin(), read_.end(),
                       [&](BufferRef other) { return other->data == buffer->data; });
  }
  bool IsWritten(BufferRef buffer) const { return buffer->data == written_->data; }

  // The offset of an element in a compact buffer.
  std::optional<int64_t> Place(BufferRef buffer, const std::vector<PrimRef>& indices) const {
    return Place(buffer, indices, values_);
  }
  std::optional<int64_t> Place(BufferRef buffer, const std::vector<PrimRef>& indices,
                               const ConstantValues& values) const {
    if (!ir::IsPlainMemory(*buffer) || buffer->dtype != written_->dtype) return std::nullopt;
    int64_t place = 0;
    for (size_t d = 0; d < indices.size(); ++d) {
      const auto size = ConstantValue(buffer->shape[d], values),
                 index = ConstantValue(indices[d], values);
      if (!size || !index) return std::nullopt;
      place = place * *size + *index;
    }
    return place;
  }

  void Read(int64_t start) { distance_ = std::max(distance_, written_end_ - start); }
  void Write(int64_t end) { written_end_ = std::max(written_end_, end); }

  void Reads(PrimRef e) {
    if (!known_ || ++visits_ > most_) return Fail();
    if (const auto* load = e->As<ir::Load>()) {
      for (PrimRef index : load->indices) Reads(index);
      if (!IsRead(load->buffer)) return;
      const auto place = Place(load->buffer, load->indices);
      return place ? Read(*place) : Fail();
    }
    const auto* call = e->As<ir::Intrinsic>();
    const auto* select = e->As<ir::Select>();
    // Functions may read through pointers.
    if (e->dtype().is_handle() || (call != nullptr && ir::IsCall(call->name))) return Fail();
    const bool lazy = call != nullptr && call->name == "if_then_else";
    if (!lazy && select == nullptr) {
      return ir::ForEachOperand(e, [&](PrimRef part) { Reads(part); });
    }
    // Only the operand of the condition that holds is evaluated, where that is known.
    const PrimRef cond = lazy ? call->args[0] : select->cond;
    const PrimRef yes = lazy ? call->args[1] : select->if_true;
    const PrimRef no = lazy ? call->args[2] : select->if_false;
    Reads(cond);
    const auto holds = Value(cond);
    if (!holds || *holds != 0) Reads(yes);
    if (!holds || *holds == 0) Reads(no);
  }

  void Run(StmtRef stmt) {
    if (stmt == nullptr || !known_) return;
    if (++visits_ > most_) return Fail();
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef inner : s.stmts) Run(inner);
        },
        [&](const ir::ForStmt& s) { Loop(stmt, s); }, [&](const ir::BlockStmt& s) { Block(s); },
        [&](const ir::StoreStmt& s) {
          Reads(s.value);
          for (PrimRef index : s.indices) Reads(index);
          if (s.predicate != nullptr || IsRead(s.buffer)) return Fail();
          if (!IsWritten(s.buffer)) return;
          const auto place = Place(s.buffer, s.indices);
          place ? Write(*place + 1) : Fail();
        },
        [&](const ir::LetStmt& s) {
          Reads(s.value);
          if (const auto value = Value(s.value)) {
            values_[s.var] = *value;
          } else {
            values_.erase(s.var);
          }
          Run(s.body);
        },
        [&](const ir::IfStmt& s) {
          Reads(s.cond);
          const auto holds = Value(s.cond);
          if (!holds || *holds != 0) Run(s.then_case);
          if (!holds || *holds == 0) Run(s.else_case);
        },
        [&](const ir::AssertStmt& s) {
          Reads(s.cond);
          Run(s.body);
        },
        [&](const ir::AllocStmt& s) { Run(s.body); },
        [&](const ir::DeclBufferStmt& s) { Run(s.body); },
        [&](const ir::EvaluateStmt& s) { Call(s.value); }, [&](const auto&) { Fail(); });
  }

  void Loop(StmtRef stmt, const ir::ForStmt& s) {
    const auto min = Value(s.min), extent = Value(s.extent);
    if (!min || !extent || s.step != nullptr || s.kind == ir::LoopKind::kThreadBinding) {
      return Fail();
    }
    if (SamePlace(stmt)) return;
    for (int64_t i = 0; i < *extent && known_; ++i) {
      values_[s.var] = *min + i;
      Run(s.body);
    }
  }

  // Notes the accesses of a nest that reads each element where it writes the result: those of its
  // first and of its last turn. Returns false for other loops.
  bool SamePlace(StmtRef stmt) {
    const auto nest = SamePlaceNestOf(stmt, read_, written_);
    if (!nest) return false;
    ConstantValues first = values_, last = values_;
    for (const ir::ForStmt* loop : nest->loops) {
      const auto min = Value(loop->min), extent = Value(loop->extent);
      if (!min || !extent || *extent < 1) return false;
      first[loop->var] = *min;
      last[loop->var] = *min + *extent - 1;
    }
    const auto begin = Place(nest->written, nest->indices, first),
               end = Place(nest->written, nest->indices, last);
    if (!begin || !end) return false;
    if (nest->reads) Read(*begin);
    Write(*end + 1);
    return true;
  }

  void Block(const ir::BlockStmt& s) {
    if (!s.matches.empty() || !s.realized) return Fail();
    for (const ir::BlockAxis& axis : s.axes) {
      const auto value = Value(axis.binding);
      if (!value) return Fail();
      values_[axis.var] = *value;
    }
    if (s.predicate != nullptr) {
      const auto holds = Value(s.predicate);
      if (!holds) return Fail();
      if (*holds == 0) return;
    }
    Run(s.init);
    Run(s.body);
  }

  // An operation reads its data in groups of rows, or all at once.
  void Call(PrimRef e) {
    const auto* call = e->As<ir::Intrinsic>();
    if (call == nullptr || !ir::HasDefinition(call->name)) return Fail();
    std::vector<int64_t> numbers;
    size_t first = 0;
    for (; first < call->args.size() && call->args[first]->As<ir::Load>() == nullptr; ++first) {
      const auto number = Value(call->args[first]);
      if (!number) return Fail();
      numbers.push_back(*number);
    }
    if (first == call->args.size()) return Fail();
    for (size_t i = first; i < call->args.size(); ++i) {
      const auto* load = call->args[i]->As<ir::Load>();
      if (load == nullptr) continue;
      const bool data = i == first, result = i + 1 == call->args.size();
      if (!data && IsRead(load->buffer)) return Fail();
      if (!result && IsWritten(load->buffer)) return Fail();
    }
    const auto* x = call->args[first]->As<ir::Load>();
    const auto* out = call->args.back()->As<ir::Load>();
    // Places in other buffers, such as scratch memory of another dtype, do not matter.
    const bool reads = IsRead(x->buffer), writes = IsWritten(out->buffer);
    const auto from = reads ? Place(x->buffer, x->indices) : std::optional<int64_t>(0);
    const auto to = writes ? Place(out->buffer, out->indices) : std::optional<int64_t>(0);
    if (!from || !to) return Fail();
    for (const ir::AccessPart& part : ir::AccessOrder(call->name, numbers)) {
      const auto read = [&] {
        if (reads && part.reads) Read(*from + part.read_start);
      };
      if (part.reads_first) read();
      if (writes) Write(*to + part.written_end);
      if (!part.reads_first) read();
    }
  }

  const std::vector<BufferRef> read_;
  const BufferRef written_;
  const int64_t most_;
  ConstantValues values_;
  int64_t written_end_ = 0;
  int64_t distance_ = 0;
  int64_t visits_ = 0;
  bool known_ = true;
};

}  // namespace

std::optional<int64_t> OverlapDistance(const ir::Program& program, const ir::KernelStep& step,
                                       ir::TensorId read, ir::TensorId written,
                                       int64_t& visits_left) {
  const ir::Kernel& kernel = program.kernels[step.kernel];
  if (program.tensors[read].dtype != program.tensors[written].dtype) return std::nullopt;
  std::vector<BufferRef> from;
  BufferRef to = nullptr;
  for (size_t i = 0; i < step.tensors.size(); ++i) {
    const ir::TensorId whole = program.Whole(step.tensors[i]);
    // A pointer may refer to any tensor.
    if (program.tensors[whole].home == ir::Home::kPointer) return std::nullopt;
    if (whole == read) from.push_back(kernel.buffers[i]);
    if (whole != written) continue;
    if (to != nullptr) return std::nullopt;
    to = kernel.buffers[i];
  }
  if (to == nullptr || from.empty() || !ir::IsPlainMemory(*to)) return std::nullopt;
  for (BufferRef buffer : from) {
    if (!ir::IsPlainMemory(*buffer) || buffer->dtype != to->dtype) return std::nullopt;
  }
  if (kernel.form) {
    const auto distance =
        FormDistance(*kernel.form, from, to, KnownScalars(kernel, step), visits_left);
    return distance ? std::optional(*distance * ir::StorageBytes(to->dtype, 1)) : std::nullopt;
  }
  Walk walk(kernel, step, from, to, visits_left);
  const std::optional<int64_t> distance = walk.Distance(kernel.func.body);
  visits_left = std::max<int64_t>(visits_left - walk.visits(), 0);
  return distance;
}

}  // namespace lathe::plan
