#include "generator/plan/same_place_kernel.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/ir/buffer_extent.h"
#include "generator/ir/function_calls.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/match.h"

namespace lathe::plan {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class Nest {
 public:
  Nest(absl::Span<const BufferRef> from, BufferRef to) : from_(from), to_(to) {}

  std::optional<SamePlaceNest> Of(StmtRef body) {
    Visit(body);
    if (!simple_ || store_ == nullptr || store_->predicate != nullptr) return std::nullopt;
    if (!ir::IsPlainMemory(*store_->buffer)) return std::nullopt;
    for (const ir::Load* load : loads_) {
      // Views of other layouts or dtypes have their elements in other places.
      if (!ir::IsPlainMemory(*load->buffer) || load->buffer->dtype != store_->buffer->dtype ||
          load->predicate != nullptr || load->buffer->shape != store_->buffer->shape ||
          load->indices != store_->indices) {
        return std::nullopt;
      }
    }
    // The loops number the elements in their order in memory.
    std::vector<PrimRef> vars, order;
    for (const ir::ForStmt* loop : nest_.loops) vars.push_back(loop->var);
    const auto is_var = [&](PrimRef e) {
      return std::find(vars.begin(), vars.end(), e) != vars.end();
    };
    for (PrimRef index : store_->indices) {
      const auto* sum = index->As<ir::Binary>();
      const bool offset = sum != nullptr && sum->op == ir::BinaryOp::kAdd && is_var(sum->rhs);
      if (offset || is_var(index)) order.push_back(offset ? sum->rhs : index);
      const PrimRef rest = offset ? sum->lhs : is_var(index) ? nullptr : index;
      const auto mentioned = [&](PrimRef var) { return nest::Mentions(rest, var); };
      const bool mentions = rest != nullptr && (std::any_of(vars.begin(), vars.end(), mentioned) ||
                                                std::any_of(lets_.begin(), lets_.end(), mentioned));
      if (mentions) return std::nullopt;
    }
    if (order != vars) return std::nullopt;
    nest_.written = store_->buffer;
    nest_.indices = store_->indices;
    nest_.reads = !loads_.empty();
    return std::move(nest_);
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
          nest_.loops.push_back(&s);
          Expr(s.min);
          Expr(s.extent);
          Visit(s.body);
        },
        [&](const ir::LetStmt& s) {
          lets_.push_back(s.var);
          simple_ = simple_ && !ir::CallsFunctions(s.value);
          Expr(s.value);
          Visit(s.body);
        },
        [&](const ir::StoreStmt& s) {
          // Functions may read through pointers.
          simple_ = simple_ && store_ == nullptr && s.buffer->data == to_->data &&
                    !ir::CallsFunctions(s.value);
          store_ = &s;
          Expr(s.value);
          for (PrimRef index : s.indices) Expr(index);
        },
        [&](const auto&) { simple_ = false; });
  }

  void Expr(PrimRef e) {
    const auto* load = e->As<ir::Load>();
    if (load != nullptr && load->buffer->data == to_->data) simple_ = false;
    const auto is_read = [&](BufferRef other) { return other->data == load->buffer->data; };
    if (load != nullptr && std::any_of(from_.begin(), from_.end(), is_read)) {
      loads_.push_back(load);
    }
    if (e->dtype().is_handle()) simple_ = false;
    ir::ForEachOperand(e, [&](PrimRef part) { Expr(part); });
  }

  absl::Span<const BufferRef> from_;
  const BufferRef to_;
  const ir::StoreStmt* store_ = nullptr;
  std::vector<const ir::Load*> loads_;
  std::vector<PrimRef> lets_;  // variables whose values may differ from turn to turn
  SamePlaceNest nest_;
  bool simple_ = true;
};

}  // namespace

std::optional<SamePlaceNest> SamePlaceNestOf(StmtRef body, absl::Span<const BufferRef> from,
                                             BufferRef to) {
  return Nest(from, to).Of(body);
}

}  // namespace lathe::plan
