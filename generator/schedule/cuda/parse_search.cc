#include "generator/schedule/cuda/parse_search.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/program.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/each_load.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

const ir::Binary* As(PrimRef e, BinaryOp op) {
  const auto* both = e->As<ir::Binary>();
  return both != nullptr && both->op == op ? both : nullptr;
}

// A block in plain loops, in terms of their variables.
struct Loops {
  std::vector<ir::NestAxis> axes, reduce;
  StmtRef init = nullptr;
  std::vector<StmtRef> body;
};

std::vector<StmtRef> RowOf(StmtRef stmt) {
  const auto* seq = stmt->As<ir::SeqStmt>();
  return seq == nullptr ? std::vector<StmtRef>{stmt} : seq->stmts;
}

class SearchParser {
 public:
  explicit SearchParser(ir::Context& context) : ir_(context), rewrite_(context) {}

  std::optional<RowStage> Parse(const std::vector<StmtRef>& stmts, size_t first) {
    Loops loops;
    if (!Enter(stmts[first], loops)) return std::nullopt;
    size_t count = 1;
    if (loops.reduce.empty()) {
      const std::vector<StmtRef> start = loops.body;
      const std::vector<ir::NestAxis> axes = loops.axes;
      loops = {};
      if (first + 1 == stmts.size() || !Enter(stmts[first + 1], loops)) return std::nullopt;
      if (loops.init != nullptr || loops.axes.size() != axes.size()) return std::nullopt;
      for (size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].extent != loops.axes[i].extent) return std::nullopt;
        rewrite_.Replace(axes[i].var, loops.axes[i].var);
      }
      if (!Starts(start)) return std::nullopt;
      count = 2;
    } else if (loops.init == nullptr || !Starts(RowOf(loops.init))) {
      return std::nullopt;
    }
    RowStage stage;
    stage.statements = count;
    stage.axes = loops.axes;
    stage.reduce = loops.reduce;
    if (loops.reduce.empty() || !Search(loops, stage)) return std::nullopt;
    return stage;
  }

 private:
  bool Enter(StmtRef stmt, Loops& loops) {
    std::vector<const ir::ForStmt*> chain;
    for (const auto* loop = stmt->As<ir::ForStmt>(); loop != nullptr;
         loop = stmt->As<ir::ForStmt>()) {
      if (loop->kind == ir::LoopKind::kThreadBinding || loop->step != nullptr ||
          !nest::IsNumber(loop->min, 0)) {
        return false;
      }
      chain.push_back(loop);
      stmt = loop->body;
    }
    const auto* block = stmt->As<ir::BlockStmt>();
    if (block == nullptr || !block->realized || block->predicate != nullptr ||
        !block->allocs.empty() || !block->matches.empty() || block->axes.size() != chain.size()) {
      return false;
    }
    for (size_t i = 0; i < chain.size(); ++i) {
      const ir::BlockAxis& axis = block->axes[i];
      const PrimRef var = chain[i]->var;
      if (axis.binding == nullptr || axis.binding != ir_.MakeCast(axis.var->dtype(), var)) {
        return false;
      }
      const bool reduces = axis.kind == ir::AxisKind::kReduce;
      if (!reduces && (axis.kind != ir::AxisKind::kSpatial || !loops.reduce.empty())) return false;
      if (nest::IsNumber(chain[i]->extent, 1)) {
        rewrite_.Replace(axis.var, ir_.Int(0));
        continue;
      }
      rewrite_.Replace(axis.var, var);
      (reduces ? loops.reduce : loops.axes).push_back({var, chain[i]->extent});
    }
    loops.init = block->init;
    loops.body = RowOf(block->body);
    return true;
  }

  // Matches best = constant; position = -1.
  bool Starts(const std::vector<StmtRef>& row) {
    if (row.size() != 2) return false;
    const auto* best = row[0]->As<ir::StoreStmt>();
    const auto* position = row[1]->As<ir::StoreStmt>();
    if (best == nullptr || position == nullptr || !nest::IsNumber(position->value, -1))
      return false;
    start_ = best->value;
    best_ = best->buffer;
    position_ = position->buffer;
    at_ = Place(Place(position->indices));  // substituted by the loops there, then by those here
    return Place(Place(best->indices)) == at_ &&
           (start_->As<ir::FloatImm>() != nullptr || start_->As<ir::IntImm>() != nullptr);
  }

  std::vector<PrimRef> Place(const std::vector<PrimRef>& indices) {
    std::vector<PrimRef> at;
    for (PrimRef index : indices) at.push_back(analysis::Simplify(ir_, rewrite_(index)));
    return at;
  }

  bool Search(const Loops& loops, RowStage& stage) {
    if (loops.body.size() != 4 || best_ == position_) return false;
    const auto* next = loops.body[0]->As<ir::LetStmt>();
    const auto* next_place = loops.body[1]->As<ir::LetStmt>();
    const auto* best = loops.body[2]->As<ir::StoreStmt>();
    const auto* position = loops.body[3]->As<ir::StoreStmt>();
    if (next == nullptr || next_place == nullptr || best == nullptr || position == nullptr ||
        best->value != next->var || position->value != next_place->var || best->buffer != best_ ||
        position->buffer != position_ || position_->dtype != ir::DType::Int(64)) {
      return false;
    }
    if (Place(best->indices) != at_ || Place(position->indices) != at_) return false;
    const PrimRef so_far = ir_.MakeLoad(best_, best->indices);
    const PrimRef where = ir_.MakeLoad(position_, position->indices);
    const auto* value = next->value->As<ir::Select>();
    const auto* place = next_place->value->As<ir::Select>();
    if (value == nullptr || place == nullptr || value->cond != place->cond ||
        value->if_false != so_far || place->if_false != where) {
      return false;
    }
    const auto* take = As(value->cond, BinaryOp::kOr);
    const auto* first = take == nullptr ? nullptr : As(take->rhs, BinaryOp::kLt);
    const auto* better = take == nullptr ? nullptr : As(take->lhs, BinaryOp::kLt);
    if (first == nullptr || better == nullptr || first->lhs != where ||
        !nest::IsNumber(first->rhs, 0)) {
      return false;
    }
    if (better->lhs == so_far && better->rhs == value->if_true) {
      stage.fold = ir::Fold::kLargest;
    } else if (better->rhs == so_far && better->lhs == value->if_true) {
      stage.fold = ir::Fold::kSmallest;
    } else {
      return false;
    }
    return CountsInOrder(loops, rewrite_(place->if_true)) && Take(rewrite_(value->if_true), stage);
  }

  // Returns whether positions are iteration numbers.
  bool CountsInOrder(const Loops& loops, PrimRef place) {
    PrimRef number = ir_.Int(0);
    for (const ir::NestAxis& axis : loops.reduce) {
      number =
          ir_.Make(BinaryOp::kAdd,
                   ir_.Make(BinaryOp::kMul, number, ir_.MakeCast(ir::DType::Int(64), axis.extent)),
                   ir_.MakeCast(ir::DType::Int(64), axis.var));
    }
    const PrimRef off = analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, place, number));
    return nest::IsNumber(off, 0);
  }

  bool Take(PrimRef term, RowStage& stage) {
    bool alone = true;  // its loads depend on the row's element only
    ForEachLoad(term, [&](PrimRef, const ir::Load& load) {
      alone = alone && load.buffer->data != best_->data && load.buffer->data != position_->data;
    });
    stage.term = term;
    stage.init = start_;
    stage.acc = Register("best", best_->dtype);
    stage.position = Register("position", position_->dtype);
    stage.best = best_;
    stage.value = ir_.MakeLoad(stage.position, {});
    stage.to = position_;
    stage.at = at_;
    return alone;
  }

  BufferRef Register(const char* name, ir::DType dtype) {
    ir::Buffer made;
    made.name = name;
    made.dtype = dtype;
    made.scope = ir::kRegisterScope;
    made.data = ir_.NewPointer(name, dtype, "local");
    return ir_.NewBuffer(std::move(made));
  }

  ir::Context& ir_;
  nest::RewriteScalar rewrite_;
  PrimRef start_ = nullptr;
  BufferRef best_ = nullptr, position_ = nullptr;
  std::vector<PrimRef> at_;
};

}  // namespace

std::optional<RowStage> ParseSearch(ir::Context& context, const std::vector<StmtRef>& stmts,
                                    size_t first) {
  return SearchParser(context).Parse(stmts, first);
}

}  // namespace lathe::schedule
