#include "generator/analysis/kernel_stage.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/match.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

bool IsConstant(PrimRef e) { return e->As<ir::IntImm>() != nullptr; }

// The statements of a block that has only lets and stores.
struct Body {
  std::vector<const ir::StoreStmt*> stores;
  std::map<PrimRef, PrimRef> lets;
};

bool AddStatements(ir::StmtRef stmt, Body& out) {
  if (const auto* seq = stmt->As<ir::SeqStmt>()) {
    return std::all_of(seq->stmts.begin(), seq->stmts.end(),
                       [&](ir::StmtRef s) { return AddStatements(s, out); });
  }
  if (const auto* let = stmt->As<ir::LetStmt>(); let != nullptr && let->body == nullptr) {
    out.lets.emplace(let->var, let->value);
    return true;
  }
  const auto* store = stmt->As<ir::StoreStmt>();
  if (store == nullptr || store->predicate != nullptr) return false;
  out.stores.push_back(store);
  return true;
}

class StageReader {
 public:
  explicit StageReader(const ir::BlockStmt& block) : block_(block) {
    for (const ir::BlockAxis& axis : block.axes) {
      const auto* extent = axis.extent == nullptr ? nullptr : axis.extent->As<ir::IntImm>();
      // An axis of extent 1 need not be used.
      if (extent == nullptr || extent->value != 1) needed_.insert(axis.var);
      (axis.kind == ir::AxisKind::kReduce ? reduce_ : spatial_).insert(axis.var);
      ordered_ |= axis.kind == ir::AxisKind::kScan || axis.kind == ir::AxisKind::kOpaque;
    }
  }

  std::optional<KernelStage> Read() {
    Body init;
    const bool plain_block = block_.matches.empty() && block_.allocs.empty();
    if (ordered_ || !plain_block || block_.body == nullptr) return std::nullopt;
    if (!AddStatements(block_.body, body_) || body_.stores.empty()) return std::nullopt;
    if (block_.init != nullptr && !AddStatements(block_.init, init)) return std::nullopt;
    stage_.reduces = !reduce_.empty();
    at_ = body_.stores[0]->indices;
    if (!StoresAtAxes()) return std::nullopt;
    for (const ir::StoreStmt* store : body_.stores) {
      if (store->indices != at_ || !AddLoads(store->value)) return std::nullopt;
      stage_.stores.push_back(store->buffer);
    }
    for (const ir::StoreStmt* store : init.stores) {
      if (!AddLoads(store->value)) return std::nullopt;
    }
    if (stage_.reduces && !CombinesInAnyOrder()) return std::nullopt;
    return stage_;
  }

 private:
  // Requires each spatial axis exactly once, each index being an axis plus an optional constant.
  bool StoresAtAxes() {
    std::set<PrimRef> left = spatial_;
    for (PrimRef index : at_) {
      if (left.erase(index) > 0 || IsConstant(index)) continue;
      const auto* moved = index->As<ir::Binary>();
      if (moved == nullptr || moved->op != BinaryOp::kAdd) return false;
      const bool first = left.erase(moved->lhs) > 0;
      if (!first && left.erase(moved->rhs) == 0) return false;
      const PrimRef distance = first ? moved->rhs : moved->lhs;
      if (Mentions(distance, spatial_) || Mentions(distance, reduce_) || HasLoad(distance)) {
        return false;
      }
      stage_.in_place = false;
    }
    return std::none_of(left.begin(), left.end(),
                        [&](PrimRef axis) { return needed_.count(axis) > 0; });
  }

  static bool HasLoad(PrimRef e) {
    if (e->As<ir::Load>() != nullptr) return true;
    bool any = false;
    ir::ForEachOperand(e, [&](PrimRef operand) { any = any || HasLoad(operand); });
    return any;
  }

  static bool Mentions(PrimRef e, const std::set<PrimRef>& axes) {
    if (axes.count(e) > 0) return true;
    bool any = false;
    ir::ForEachOperand(e, [&](PrimRef operand) { any = any || Mentions(operand, axes); });
    return any;
  }

  PrimRef Bound(PrimRef e) const {
    const auto let = body_.lets.find(e);
    return let == body_.lets.end() ? e : let->second;
  }

  bool IsOwn(PrimRef e) const {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->indices == at_ && IsStored(load->buffer);
  }

  bool IsStored(ir::BufferRef buffer) const {
    return std::any_of(body_.stores.begin(), body_.stores.end(),
                       [&](const ir::StoreStmt* s) { return s->buffer == buffer; });
  }

  // Returns false for calls with effects and unknown expressions.
  bool AddLoads(PrimRef e) {
    e = Bound(e);
    if (!seen_.insert(e).second) return true;
    if (e->As<ir::RegionArg>() != nullptr || e->As<ir::StringImm>() != nullptr) return false;
    const auto* call = e->As<ir::Intrinsic>();
    if (call != nullptr && absl::StartsWith(call->name, "call_")) return false;
    if (const auto* load = e->As<ir::Load>()) {
      if (load->predicate != nullptr) return false;
      // The stored buffer may be read only by a reduction.
      if (IsStored(load->buffer)) return stage_.reduces && load->indices == at_;
      AddLoad(*load);
    }
    bool fine = true;
    ir::ForEachOperand(e, [&](PrimRef operand) { fine = fine && AddLoads(operand); });
    return fine;
  }

  void AddLoad(const ir::Load& load) {
    stage_.loads.push_back({load.buffer, AccessOf(load)});
    std::set<PrimRef> missing = spatial_;
    bool reduced = false;
    for (PrimRef index : load.indices) {
      if (!Mentions(index, reduce_)) {
        missing.erase(index);
        continue;
      }
      reduced = true;
      if (Mentions(index, spatial_)) stage_.plain = false;  // a window: i + k
    }
    if (!reduced) return;
    for (PrimRef axis : missing) stage_.plain = stage_.plain && needed_.count(axis) == 0;
  }

  Access AccessOf(const ir::Load& load) const {
    if (load.indices == at_ && load.buffer->shape == body_.stores[0]->buffer->shape) {
      return Access::kSame;
    }
    if (load.indices.size() != load.buffer->shape.size()) return Access::kElsewhere;
    auto next = at_.begin();
    for (size_t i = 0; i < load.indices.size(); ++i) {
      const PrimRef index = load.indices[i];
      const auto* extent = load.buffer->shape[i]->As<ir::IntImm>();
      if (extent != nullptr && extent->value == 1 && IsConstant(index)) continue;
      next = std::find(next, at_.end(), index);
      if (next == at_.end()) return Access::kElsewhere;
      ++next;
    }
    return Access::kInOrder;
  }

  // acc = acc + value and similar updates; with several accumulators, a select of the better one by
  // a single condition.
  bool CombinesInAnyOrder() const {
    PrimRef chosen_by = nullptr;
    for (const ir::StoreStmt* store : body_.stores) {
      const PrimRef value = Bound(store->value);
      if (const auto* choice = value->As<ir::Select>()) {
        if (chosen_by != nullptr && choice->cond != chosen_by) return false;
        chosen_by = choice->cond;
        if (!OneIsOwn(choice->if_true, choice->if_false)) return false;
        continue;
      }
      const auto* fold = value->As<ir::Binary>();
      if (fold == nullptr || !IsCommutative(fold->op) || !OneIsOwn(fold->lhs, fold->rhs)) {
        return false;
      }
    }
    return true;
  }

  bool OneIsOwn(PrimRef a, PrimRef b) const {
    return (IsOwn(a) && !ReadsOwn(b)) || (IsOwn(b) && !ReadsOwn(a));
  }

  bool ReadsOwn(PrimRef e) const {
    e = Bound(e);
    if (IsOwn(e)) return true;
    bool any = false;
    ir::ForEachOperand(e, [&](PrimRef operand) { any = any || ReadsOwn(operand); });
    return any;
  }

  static bool IsCommutative(BinaryOp op) {
    switch (op) {
      case BinaryOp::kAdd:
      case BinaryOp::kMul:
      case BinaryOp::kMin:
      case BinaryOp::kMax:
      case BinaryOp::kAnd:
      case BinaryOp::kOr:
      case BinaryOp::kBitAnd:
      case BinaryOp::kBitOr:
      case BinaryOp::kBitXor:
        return true;
      default:
        return false;
    }
  }

  const ir::BlockStmt& block_;
  std::set<PrimRef> spatial_, reduce_;
  std::set<PrimRef> needed_;  // axes with an extent other than 1
  bool ordered_ = false;
  Body body_;
  std::vector<PrimRef> at_;  // store indices
  std::set<PrimRef> seen_;
  KernelStage stage_;
};

}  // namespace

std::optional<KernelStage> StageOf(const ir::BlockStmt& block) { return StageReader(block).Read(); }

}  // namespace lathe::analysis
