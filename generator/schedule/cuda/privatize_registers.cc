#include "generator/schedule/cuda/privatize_registers.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/schedule/cuda/buffer_uses.h"
#include "generator/support/status.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

bool HasThreadLoop(StmtRef stmt) {
  bool has = false;
  ir::ForEachStmt(stmt, [&](StmtRef s) { has = has || ThreadLoopOf(s).has_value(); });
  return has;
}

// A thread's part of a buffer and its first index.
struct Part {
  std::vector<PrimRef> begins;
  BufferRef buffer = nullptr;
};

class Registers {
 public:
  Registers(ir::Context& context, StmtRef launch) : ir_(context), launch_(launch) {
    ir::ForEachStmt(launch, [&](StmtRef stmt) {
      if (const auto thread = ThreadLoopOf(stmt)) {
        first_thread_[thread->var] = ir_.Int(0, thread->var->dtype());
      } else if (const auto* loop = stmt->As<ir::ForStmt>()) {
        const auto* min = loop->min->As<ir::IntImm>();
        const auto* extent = loop->extent->As<ir::IntImm>();
        if (min == nullptr || extent == nullptr) return;
        ranges_.Bound(loop->var, {min->value, min->value + extent->value - 1});
      }
    });
  }

  absl::StatusOr<PrivateRegisters> Make(std::vector<BufferRef> buffers) {
    ir::ForEachStmt(launch_, [&](StmtRef stmt) {
      const auto* block = stmt->As<ir::BlockStmt>();
      if (block == nullptr || !HasThreadLoop(block->body)) return;
      for (BufferRef buffer : block->allocs) {
        if (buffer->scope == "local") buffers.push_back(buffer);
      }
    });
    PrivateRegisters own;
    if (buffers.empty()) return PrivateRegisters{launch_, {}};
    const BufferUses uses = UsesOf(ir_, launch_);
    for (BufferRef buffer : buffers) {
      LATHE_ASSIGN_OR_RETURN(parts_[buffer], PartOf(buffer, uses));
      own.buffers.push_back(parts_[buffer].buffer);
    }
    own.stmt = Rewritten(launch_);
    return own;
  }

 private:
  absl::StatusOr<Part> PartOf(BufferRef buffer, const BufferUses& uses) {
    Part part;
    std::vector<int64_t> extents(buffer->shape.size(), 1);
    const auto refused = [&](absl::string_view why) {
      return absl::UnimplementedError(absl::StrCat(
          "'", buffer->name,
          "' in the scope 'local', which is allocated outside the loops over threads and ", why,
          ", cannot be printed as CUDA yet; supported: buffers of which each thread uses a part of "
          "constant size at one offset"));
    };
    if (!buffer->strides.empty()) return refused("has strides of its own");
    for (const BufferUse& use : uses.uses) {
      if (use.buffer->data != buffer->data) continue;
      if (use.buffer != buffer) return refused("has a view");
      std::vector<PrimRef> begins;
      for (size_t d = 0; d < use.indices.size(); ++d) {
        const PrimRef whole = ir_.MakeCast(ir::DType::Int(64), use.indices[d]);
        const PrimRef rest = analysis::Substitute(ir_, whole, first_thread_);
        begins.push_back(analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, whole, rest), ranges_));
        const analysis::Interval range =
            analysis::BoundsOf(ir_, analysis::Simplify(ir_, rest, ranges_), ranges_);
        if (range.lo < 0 || range.hi >= kMaxElements)
          return refused("is used at indices that the loops of a thread do not bound");
        extents[d] = std::max(extents[d], range.hi + 1);
      }
      if (part.begins.empty()) part.begins = begins;
      if (part.begins != begins) return refused("is used at indices with different first elements");
    }
    const bool moves = std::any_of(part.begins.begin(), part.begins.end(),
                                   [&](PrimRef begin) { return begin != ir_.Int(0); });
    if (IsPointedTo(buffer->data)) {
      if (moves) return refused("is passed to calls");
      part.begins.clear();
    }
    ir::Buffer own = *buffer;
    own.data = ir_.NewPointer(own.name, own.dtype, own.scope);
    if (!part.begins.empty()) {
      for (size_t d = 0; d < extents.size(); ++d) own.shape[d] = ir_.Int(extents[d]);
    }
    part.buffer = ir_.NewBuffer(std::move(own));
    return part;
  }

  // Returns whether an expression uses the pointer itself.
  bool IsPointedTo(PrimRef data) {
    bool is = false;
    ir::ForEachStmt(launch_, [&](StmtRef stmt) {
      const auto* value = stmt->As<ir::EvaluateStmt>();
      const auto* store = stmt->As<ir::StoreStmt>();
      const auto* let = stmt->As<ir::LetStmt>();
      if (value != nullptr) is = is || Has(value->value, data);
      if (store != nullptr) is = is || Has(store->value, data);
      if (let != nullptr) is = is || Has(let->value, data);
    });
    return is;
  }
  static bool Has(PrimRef e, PrimRef data) {
    bool has = e == data;
    ir::ForEachOperand(e, [&](PrimRef operand) { has = has || Has(operand, data); });
    return has;
  }

  std::vector<PrimRef> Placed(const Part& part, std::vector<PrimRef> indices) {
    for (size_t d = 0; d < indices.size(); ++d) {
      indices[d] = Rewritten(indices[d]);
      if (part.begins.empty()) continue;
      indices[d] =
          ir_.Make(BinaryOp::kSub, ir_.MakeCast(ir::DType::Int(64), indices[d]), part.begins[d]);
    }
    return indices;
  }

  PrimRef Rewritten(PrimRef e) {
    if (e == nullptr) return nullptr;
    for (const auto& [buffer, part] : parts_) {
      if (e == buffer->data) return part.buffer->data;
    }
    if (const auto* load = e->As<ir::Load>()) {
      if (const auto it = parts_.find(load->buffer); it != parts_.end()) {
        return ir_.MakeLoad(it->second.buffer, Placed(it->second, load->indices),
                            Rewritten(load->predicate));
      }
    }
    return ir::MapOperands(ir_, e, [&](PrimRef operand) { return Rewritten(operand); });
  }

  StmtRef Rewritten(StmtRef from) {
    const StmtRef stmt = ir::MapChildren(ir_, from, [&](StmtRef part) { return Rewritten(part); });
    const auto made = [&](auto changed) { return ir_.Make(std::move(changed), stmt->loc()); };
    if (const auto* store = stmt->As<ir::StoreStmt>()) {
      ir::StoreStmt changed = *store;
      changed.value = Rewritten(store->value);
      if (const auto it = parts_.find(store->buffer); it != parts_.end()) {
        changed.buffer = it->second.buffer;
        changed.indices = Placed(it->second, store->indices);
      } else {
        for (PrimRef& index : changed.indices) index = Rewritten(index);
      }
      return made(std::move(changed));
    }
    if (const auto* let = stmt->As<ir::LetStmt>()) {
      return made(ir::LetStmt{let->var, Rewritten(let->value), let->body});
    }
    if (const auto* branch = stmt->As<ir::IfStmt>()) {
      return made(ir::IfStmt{Rewritten(branch->cond), branch->then_case, branch->else_case});
    }
    if (const auto* loop = stmt->As<ir::WhileStmt>()) {
      ir::WhileStmt changed = *loop;
      changed.cond = Rewritten(loop->cond);
      return made(std::move(changed));
    }
    if (const auto* value = stmt->As<ir::EvaluateStmt>()) {
      return made(ir::EvaluateStmt{Rewritten(value->value)});
    }
    if (const auto* block = stmt->As<ir::BlockStmt>()) {
      ir::BlockStmt changed = *block;
      std::erase_if(changed.allocs, [&](BufferRef buffer) { return parts_.contains(buffer); });
      return made(std::move(changed));
    }
    return stmt;
  }

  static constexpr int64_t kMaxElements = 1024;  // of a dimension of a thread's part

  ir::Context& ir_;
  StmtRef launch_;
  analysis::ShapeVarMap first_thread_;  // the thread variables, all 0
  analysis::Assumptions ranges_;        // of the other loops
  absl::flat_hash_map<BufferRef, Part> parts_;
};

}  // namespace

absl::StatusOr<PrivateRegisters> PrivatizeRegisters(ir::Context& context, StmtRef launch,
                                                    const std::vector<BufferRef>& outside) {
  return Registers(context, launch).Make(outside);
}

}  // namespace lathe::schedule
