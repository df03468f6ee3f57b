#include "generator/analysis/kernel_traits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "generator/analysis/kernel_stage.h"

namespace lathe::analysis {
namespace {

bool HasBlocks(ir::StmtRef stmt) {
  if (stmt == nullptr) return false;
  if (const auto* seq = stmt->As<ir::SeqStmt>()) {
    return std::any_of(seq->stmts.begin(), seq->stmts.end(), HasBlocks);
  }
  if (const auto* loop = stmt->As<ir::ForStmt>()) return HasBlocks(loop->body);
  return stmt->As<ir::BlockStmt>() != nullptr;
}

KernelKind KindOfAccess(Access access) {
  switch (access) {
    case Access::kSame:
      return KernelKind::kElementwise;
    case Access::kInOrder:
      return KernelKind::kBroadcast;
    case Access::kElsewhere:
      return KernelKind::kInjective;
  }
  return KernelKind::kInjective;
}

// The kind of each buffer as a function of the kernel's inputs, composed stage by stage.
class Composition {
 public:
  // Returns false if the kernel is opaque.
  bool Add(ir::StmtRef stmt) {
    if (const auto* seq = stmt->As<ir::SeqStmt>()) {
      return std::all_of(seq->stmts.begin(), seq->stmts.end(),
                         [&](ir::StmtRef s) { return Add(s); });
    }
    if (const auto* loop = stmt->As<ir::ForStmt>()) return Add(loop->body);
    if (const auto* alloc = stmt->As<ir::AllocStmt>()) {
      return alloc->body == nullptr || Add(alloc->body);
    }
    const auto* block = stmt->As<ir::BlockStmt>();
    if (block == nullptr || block->body == nullptr) return false;
    if (block->axes.empty() && HasBlocks(block->body)) return Add(block->body);
    const std::optional<KernelStage> stage = StageOf(*block);
    return stage && AddStage(*stage);
  }

  KernelKind whole() const { return whole_; }

 private:
  bool AddStage(const KernelStage& stage) {
    KernelKind kind = KernelKind::kElementwise;
    if (stage.reduces) kind = stage.plain ? KernelKind::kReduction : KernelKind::kOutputFusable;
    if (!stage.in_place) kind = std::max(kind, KernelKind::kInjective);
    for (const StageLoad& load : stage.loads) {
      const auto made = kinds_.find(load.buffer);
      const KernelKind from = made == kinds_.end() ? KernelKind::kElementwise : made->second;
      kind = std::max(kind, Through(stage, load.access, from));
    }
    // An epilogue would have to be fused in several places.
    if (!stage.in_place && kind > KernelKind::kInjective) return false;
    for (ir::BufferRef buffer : stage.stores) {
      KernelKind& of = kinds_.try_emplace(buffer, kind).first->second;
      of = std::max(of, kind);
    }
    whole_ = std::max(whole_, kind);
    return true;
  }

  // The kind of a stage that reads a buffer of kind `from`.
  static KernelKind Through(const KernelStage& stage, Access access, KernelKind from) {
    const bool of_reduction = from >= KernelKind::kReduction;
    if (stage.reduces) return of_reduction ? KernelKind::kOutputFusable : KernelKind::kReduction;
    // Elementwise updates of a reduction stay a reduction; a read at other indices needs the whole
    // result first.
    if (of_reduction && access != Access::kSame) return KernelKind::kOutputFusable;
    return std::max(KindOfAccess(access), from);
  }

  std::map<ir::BufferRef, KernelKind> kinds_;
  KernelKind whole_ = KernelKind::kElementwise;
};

}  // namespace

absl::string_view Name(KernelKind kind) {
  switch (kind) {
    case KernelKind::kElementwise:
      return "elementwise";
    case KernelKind::kBroadcast:
      return "broadcast";
    case KernelKind::kInjective:
      return "injective";
    case KernelKind::kReduction:
      return "reduction";
    case KernelKind::kOutputFusable:
      return "output-fusable";
    case KernelKind::kOpaque:
      return "opaque";
  }
  return "opaque";
}

KernelTraits TraitsOf(const ir::PrimFunc& func) {
  Composition composition;
  if (func.body == nullptr || !composition.Add(func.body)) return {KernelKind::kOpaque};
  return {composition.whole()};
}

}  // namespace lathe::analysis
