#include "generator/plan/same_place_kernel.h"

#include <algorithm>
#include <vector>

#include "generator/ir/function_calls.h"
#include "generator/support/match.h"

namespace lathe::plan {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class Nest {
 public:
  Nest(absl::Span<const BufferRef> from, BufferRef to) : from_(from), to_(to) {}

  bool Matches(StmtRef body) {
    Visit(body);
    if (!simple_ || store_ == nullptr || store_->predicate != nullptr) return false;
    for (BufferRef buffer : from_) {
      if (buffer->shape != to_->shape) return false;
    }
    for (const ir::Load* load : loads_) {
      if (load->indices != store_->indices) return false;
    }
    // The loops number the elements in their order in memory.
    std::vector<PrimRef> vars;
    for (PrimRef index : store_->indices) {
      if (index->As<ir::IntImm>() == nullptr) vars.push_back(index);
    }
    return vars == loops_;
  }

 private:
  void Visit(StmtRef stmt) {
    if (stmt == nullptr || !simple_) return;
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef inner : s.stmts) Visit(inner);
        },
        [&](const ir::ForStmt& s) {
          simple_ = simple_ && store_ == nullptr && s.step == nullptr &&
                    s.kind != ir::LoopKind::kThreadBinding;
          loops_.push_back(s.var);
          Expr(s.min);
          Expr(s.extent);
          Visit(s.body);
        },
        [&](const ir::LetStmt& s) {
          simple_ = simple_ && !ir::CallsFunctions(s.value);
          Expr(s.value);
          Visit(s.body);
        },
        [&](const ir::StoreStmt& s) {
          // Functions may read through pointers.
          simple_ = simple_ && store_ == nullptr && s.buffer == to_ && !ir::CallsFunctions(s.value);
          store_ = &s;
          Expr(s.value);
          for (PrimRef index : s.indices) Expr(index);
        },
        [&](const auto&) { simple_ = false; });
  }

  void Expr(PrimRef e) {
    const auto* load = e->As<ir::Load>();
    if (load != nullptr && load->buffer == to_) simple_ = false;
    if (load != nullptr && std::find(from_.begin(), from_.end(), load->buffer) != from_.end()) {
      loads_.push_back(load);
    }
    if (e->dtype().is_handle()) simple_ = false;
    ir::ForEachOperand(e, [&](PrimRef part) { Expr(part); });
  }

  absl::Span<const BufferRef> from_;
  const BufferRef to_;
  const ir::StoreStmt* store_ = nullptr;
  std::vector<const ir::Load*> loads_;
  std::vector<PrimRef> loops_;
  bool simple_ = true;
};

}  // namespace

bool IsSamePlaceKernel(StmtRef body, absl::Span<const BufferRef> from, BufferRef to) {
  return Nest(from, to).Matches(body);
}

}  // namespace lathe::plan
