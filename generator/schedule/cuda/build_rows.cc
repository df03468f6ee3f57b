#include "generator/schedule/cuda/build_rows.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/program.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/schedule/cuda/row_passes.h"
#include "generator/schedule/cuda/team_size.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// Many teams share a row: each is a block that passes over its elements once.
constexpr TeamSize kTeamOfShare = {256, 0};

std::optional<int64_t> KnownElements(ir::Context& ir, const std::vector<ir::NestAxis>& axes) {
  return nest::Number(ElementsOf(ir, axes));
}

TeamSize TeamOf(ir::Context& ir, const RowGroup& group) {
  const auto length = KnownElements(ir, group.along);
  if (group.columns) {
    const bool whole = group.share == nullptr;
    return TeamOfColumns(group.columns->down, whole ? length : std::nullopt);
  }
  return group.share != nullptr ? kTeamOfShare : ChooseTeam(KnownElements(ir, group.rows), length);
}

BinaryOp OpOf(ir::Fold fold) {
  switch (fold) {
    case ir::Fold::kSum:
      return BinaryOp::kAdd;
    case ir::Fold::kProduct:
      return BinaryOp::kMul;
    case ir::Fold::kLargest:
      return BinaryOp::kMax;
    case ir::Fold::kSmallest:
      return BinaryOp::kMin;
    case ir::Fold::kAny:
      return BinaryOp::kOr;
    case ir::Fold::kAll:
      return BinaryOp::kAnd;
  }
  return BinaryOp::kAdd;
}

class RowBuilder {
 public:
  RowBuilder(ir::Context& context, const RowGroup& group)
      : ir_(context),
        group_(group),
        length_(ElementsOf(context, group.along)),
        team_(TeamOf(context, group)),
        thread_(context.NewVar("thread")),
        element_(context),
        plan_(PlanPasses(group, team_)) {}

  ir::TeamRows Build() {
    ir::TeamRows rows;
    for (const ir::NestAxis& axis : group_.rows) {
      rows.rows.push_back({axis.var, ir_.Int(0, axis.var->dtype()), axis.extent});
    }
    rows.team = team_.threads;
    if (group_.columns) rows.across = group_.columns->across;
    rows.thread = thread_;
    NumberElements();
    for (const auto& [value, words] : plan_.kept) Keep(value);
    for (const RowPass& pass : plan_.passes) {
      ir::RowStep step;
      const std::vector<StmtRef> loop = Elements(pass, step);
      body_.insert(body_.end(), loop.begin(), loop.end());
      step.body = Seq(std::exchange(body_, {}));
      rows.steps.push_back(std::move(step));
      for (size_t i : pass.along) {
        if (group_.parts[i].stage.acc != nullptr) Finish(group_.parts[i]);
      }
      for (size_t i : pass.after) Finish(group_.parts[i]);
    }
    if (!body_.empty()) rows.steps.push_back({Seq(std::move(body_)), {}});
    std::vector<StmtRef> all;
    for (const ir::RowStep& step : rows.steps) {
      if (step.body != nullptr) all.push_back(step.body);
    }
    rows.body = Make(ir::SeqStmt{std::move(all)});
    return rows;
  }

 private:
  StmtRef Make(ir::Stmt::Node node) { return ir_.Make(std::move(node), Location()); }
  StmtRef Seq(std::vector<StmtRef> stmts) {
    if (stmts.empty()) return nullptr;
    return stmts.size() == 1 ? stmts[0] : Make(ir::SeqStmt{std::move(stmts)});
  }

  // Computes the number of an element in its row from its axes, and the inverse.
  void NumberElements() {
    const std::vector<ir::NestAxis>& along = group_.along;
    number_ = team_.iterations == 1 ? thread_ : along.size() == 1 ? along[0].var : ir_.NewVar("k");
    PrimRef stride = ir_.Int(1);
    for (size_t i = along.size(); i-- > 0;) {
      PrimRef at = number_;
      if (!nest::IsNumber(stride, 1)) at = ir_.Make(BinaryOp::kFloorDiv, at, stride);
      const PrimRef extent = ir_.MakeCast(ir::DType::Int(64), along[i].extent);
      if (i > 0) at = ir_.Make(BinaryOp::kFloorMod, at, extent);
      if (at != along[i].var) element_.Replace(along[i].var, at);
      stride = analysis::Simplify(ir_, ir_.Make(BinaryOp::kMul, stride, extent));
    }
  }

  // Keeps a loaded value in registers for later passes.
  void Keep(PrimRef value) {
    const auto* load = value->As<ir::Load>();
    ir::Buffer row;
    row.name = absl::StrCat(load->buffer->name, "_row");
    row.dtype = load->buffer->dtype;
    row.data = ir_.NewPointer(row.name, row.dtype, "local");
    row.scope = "local";
    row.shape = {ir_.Int(team_.iterations)};
    kept_[value] = ir_.NewBuffer(std::move(row));
    ir::AllocStmt alloc;
    alloc.buffer = kept_[value];
    body_.push_back(Make(std::move(alloc)));
  }

  // Builds the loop of a thread over its elements.
  std::vector<StmtRef> Elements(const RowPass& pass, ir::RowStep& step) {
    elements_.clear();
    here_.clear();
    for (size_t i : pass.along) {
      const RowPart& part = group_.parts[i];
      for (const ir::NestLet& let : part.row_lets) Bind(let, body_);
      if (part.stage.acc == nullptr) {
        (void)Value(part);
      } else {
        AddTerm(part, step);
      }
    }
    if (elements_.empty()) return {};
    StmtRef inside = Seq(std::move(elements_));
    if (team_.iterations == 0) {
      ir::ForStmt loop;
      loop.var = number_;
      loop.min = thread_;
      if (group_.share != nullptr) {
        const PrimRef before = ir_.Make(BinaryOp::kMul, group_.share, ir_.Int(team_.threads));
        loop.min = ir_.Make(BinaryOp::kAdd, before, thread_);
      }
      loop.extent = ir_.Make(BinaryOp::kSub, length_, loop.min);
      loop.step = ir_.Int(team_.threads * group_.shares);
      loop.body = inside;
      return {Make(std::move(loop))};
    }
    // Threads without a column are beyond the end of every column.
    const auto* length = length_->As<ir::IntImm>();
    if (group_.columns || length->value != team_.threads * team_.iterations) {
      inside = Make(ir::IfStmt{ir_.Make(BinaryOp::kLt, number_, length_), inside, nullptr});
    }
    if (team_.iterations == 1) return {inside};
    // Values kept in registers are indexed by the iteration only.
    if (UsesOf(ir_, inside).Mentions(number_)) {
      const PrimRef first = ir_.Make(BinaryOp::kMul, iteration_, ir_.Int(team_.threads));
      const PrimRef number = ir_.Make(BinaryOp::kAdd, first, thread_);
      inside = Seq({Make(ir::LetStmt{number_, number, nullptr}), inside});
    }
    ir::ForStmt loop;
    loop.var = iteration_;
    loop.min = ir_.Int(0);
    loop.extent = ir_.Int(team_.iterations);
    loop.kind = ir::LoopKind::kUnrolled;
    loop.body = inside;
    return {Make(std::move(loop))};
  }

  // Returns the value that the part stores, computed once in each pass.
  PrimRef Value(const RowPart& part) {
    const RowStage& stage = part.stage;
    if (const auto it = here_.find(stage.to); it != here_.end()) return it->second;
    const PrimRef as_read = ir_.MakeLoad(stage.to, stage.at);
    const auto kept = kept_.find(as_read);
    if (kept != kept_.end() && filled_.contains(as_read)) {
      return here_[stage.to] = ir_.MakeLoad(kept->second, {Iteration()});
    }
    const bool first = done_.insert(&part).second;
    for (const ir::NestLet& let : stage.lets) Bind(let, elements_);
    PrimRef value = Read(stage.value);
    const bool stores = first && !group_.inner.contains(stage.to);
    if (plan_.read.contains(stage.to) || (stores && kept != kept_.end())) {
      value = Named(stage.to->name, value, elements_);
    }
    if (stores) {
      elements_.push_back(Make(ir::StoreStmt{stage.to, PlaceOf(stage.to, stage.at), value}));
    }
    if (kept != kept_.end()) {
      elements_.push_back(Make(ir::StoreStmt{kept->second, {Iteration()}, value}));
      filled_.insert(as_read);
    }
    return here_[stage.to] = value;
  }

  // Declares the register that accumulates a thread's partial result from `start` on.
  BufferRef Begin(BufferRef acc, ir::DType dtype, PrimRef start) {
    ir::Buffer so_far;
    so_far.name = acc->name;
    so_far.dtype = dtype;
    so_far.scope = ir::kRegisterScope;
    so_far.data = ir_.NewPointer(so_far.name, dtype, "local");
    ir::AllocStmt alloc;
    alloc.buffer = ir_.NewBuffer(std::move(so_far));
    body_.push_back(Make(alloc));
    body_.push_back(Make(ir::StoreStmt{alloc.buffer, {}, start}));
    return sums_[acc] = alloc.buffer;
  }

  void AddTerm(const RowPart& part, ir::RowStep& step) {
    const RowStage& stage = part.stage;
    const ir::DType dtype = WideEnough(stage.acc->dtype);
    const BufferRef acc = Begin(stage.acc, dtype, StartOf(ir_, stage, dtype));
    for (const ir::NestLet& let : stage.fold_lets) Bind(let, elements_);
    const PrimRef term = ir_.MakeCast(dtype, Read(stage.term));
    if (stage.position != nullptr) {
      AddCandidate(stage, acc, term, step);
      return;
    }
    const PrimRef so_far = ir_.MakeLoad(acc, {});
    elements_.push_back(Make(ir::StoreStmt{acc, {}, ir_.Make(OpOf(stage.fold), so_far, term)}));
    step.reductions.push_back({stage.fold, acc, nullptr});
  }

  // A thread takes a candidate that is better than its own, the first of equal ones. As in the
  // sequential order, NaN is never better, and nothing is better than NaN if the row starts with
  // it.
  void AddCandidate(const RowStage& stage, BufferRef best, PrimRef term, ir::RowStep& step) {
    const ir::DType index = stage.position->dtype;
    const BufferRef position = Begin(stage.position, index, ir_.Int(-1, index));
    const PrimRef value = Named("next", term, elements_);
    const PrimRef so_far = ir_.MakeLoad(best, {});
    const PrimRef none = ir_.Make(BinaryOp::kLt, ir_.MakeLoad(position, {}), ir_.Int(0, index));
    const PrimRef better = stage.fold == ir::Fold::kLargest
                               ? ir_.Make(BinaryOp::kLt, so_far, value)
                               : ir_.Make(BinaryOp::kLt, value, so_far);
    PrimRef begins = none;
    if (best->dtype.is_floating()) {
      const PrimRef may = ir_.Make(BinaryOp::kOr, ir_.Make(BinaryOp::kEq, value, value),
                                   ir_.Make(BinaryOp::kEq, number_, ir_.Int(0)));
      begins = ir_.Make(BinaryOp::kAnd, none, may);
    }
    const StmtRef take = Seq({Make(ir::StoreStmt{best, {}, value}),
                              Make(ir::StoreStmt{position, {}, ir_.MakeCast(index, number_)})});
    elements_.push_back(Make(ir::IfStmt{ir_.Make(BinaryOp::kOr, better, begins), take, nullptr}));
    step.reductions.push_back({stage.fold, best, position});
  }

  // Emits the values of a row after its threads have combined their results.
  void Finish(const RowPart& part) {
    const RowStage& stage = part.stage;
    elements_.clear();
    here_.clear();
    for (const ir::NestLet& let : stage.lets) Bind(let, body_);
    PrimRef value = Read(stage.value);
    const bool stores = !group_.inner.contains(stage.to);
    const bool plain = value->As<ir::Load>() != nullptr || value->As<ir::SymVar>() != nullptr;
    if (plan_.read.contains(stage.to) && !plain) value = Named(stage.to->name, value, body_);
    rows_[stage.to] = value;
    if (!stores) return;
    const StmtRef store = Make(ir::StoreStmt{stage.to, stage.at, value});
    const PrimRef is_first = ir_.Make(BinaryOp::kEq, thread_, ir_.Int(0));
    body_.push_back(Make(ir::IfStmt{is_first, store, nullptr}));
  }

  void Bind(const ir::NestLet& let, std::vector<StmtRef>& out) {
    const PrimRef value = Read(let.value);
    const PrimRef var = ir_.NewVarLike(let.var);
    bound_[let.var] = var;
    out.push_back(Make(ir::LetStmt{var, value, nullptr}));
  }

  PrimRef Named(const std::string& name, PrimRef value, std::vector<StmtRef>& out) {
    const PrimRef var = ir_.NewVar(name, value->dtype());
    ir_.MakeSigned(var);
    out.push_back(Make(ir::LetStmt{var, value, nullptr}));
    return var;
  }

  PrimRef Iteration() { return team_.iterations == 1 ? ir_.Int(0) : iteration_; }

  // Returns `e` with loads replaced by the values that threads hold.
  PrimRef Read(PrimRef e) {
    if (const auto it = bound_.find(e); it != bound_.end()) return it->second;
    const auto* load = e->As<ir::Load>();
    if (e->As<ir::SymVar>() != nullptr) return element_(e);
    if (load == nullptr) {
      return ir::MapOperands(ir_, e, [&](PrimRef part) { return Read(part); });
    }
    if (const auto it = sums_.find(load->buffer); it != sums_.end()) return Sum(load->buffer);
    for (const RowPart& part : group_.parts) {
      if (part.stage.to != load->buffer) continue;
      const bool of_row = !part.along || part.stage.acc != nullptr;
      return of_row ? rows_.at(part.stage.to) : Value(part);
    }
    const PrimRef from = ir_.MakeLoad(load->buffer, PlaceOf(load->buffer, load->indices));
    const auto kept = kept_.find(e);
    if (kept == kept_.end()) return from;
    const PrimRef row = ir_.MakeLoad(kept->second, {Iteration()});
    if (filled_.insert(e).second) {
      elements_.push_back(Make(ir::StoreStmt{kept->second, {Iteration()}, from}));
    }
    return row;
  }

  // Returns the indices of an element. If the row fills consecutive dimensions, the element number
  // is the index of the last of them, beyond its extent, and the others are 0.
  std::vector<PrimRef> PlaceOf(BufferRef buffer, const std::vector<PrimRef>& indices) {
    std::vector<PrimRef> at = indices;
    const std::vector<ir::NestAxis>& along = group_.along;
    const auto last =
        along.size() > 1 ? std::find(at.begin(), at.end(), along.back().var) : at.end();
    const auto end = static_cast<size_t>(last - at.begin()) + 1;
    if (last != at.end() && FillsDimensions(*buffer, indices, end)) {
      const size_t first = end - along.size();
      nest::RewriteScalar from_first(ir_);
      from_first.Replace(along[0].var, ir_.Int(0, along[0].var->dtype()));
      at[first] = analysis::Simplify(ir_, from_first(at[first]));
      for (size_t i = first + 1; i + 1 < end; ++i) at[i] = ir_.Int(0);
      *last = number_;
    }
    for (PrimRef& index : at) index = Read(index);
    return at;
  }

  // Returns whether the row fills the dimensions before `end`.
  bool FillsDimensions(const ir::Buffer& buffer, const std::vector<PrimRef>& indices, size_t end) {
    const std::vector<ir::NestAxis>& along = group_.along;
    if (!buffer.strides.empty() || end < along.size()) return false;
    const size_t first = end - along.size();
    for (size_t i = 1; i < along.size(); ++i) {
      const bool whole = ir_.MakeCast(ir::DType::Int(64), buffer.shape[first + i]) ==
                         ir_.MakeCast(ir::DType::Int(64), along[i].extent);
      if (!whole || indices[first + i] != along[i].var) return false;
    }
    // The first one may contain a part of the row's index.
    nest::RewriteScalar next(ir_);
    next.Replace(along[0].var, ir_.Make(BinaryOp::kAdd, along[0].var, ir_.Int(1)));
    const PrimRef step =
        analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, next(indices[first]), indices[first]));
    return nest::IsNumber(step, 1);
  }

  // Returns the accumulated value in the kernel's dtype, combined with its initial value.
  PrimRef Sum(BufferRef acc) {
    const PrimRef together = ir_.MakeLoad(sums_.at(acc), {});
    PrimRef value = ir_.MakeCast(acc->dtype, together);
    for (const RowPart& part : group_.parts) {
      if (part.stage.acc == acc && !StartsNeutral(part.stage)) {
        value = ir_.Make(OpOf(part.stage.fold), part.stage.init, value);
      }
    }
    return value;
  }

  ir::Context& ir_;
  const RowGroup& group_;
  const PrimRef length_;
  const TeamSize team_;
  const PrimRef thread_;
  const PrimRef iteration_ = ir_.NewVar("j");
  nest::RewriteScalar element_;
  const RowPlan plan_;
  PrimRef number_ = nullptr;
  std::vector<StmtRef> body_, elements_;
  absl::flat_hash_map<PrimRef, BufferRef>
      kept_;                             // by load: the registers that hold it for all iterations
  absl::flat_hash_set<PrimRef> filled_;  // of those, the ones already filled
  absl::flat_hash_set<const RowPart*> done_;        // parts whose elements have been stored
  absl::flat_hash_map<BufferRef, PrimRef> here_;    // values of the current element in this pass
  absl::flat_hash_map<BufferRef, PrimRef> rows_;    // values of a row
  absl::flat_hash_map<BufferRef, BufferRef> sums_;  // accumulators by the kernel's buffer
  absl::flat_hash_map<PrimRef, PrimRef> bound_;
};

}  // namespace

ir::TeamRows BuildRows(ir::Context& context, const RowGroup& group) {
  return RowBuilder(context, group).Build();
}

}  // namespace lathe::schedule
