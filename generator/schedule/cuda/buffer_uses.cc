#include "generator/schedule/cuda/buffer_uses.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/memory_address.h"
#include "generator/ir/function_calls.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class UseCollector {
 public:
  UseCollector(ir::Context& context, const analysis::ShapeVarMap& lets, const CalleeUses& callees)
      : ir_(context), lets_(lets), callees_(callees) {}

  void Visit(StmtRef stmt) {
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef child : s.stmts) Visit(child);
        },
        [&](const ir::ForStmt& s) {
          Value(s.min);
          Value(s.extent);
          if (s.step != nullptr) Value(s.step);
          all_.loops.push_back(s.var);
          Visit(s.body);
        },
        [&](const ir::BlockStmt& s) { Block(s); },
        [&](const ir::StoreStmt& s) {
          Use(s.buffer, s.indices, true);
          Value(s.value);
          if (s.predicate != nullptr) Value(s.predicate);
        },
        [&](const ir::LetStmt& s) {
          Value(s.value);
          if (s.var->dtype().is_integer()) lets_[s.var] = Expanded(s.value);
          if (s.var->dtype().is_handle()) {
            all_.opaque = true;
            for (PrimRef data : MemoryOf(s.value)) names_.emplace_back(s.var, data);
          }
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::IfStmt& s) {
          Value(s.cond);
          Visit(s.then_case);
          if (s.else_case != nullptr) Visit(s.else_case);
        },
        [&](const ir::WhileStmt& s) {
          Value(s.cond);
          Visit(s.body);
        },
        [&](const ir::AllocStmt& s) {
          AddLocal(s.buffer);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::DeclBufferStmt& s) {
          all_.vars.insert(s.buffer->data);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::AttrStmt& s) {
          if (s.value != nullptr) Value(s.value);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::AssertStmt& s) {
          Value(s.cond);
          if (s.body != nullptr) Visit(s.body);
        },
        [&](const ir::EvaluateStmt& s) {
          Value(s.value);
          const auto* call = s.value->As<ir::Intrinsic>();
          const bool says = call != nullptr && ir::IsCall(call->name) &&
                            (UsesOf(callees_, *call) != nullptr || TakesMemory(*call));
          all_.opaque = all_.opaque || (!says && s.value->As<ir::IntImm>() == nullptr);
        },
        [](const auto&) {});
  }

  BufferUses Take() {
    // A pointer derived from another one comes after it.
    for (size_t i = names_.size(); i-- > 0;) {
      const auto& [name, data] = names_[i];
      if (all_.Stores(name)) all_.written_anywhere.insert(data);
    }
    return std::move(all_);
  }

 private:
  void Block(const ir::BlockStmt& s) {
    for (const ir::BlockAxis& axis : s.axes) {
      if (axis.binding == nullptr) {
        all_.opaque = true;
        continue;
      }
      Value(axis.binding);
      lets_[axis.var] = Expanded(axis.binding);
    }
    if (s.predicate != nullptr) Value(s.predicate);
    for (BufferRef buffer : s.allocs) AddLocal(buffer);
    for (const ir::BlockMatch& match : s.matches) {
      all_.opaque = true;  // the source may be accessed at any index
      Use(match.source.buffer, match.source.mins, true);
    }
    if (s.init != nullptr) Visit(s.init);
    Visit(s.body);
  }

  void AddLocal(BufferRef buffer) {
    all_.own.insert(buffer->data);
    all_.vars.insert(buffer->data);
  }

  PrimRef Expanded(PrimRef e) { return analysis::Substitute(ir_, e, lets_); }

  void Use(BufferRef buffer, const std::vector<PrimRef>& indices, bool stores) {
    all_.vars.insert(buffer->data);
    BufferUse use{buffer, {}, stores};
    for (PrimRef index : indices) {
      Value(index);
      use.indices.push_back(Expanded(index));
    }
    for (PrimRef dim : buffer->shape) Value(dim);
    for (PrimRef stride : buffer->strides) Value(stride);
    if (buffer->elem_offset != nullptr) Value(buffer->elem_offset);
    all_.uses.push_back(std::move(use));
  }

  void Call(const ir::Intrinsic& call) {
    all_.calls = all_.calls || ir::IsFunctionCall(call.name);
    const std::vector<PointerUse>* known = UsesOf(callees_, call);
    for (size_t i = 1; i < call.args.size(); ++i) {
      const PrimRef arg = call.args[i];
      if (!IsPointer(arg)) {
        Value(arg);
        continue;
      }
      const bool is_known = known != nullptr && i <= known->size();
      const PointerUse use = is_known ? (*known)[i - 1] : PointerUse{true, std::nullopt};
      Place(arg);
      if (IsSlice(arg, use)) continue;
      for (PrimRef data : MemoryOf(arg)) {
        all_.vars.insert(data);
        (use.writes ? all_.written_anywhere : all_.read_anywhere).insert(data);
      }
    }
  }

  // Matches f(address_of(A[i, 0])) where f reaches up to A[i, 15], the end of the row. It counts as
  // a use of A[i, k].
  bool IsSlice(PrimRef pointer, const PointerUse& use) {
    const auto* call = pointer->As<ir::Intrinsic>();
    if (call == nullptr || call->name != "address_of" || !use.reach) return false;
    const auto* load = call->args[0]->As<ir::Load>();
    if (load == nullptr) return false;
    const BufferRef buffer = load->buffer;
    if (!buffer->strides.empty() || buffer->elem_offset != nullptr || buffer->shape.empty() ||
        load->indices.size() != buffer->shape.size()) {
      return false;
    }
    std::vector<PrimRef> indices = load->indices;
    int64_t reached = 1;
    for (size_t d = indices.size(); d-- > 0 && reached < *use.reach;) {
      const bool first = d == 0 && indices.size() == 1;  // may reach to the end of the memory
      const auto extent = first ? use.reach : nest::Number(buffer->shape[d]);
      if (!extent || *extent < 1 || (!first && !nest::IsNumber(indices[d], 0))) return false;
      if (__builtin_mul_overflow(reached, *extent, &reached)) return false;
      const PrimRef within = ir_.NewVar("within", indices[d]->dtype());
      all_.spans.emplace_back(within, *extent);
      all_.loops.push_back(within);
      indices[d] = ir_.Make(ir::BinaryOp::kAdd, indices[d], within);
    }
    if (reached < *use.reach) return false;
    Use(buffer, indices, use.writes);
    return true;
  }

  // Collects the indices of the address.
  void Place(PrimRef pointer) {
    const auto* call = pointer->As<ir::Intrinsic>();
    const bool is_address = call != nullptr && call->name == "address_of";
    ir::ForEachOperand(pointer, [&](PrimRef part) {
      const auto* load = part->As<ir::Load>();
      if (IsPointer(part)) {
        Place(part);
      } else if (is_address && load != nullptr) {
        for (PrimRef dim : load->buffer->shape) Value(dim);
        for (PrimRef index : load->indices) Value(index);
      } else {
        Value(part);
      }
    });
  }

  void Value(PrimRef e) {
    if (e->As<ir::SymVar>() != nullptr) all_.vars.insert(e);
    if (const auto* load = e->As<ir::Load>()) Use(load->buffer, load->indices, false);
    if (const auto* call = e->As<ir::Intrinsic>()) {
      if (ir::IsCall(call->name)) return Call(*call);
      for (PrimRef pointer : ir::WrittenPointers(*call, e->dtype())) {
        if (const ir::Load* place = ir::PointedElement(pointer)) {
          Use(place->buffer, place->indices, true);
        } else if (const PrimRef data = ir::PointedData(pointer)) {
          all_.written_anywhere.insert(data);
        }
      }
      // A callee may do anything with memory passed to it.
      for (PrimRef arg : call->args) all_.opaque = all_.opaque || IsPointer(arg);
    }
    ir::ForEachOperand(e, [&](PrimRef operand) { Value(operand); });
  }

  static bool IsPointer(PrimRef e) {
    return e->dtype().is_handle() && e->As<ir::StringImm>() == nullptr;
  }

  static bool TakesMemory(const ir::Intrinsic& call) {
    return std::any_of(call.args.begin(), call.args.end(), IsPointer);
  }

  ir::Context& ir_;
  analysis::ShapeVarMap lets_;
  const CalleeUses& callees_;
  std::vector<std::pair<PrimRef, PrimRef>> names_;  // pointers, and the memory that they point into
  BufferUses all_;
};

}  // namespace

bool BufferUses::Stores(PrimRef data) const {
  return written_anywhere.contains(data) ||
         std::any_of(uses.begin(), uses.end(),
                     [&](const BufferUse& use) { return use.stores && use.buffer->data == data; });
}

BufferUses UsesOf(ir::Context& context, StmtRef stmt, const analysis::ShapeVarMap& lets,
                  const CalleeUses& callees) {
  UseCollector collect(context, lets, callees);
  collect.Visit(stmt);
  return collect.Take();
}

}  // namespace lathe::schedule
