#include "generator/schedule/cuda/row_stage.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/program.h"
#include "generator/nest/parse_nest.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

std::optional<ir::Fold> FoldOf(BinaryOp op, ir::DType dtype) {
  switch (op) {
    case BinaryOp::kAdd:
      return ir::Fold::kSum;
    case BinaryOp::kMul:
      return ir::Fold::kProduct;
    case BinaryOp::kMax:
      return ir::Fold::kLargest;
    case BinaryOp::kMin:
      return ir::Fold::kSmallest;
    case BinaryOp::kOr:
      return dtype.is_bool() ? std::optional(ir::Fold::kAny) : std::nullopt;
    case BinaryOp::kAnd:
      return dtype.is_bool() ? std::optional(ir::Fold::kAll) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Matches `update` as a reduction of `acc` and a term.
bool TakeUpdate(PrimRef update, RowStage& stage) {
  const auto* both = update->As<ir::Binary>();
  const auto is_acc = [&](PrimRef e) {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->buffer == stage.acc;
  };
  if (both == nullptr || update->dtype() != stage.acc->dtype) return false;
  const auto fold = FoldOf(both->op, update->dtype());
  if (!fold || is_acc(both->lhs) == is_acc(both->rhs)) return false;
  stage.fold = *fold;
  stage.term = is_acc(both->lhs) ? both->rhs : both->lhs;
  if (nest::Reads(stage.term, stage.acc)) return false;
  for (const ir::NestLet& let : stage.fold_lets) {
    if (nest::Reads(let.value, stage.acc)) return false;
  }
  return nest::IsNumber(stage.init);
}

// Parses the loops of simplified kernels:
//   for i: [let]... acc = init; for k: [let]... acc = f(acc, term); [let]... to[i] = value
class RowParser {
 public:
  bool Parse(StmtRef stmt) {
    std::vector<StmtRef> row = RowOf(stmt);
    size_t at = 0;
    while (at + 1 < row.size() && TakeLet(row[at], stage_.axes.size())) ++at;
    if (at + 1 == row.size()) {
      if (const auto* loop = PlainLoop(row[at])) {
        stage_.axes.push_back({loop->var, loop->extent});
        return Parse(loop->body);
      }
      return TakeStore(row[at]);
    }
    return Reduction(row, at);
  }

  RowStage Take() { return std::move(stage_); }

 private:
  static std::vector<StmtRef> RowOf(StmtRef stmt) {
    const auto* seq = stmt->As<ir::SeqStmt>();
    return seq == nullptr ? std::vector<StmtRef>{stmt} : seq->stmts;
  }

  static const ir::ForStmt* PlainLoop(StmtRef stmt) {
    const auto* loop = stmt->As<ir::ForStmt>();
    if (loop == nullptr) return nullptr;
    const auto* min = loop->min->As<ir::IntImm>();
    const bool plain = loop->kind != ir::LoopKind::kThreadBinding && loop->step == nullptr &&
                       min != nullptr && min->value == 0;
    return plain ? loop : nullptr;
  }

  static const ir::LetStmt* PlainLet(StmtRef stmt) {
    const auto* let = stmt->As<ir::LetStmt>();
    return let != nullptr && let->body == nullptr ? let : nullptr;
  }

  bool TakeLet(StmtRef stmt, size_t depth) {
    const auto* let = PlainLet(stmt);
    if (let != nullptr) stage_.outer.push_back({depth, {let->var, let->value}});
    return let != nullptr;
  }

  bool TakeStore(StmtRef stmt) {
    const auto* store = stmt->As<ir::StoreStmt>();
    if (store == nullptr || store->predicate != nullptr) return false;
    if (store->buffer->scope == ir::kRegisterScope) return false;
    if (store->value->dtype() != store->buffer->dtype) return false;
    stage_.value = store->value;
    stage_.to = store->buffer;
    stage_.at = store->indices;
    return true;
  }

  bool Reduction(const std::vector<StmtRef>& row, size_t at) {
    const auto* alloc = row[at]->As<ir::AllocStmt>();
    if (alloc == nullptr || alloc->body != nullptr || alloc->constant || row.size() < at + 4) {
      return false;
    }
    stage_.acc = alloc->buffer;
    if (stage_.acc->scope != ir::kRegisterScope || !stage_.acc->shape.empty()) return false;
    const auto* start = row[at + 1]->As<ir::StoreStmt>();
    if (start == nullptr || start->buffer != stage_.acc) return false;
    stage_.init = start->value;
    if (!Terms(row[at + 2])) return false;
    for (size_t i = at + 3; i + 1 < row.size(); ++i) {
      const auto* let = PlainLet(row[i]);
      if (let == nullptr) return false;
      stage_.lets.push_back({let->var, let->value});
    }
    return TakeStore(row.back());
  }

  bool Terms(StmtRef stmt) {
    while (const auto* loop = PlainLoop(stmt)) {
      stage_.reduce.push_back({loop->var, loop->extent});
      stmt = loop->body;
    }
    const std::vector<StmtRef> row = RowOf(stmt);
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      const auto* let = PlainLet(row[i]);
      if (let == nullptr) return false;
      stage_.fold_lets.push_back({let->var, let->value});
    }
    const auto* store = row.back()->As<ir::StoreStmt>();
    if (store == nullptr || store->buffer != stage_.acc || store->predicate != nullptr) {
      return false;
    }
    return !stage_.reduce.empty() && TakeUpdate(store->value, stage_);
  }

  RowStage stage_;
};

// Parses blocks, as written by a user.
std::optional<RowStage> FromBlocks(ir::Context& context, StmtRef stmt) {
  ir::PrimFunc alone;
  alone.body = stmt;
  std::optional<ir::Nest> nest = nest::ParseNest(context, alone);
  if (!nest || nest->stages.size() != 1 || !nest->own.empty()) return std::nullopt;
  ir::NestStage& from = nest->stages[0];
  RowStage stage;
  stage.axes = std::move(from.spatial);
  stage.reduce = std::move(from.reduce);
  stage.acc = from.acc;
  stage.init = from.init;
  stage.fold_lets = std::move(from.fold_lets);
  stage.lets = std::move(from.lets);
  stage.value = from.value;
  stage.to = from.to;
  stage.at = std::move(from.at);
  if (stage.acc != nullptr && !TakeUpdate(from.update, stage)) return std::nullopt;
  return stage;
}

}  // namespace

void ExpandPlaces(ir::Context& context, RowStage& stage) {
  std::vector<ir::NestLet> lets;
  for (const PlacedLet& placed : stage.outer) lets.push_back(placed.let);
  lets.insert(lets.end(), stage.lets.begin(), stage.lets.end());
  analysis::ShapeVarMap values;
  const auto expanded = [&](PrimRef e, const auto& self) -> PrimRef {
    if (e->As<ir::Load>() != nullptr) return analysis::Substitute(context, e, values);
    return ir::MapOperands(context, e, [&](PrimRef part) { return self(part, self); });
  };
  for (ir::NestLet& let : lets) {
    let.value = expanded(let.value, expanded);
    if (let.var->dtype().is_integer()) {
      values[let.var] = analysis::Substitute(context, let.value, values);
    }
  }
  stage.value = expanded(stage.value, expanded);
  for (PrimRef& index : stage.at) index = analysis::Substitute(context, index, values);
  stage.outer.clear();
  stage.lets.clear();
  std::vector<PrimRef> needed = {stage.value};
  for (size_t i = lets.size(); i-- > 0;) {
    const bool is_needed = std::any_of(needed.begin(), needed.end(),
                                       [&](PrimRef e) { return nest::Mentions(e, lets[i].var); });
    if (!is_needed) continue;
    needed.push_back(lets[i].value);
    stage.lets.insert(stage.lets.begin(), lets[i]);
  }
}

ir::DType WideEnough(ir::DType dtype) {
  return dtype.is_floating() && dtype.bits < 32 ? ir::DType::Float(32) : dtype;
}

bool StartsNeutral(const RowStage& stage) {
  if (stage.fold != ir::Fold::kSum && stage.fold != ir::Fold::kProduct) return true;
  return nest::IsNumber(stage.init, stage.fold == ir::Fold::kSum ? 0 : 1);
}

PrimRef StartOf(ir::Context& context, const RowStage& stage, ir::DType dtype) {
  const auto* real = stage.init->As<ir::FloatImm>();
  if (StartsNeutral(stage)) {
    return real != nullptr ? context.Float(real->value, dtype) : stage.init;
  }
  const int neutral = stage.fold == ir::Fold::kSum ? 0 : 1;
  return real != nullptr ? context.Float(neutral, dtype) : context.Int(neutral, dtype);
}

std::optional<RowStage> ParseRowStage(ir::Context& context, StmtRef stmt) {
  RowParser parser;
  if (parser.Parse(stmt)) return parser.Take();
  return FromBlocks(context, stmt);
}

}  // namespace lathe::schedule
