#include "generator/nest/parse_nest.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/kernel_stage.h"
#include "generator/ir/program.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::nest {
namespace {

using ir::PrimRef;

PrimRef WithoutCast(PrimRef e) {
  const auto* cast = e->As<ir::Cast>();
  return cast == nullptr ? e : cast->value;
}

class NestParser {
 public:
  explicit NestParser(ir::Context& context) : ir_(context) {}

  bool Add(ir::StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      return loops_.empty() && std::all_of(seq->stmts.begin(), seq->stmts.end(),
                                           [&](ir::StmtRef s) { return Add(s); });
    }
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      const bool plain = loop->kind == ir::LoopKind::kSerial && loop->step == nullptr &&
                         loop->annotations.empty() && IsNumber(loop->min, 0);
      if (!plain) return false;
      loops_.push_back(loop);
      const bool fine = Add(loop->body);
      loops_.pop_back();
      return fine;
    }
    if (const auto* alloc = stmt->As<ir::AllocStmt>()) {
      if (alloc->constant || alloc->condition != nullptr || !loops_.empty()) return false;
      nest_.own.push_back(alloc->buffer);
      return alloc->body == nullptr || Add(alloc->body);
    }
    const auto* block = stmt->As<ir::BlockStmt>();
    if (block == nullptr || block->body == nullptr || !block->realized) return false;
    if (block->predicate != nullptr || !block->matches.empty()) return false;
    if (block->axes.empty() && block->init == nullptr && loops_.empty() && HasBlocks(block->body)) {
      nest_.own.insert(nest_.own.end(), block->allocs.begin(), block->allocs.end());
      return Add(block->body);
    }
    return block->annotations.empty() && AddBlock(*block);
  }

  Nest Take() { return std::move(nest_); }

 private:
  static bool HasBlocks(ir::StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      return std::any_of(seq->stmts.begin(), seq->stmts.end(), HasBlocks);
    }
    if (const auto* loop = stmt->As<ir::ForStmt>()) return HasBlocks(loop->body);
    return stmt->As<ir::BlockStmt>() != nullptr || stmt->As<ir::AllocStmt>() != nullptr;
  }

  // Each axis is a loop. Loops over reduce axes must be inside the others.
  bool AddAxes(const ir::BlockStmt& block, NestStage& stage, RewriteScalar& rewrite) {
    if (block.axes.size() != loops_.size()) return false;
    for (const ir::ForStmt* loop : loops_) {
      const auto axis =
          std::find_if(block.axes.begin(), block.axes.end(),
                       [&](const ir::BlockAxis& a) { return WithoutCast(a.binding) == loop->var; });
      if (axis == block.axes.end() || !IsNumber(axis->min, 0)) return false;
      if (WithoutCast(axis->extent) != WithoutCast(loop->extent)) return false;
      rewrite.Replace(axis->var, axis->binding);
      const bool reduces = axis->kind == ir::AxisKind::kReduce;
      if (!reduces && !stage.reduce.empty()) return false;
      (reduces ? stage.reduce : stage.spatial).push_back({loop->var, loop->extent});
    }
    return true;
  }

  static const ir::StoreStmt* OneStore(ir::StmtRef stmt, std::vector<NestLet>& lets) {
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      return store->predicate == nullptr ? store : nullptr;
    }
    const auto* seq = stmt->As<ir::SeqStmt>();
    if (seq == nullptr || seq->stmts.empty()) return nullptr;
    for (size_t i = 0; i + 1 < seq->stmts.size(); ++i) {
      const auto* let = seq->stmts[i]->As<ir::LetStmt>();
      if (let == nullptr || let->body != nullptr) return nullptr;
      lets.push_back({let->var, let->value});
    }
    return seq->stmts.back()->As<ir::StoreStmt>();
  }

  bool AddBlock(const ir::BlockStmt& block) {
    const auto kind = analysis::StageOf(block);
    if (!kind || kind->stores.size() != 1) return false;
    NestStage stage;
    RewriteScalar rewrite(ir_);
    if (!AddAxes(block, stage, rewrite)) return false;
    std::vector<NestLet> lets;
    const ir::StoreStmt* store = OneStore(block.body, lets);
    if (store == nullptr || store->value->dtype() != store->buffer->dtype) return false;
    for (NestLet& let : lets) {
      const PrimRef value = rewrite(let.value);
      const PrimRef var = ir_.NewVar(ir::ToString(let.var), let.var->dtype());
      rewrite.Replace(let.var, var);
      let = {var, value};
    }
    stage.to = store->buffer;
    stage.at = rewrite(store->indices);
    if (stage.reduce.empty()) {
      stage.lets = std::move(lets);
      stage.value = rewrite(store->value);
      nest_.stages.push_back(std::move(stage));
      return true;
    }
    ir::Buffer acc;
    acc.name = store->buffer->name;
    acc.dtype = store->buffer->dtype;
    acc.scope = ir::kRegisterScope;
    acc.data = ir_.NewPointer(acc.name, acc.dtype, "local");
    stage.acc = ir_.NewBuffer(std::move(acc));
    rewrite.ReplaceWhole(store->buffer, stage.acc);
    for (NestLet& let : lets) let.value = rewrite(let.value);
    stage.fold_lets = std::move(lets);
    stage.update = rewrite(store->value);
    stage.value = ir_.MakeLoad(stage.acc, {});
    if (!AddInit(block, rewrite, stage)) return false;
    nest_.stages.push_back(std::move(stage));
    return true;
  }

  // The initial value is the block's init or, if the reduction may be empty, a stage before it.
  bool AddInit(const ir::BlockStmt& block, RewriteScalar& rewrite, NestStage& stage) {
    if (block.init != nullptr) {
      std::vector<NestLet> lets;
      const ir::StoreStmt* store = OneStore(block.init, lets);
      if (store == nullptr || !lets.empty() || store->buffer != stage.to) return false;
      if (rewrite(store->indices) != stage.at) return false;
      stage.init = rewrite(store->value);
      return true;
    }
    if (nest_.stages.empty()) return false;
    const NestStage& start = nest_.stages.back();
    const auto* whole = start.value == nullptr ? nullptr : start.value;
    if (start.to != stage.to || start.acc != nullptr || !start.lets.empty()) return false;
    const bool constant =
        whole->As<ir::FloatImm>() != nullptr || whole->As<ir::IntImm>() != nullptr;
    if (!constant || start.spatial.size() != stage.spatial.size()) return false;
    for (size_t i = 0; i < stage.spatial.size(); ++i) {
      if (start.spatial[i].extent != stage.spatial[i].extent) return false;
    }
    stage.init = start.value;
    nest_.stages.pop_back();
    return true;
  }

  ir::Context& ir_;
  std::vector<const ir::ForStmt*> loops_;
  Nest nest_;
};

}  // namespace

std::optional<Nest> ParseNest(ir::Context& context, const ir::PrimFunc& func) {
  NestParser parser(context);
  if (func.body == nullptr || !parser.Add(func.body)) return std::nullopt;
  Nest nest = parser.Take();
  if (nest.stages.empty()) return std::nullopt;
  return nest;
}

}  // namespace lathe::nest
