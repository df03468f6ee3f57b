#include "generator/transform/stream/window_kernel.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/each_scalar.h"
#include "generator/ir/each_stmt.h"
#include "generator/support/status.h"

namespace lathe::transform {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

absl::Status Refuse(absl::string_view why) { return absl::InvalidArgumentError(why); }

// A load or store.
struct Access {
  BufferRef buffer = nullptr;
  const std::vector<PrimRef>* indices = nullptr;
};

// The accesses of the statements of one block.
struct Stage {
  std::vector<Access> loads, stores;
  absl::flat_hash_set<PrimRef> seen;
};

bool Mentions(PrimRef e, PrimRef var) {
  if (e == var) return true;
  bool found = false;
  ir::ForEachOperand(e, [&](PrimRef operand) { found = found || Mentions(operand, var); });
  return found;
}

class WindowFinder {
 public:
  WindowFinder(ir::Context& context, const ir::PrimFunc& func) : context_(context), func_(func) {}

  absl::StatusOr<KernelWindow> Find(const std::map<size_t, int>& inputs) {
    for (const auto& [position, axis] : inputs) {
      const BufferRef buffer =
          position < func_.params.size() ? func_.params[position].buffer : nullptr;
      if (buffer == nullptr) return Refuse("takes frames in a parameter that is not a buffer");
      window_.axes[buffer] = axis;
      inputs_.insert(buffer);
    }
    LATHE_RETURN_IF_ERROR(Collect());
    LATHE_RETURN_IF_ERROR(Spread());
    const BufferRef result = func_.params.back().buffer;
    const auto out = result == nullptr ? window_.axes.end() : window_.axes.find(result);
    if (out == window_.axes.end()) {
      window_.reads_all = true;
      return std::move(window_);
    }
    window_.out_axis = out->second;
    LATHE_RETURN_IF_ERROR(CheckUses());
    LATHE_RETURN_IF_ERROR(CheckCarried());
    LATHE_RETURN_IF_ERROR(CheckExtents());
    return std::move(window_);
  }

 private:
  // Collects the accesses, the loops and the axes of blocks.
  absl::Status Collect() {
    absl::Status status;
    const std::function<void(StmtRef, size_t)> walk = [&](StmtRef stmt, size_t stage) {
      if (const auto* block = stmt->As<ir::BlockStmt>()) {
        if (!block->matches.empty() || block->predicate != nullptr) {
          status = Refuse("has blocks with views or predicates");
        }
        for (const ir::BlockAxis& axis : block->axes) {
          if (axis.binding != nullptr) bindings_[axis.var] = axis.binding;
          extents_[axis.var] = {axis.min, axis.extent};
        }
        if (!block->axes.empty()) {
          stages_.emplace_back();
          stage = stages_.size() - 1;
        }
      } else if (const auto* loop = stmt->As<ir::ForStmt>()) {
        if (loop->step != nullptr) status = Refuse("has loops with a step");
        extents_[loop->var] = {loop->min, loop->extent};
      } else if (const auto* store = stmt->As<ir::StoreStmt>()) {
        stages_[stage].stores.push_back({store->buffer, &store->indices});
      } else if (stmt->As<ir::DeclBufferStmt>() != nullptr ||
                 stmt->As<ir::WhileStmt>() != nullptr || stmt->As<ir::AttrStmt>() != nullptr) {
        status = Refuse("has views, threads or loops without bounds");
      }
      ir::ForEachScalar(stmt, [&](PrimRef e) { CollectLoads(e, stages_[stage], status); });
      ir::ForEachChild(stmt, [&](StmtRef child) { walk(child, stage); });
    };
    stages_.emplace_back();
    walk(func_.body, 0);
    return status;
  }

  void CollectLoads(PrimRef e, Stage& stage, absl::Status& status) {
    if (!stage.seen.insert(e).second) return;
    if (const auto* load = e->As<ir::Load>()) {
      stage.loads.push_back({load->buffer, &load->indices});
    } else if (e->As<ir::RegionArg>() != nullptr) {
      status = Refuse("passes a part of a buffer to a call");
    }
    ir::ForEachOperand(e, [&](PrimRef operand) { CollectLoads(operand, stage, status); });
  }

  // Follows the frames from the inputs to the buffers that are computed from them.
  absl::Status Spread() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Stage& stage : stages_) {
        for (const Access& load : stage.loads) {
          const auto axis = window_.axes.find(load.buffer);
          if (axis == window_.axes.end()) continue;
          const PrimRef index = (*load.indices)[static_cast<size_t>(axis->second)];
          for (const Access& store : stage.stores) {
            LATHE_RETURN_IF_ERROR(SpreadTo(store, index, changed));
          }
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status SpreadTo(const Access& store, PrimRef index, bool& changed) {
    for (size_t axis = 0; axis < store.indices->size(); ++axis) {
      const PrimRef var = (*store.indices)[axis];
      if (var->As<ir::SymVar>() == nullptr || !Mentions(index, var)) continue;
      const auto [known, is_new] = window_.axes.emplace(store.buffer, static_cast<int>(axis));
      if (known->second != static_cast<int>(axis)) {
        return Refuse("moves frames along several axes of a result");
      }
      changed = changed || is_new;
      changed = window_.vars.insert(var).second || changed;
      const auto binding = bindings_.find(var);
      if (binding == bindings_.end()) continue;
      if (binding->second->As<ir::SymVar>() == nullptr) {
        return Refuse("computes the places of its blocks");
      }
      window_.vars.insert(binding->second);
    }
    return absl::OkStatus();
  }

  // Checks that a variable of frames only selects frames.
  absl::Status CheckUses() {
    for (const Stage& stage : stages_) {
      for (const Access& store : stage.stores) {
        LATHE_RETURN_IF_ERROR(CheckAccess(store, /*is_store=*/true));
      }
      for (const Access& load : stage.loads) {
        LATHE_RETURN_IF_ERROR(CheckAccess(load, /*is_store=*/false));
      }
    }
    bool uses = false;
    ir::ForEachStmt(func_.body, [&](StmtRef stmt) { uses = uses || UsesFrame(stmt); });
    if (!uses) return absl::OkStatus();
    return Refuse(
        "computes with the number of a frame, as padding along time does, so the values of a frame "
        "depend on its place in the window; supported: kernels that only read frames by their "
        "numbers");
  }

  // Checks that no buffer without frames carries a value from a frame to the next: in each frame,
  // it is stored before it is loaded.
  absl::Status CheckCarried() {
    bool carries = false;
    ir::ForEachStmt(func_.body, [&](StmtRef stmt) {
      if (const auto* loop = stmt->As<ir::ForStmt>()) {
        carries = carries || (window_.vars.contains(loop->var) && Carries(loop->body));
      } else if (const auto* block = stmt->As<ir::BlockStmt>()) {
        // Of a reduction over frames, the first value is stored in the first frame only.
        carries = carries || absl::c_any_of(block->axes, [&](const ir::BlockAxis& axis) {
                    return axis.kind != ir::AxisKind::kSpatial && window_.vars.contains(axis.var);
                  });
      }
    });
    return carries ? Refuse("carries a value from a frame to the next one") : absl::OkStatus();
  }

  // Returns whether the body of a loop over frames stores a buffer without frames that it has
  // loaded before.
  bool Carries(StmtRef body) {
    absl::flat_hash_set<BufferRef> stored, loaded;
    bool carries = false;
    ir::ForEachStmt(body, [&](StmtRef stmt) {
      Stage read;
      absl::Status status;  // as before
      ir::ForEachScalar(stmt, [&](PrimRef e) { CollectLoads(e, read, status); });
      for (const Access& load : read.loads) {
        if (!stored.contains(load.buffer)) loaded.insert(load.buffer);
      }
      const auto* store = stmt->As<ir::StoreStmt>();
      if (store == nullptr || window_.axes.contains(store->buffer)) return;
      carries = carries || loaded.contains(store->buffer);
      stored.insert(store->buffer);
    });
    return carries;
  }

  // Returns whether `stmt` itself uses a variable of frames for something else than to select
  // frames.
  bool UsesFrame(StmtRef stmt) {
    bool uses = false;
    if (const auto* store = stmt->As<ir::StoreStmt>()) {  // whose indices have been checked
      uses = UsesFrame(store->value);
      if (store->predicate != nullptr) uses = uses || UsesFrame(store->predicate);
    } else if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (const ir::BlockAxis& axis : block->axes) {
        const bool selects =
            window_.vars.contains(axis.var) || !absl::c_any_of(window_.vars, [&](PrimRef var) {
              return axis.binding != nullptr && Mentions(axis.binding, var);
            });
        uses = uses || !selects;
      }
    } else {
      ir::ForEachScalar(stmt, [&](PrimRef e) { uses = uses || UsesFrame(e); });
    }
    return uses;
  }

  bool UsesFrame(PrimRef e) {
    if (window_.vars.contains(e)) return true;
    if (!unused_.insert(e).second) return false;  // as before; a use ends the search
    bool uses = false;
    if (const auto* load = e->As<ir::Load>()) {
      const auto axis = window_.axes.find(load->buffer);
      for (size_t k = 0; k < load->indices.size(); ++k) {
        const bool is_time = axis != window_.axes.end() && static_cast<int>(k) == axis->second;
        uses = uses || (!is_time && UsesFrame(load->indices[k]));
      }
      if (load->predicate != nullptr) uses = uses || UsesFrame(load->predicate);
      return uses;
    }
    ir::ForEachOperand(e, [&](PrimRef operand) { uses = uses || UsesFrame(operand); });
    return uses;
  }

  absl::Status CheckAccess(const Access& access, bool is_store) {
    const auto axis = window_.axes.find(access.buffer);
    for (size_t k = 0; k < access.indices->size(); ++k) {
      const PrimRef index = (*access.indices)[k];
      const bool is_time = axis != window_.axes.end() && static_cast<int>(k) == axis->second;
      if (!is_time) {
        if (UsesFrame(index)) return Refuse("moves frames along another axis");
        continue;
      }
      const bool has_frame =
          absl::c_any_of(window_.vars, [&](PrimRef var) { return Mentions(index, var); });
      if (!has_frame) return Refuse("reads or writes a frame at a fixed place");
      if (window_.vars.contains(index)) {
        if (inputs_.contains(access.buffer)) LATHE_RETURN_IF_ERROR(AddWindow(1, {0, 0}));
        continue;
      }
      if (is_store || !inputs_.contains(access.buffer)) {
        return Refuse("keeps several frames between its loops");
      }
      LATHE_RETURN_IF_ERROR(AddIndex(index));
    }
    return absl::OkStatus();
  }

  // Adds the index t * stride + rest of an input.
  absl::Status AddIndex(PrimRef index) {
    PrimRef var = nullptr;
    for (PrimRef each : window_.vars) {
      if (!Mentions(index, each)) continue;
      if (var != nullptr) return Refuse("adds the numbers of two frames");
      var = each;
    }
    if (!IsLinear(index, var)) {
      return Refuse("reads frames at places that are not linear in the number of the frame");
    }
    analysis::Assumptions known;
    for (const auto& [each, extent] : extents_) {
      const auto* min = extent.first->As<ir::IntImm>();
      const auto* count = extent.second->As<ir::IntImm>();
      if (min != nullptr && count != nullptr) {
        known.Bound(each, {min->value, min->value + count->value - 1});
      }
    }
    const auto at = [&](int64_t frame) {
      const PrimRef fixed =
          analysis::Substitute(context_, index, {{var, context_.Int(frame, var->dtype())}});
      return analysis::BoundsOf(context_, fixed, known);
    };
    const analysis::Interval first = at(0), second = at(1);
    const bool bounded = first.lo != analysis::kNegInf && first.hi != analysis::kPosInf;
    if (!bounded || second.lo <= first.lo) {
      return Refuse("reads frames at places without bounds, or backward");
    }
    return AddWindow(second.lo - first.lo, first);
  }

  // Returns true for sums, and products with constants, of variables.
  static bool IsLinear(PrimRef e, PrimRef var) {
    if (!Mentions(e, var) || e == var) return true;
    const auto* binary = e->As<ir::Binary>();
    if (binary == nullptr) return false;
    switch (binary->op) {
      case ir::BinaryOp::kAdd:
      case ir::BinaryOp::kSub:
        return IsLinear(binary->lhs, var) && IsLinear(binary->rhs, var);
      case ir::BinaryOp::kMul:
        return (binary->rhs->As<ir::IntImm>() != nullptr && IsLinear(binary->lhs, var)) ||
               (binary->lhs->As<ir::IntImm>() != nullptr && IsLinear(binary->rhs, var));
      default:
        return false;
    }
  }

  absl::Status AddWindow(int64_t stride, analysis::Interval rest) {
    if (rest.lo < 0) return Refuse("reads frames before the first one");
    if (has_stride_ && stride != window_.stride) return Refuse("reads frames with two strides");
    has_stride_ = true;
    window_.stride = stride;
    window_.kernel = std::max(window_.kernel, rest.hi + 1);
    return absl::OkStatus();
  }

  // Checks that loops over frames cover those of the result.
  absl::Status CheckExtents() {
    const auto length = [&](BufferRef buffer) {
      const auto* size =
          buffer->shape[static_cast<size_t>(window_.axes.at(buffer))]->As<ir::IntImm>();
      return size == nullptr ? -1 : size->value;
    };
    const int64_t frames = length(func_.params.back().buffer);
    for (const auto& [buffer, axis] : window_.axes) {
      if (!buffer->strides.empty() || buffer->elem_offset != nullptr) {
        const auto* offset =
            buffer->elem_offset == nullptr ? nullptr : buffer->elem_offset->As<ir::IntImm>();
        const bool compact = buffer->strides.empty() && offset != nullptr && offset->value == 0;
        if (!compact) return Refuse("has buffers with strides");
      }
      if (!inputs_.contains(buffer) && length(buffer) != frames) {
        return Refuse("keeps another number of frames than it returns");
      }
    }
    for (const auto& [var, extent] : extents_) {
      if (!window_.vars.contains(var)) continue;
      const auto* min = extent.first->As<ir::IntImm>();
      const auto* count = extent.second->As<ir::IntImm>();
      if (min == nullptr || min->value != 0 || count == nullptr || count->value != frames) {
        return Refuse("has loops over a part of the frames");
      }
    }
    return absl::OkStatus();
  }

  ir::Context& context_;
  const ir::PrimFunc& func_;
  KernelWindow window_;
  absl::flat_hash_set<BufferRef> inputs_;
  std::vector<Stage> stages_;
  absl::flat_hash_map<PrimRef, PrimRef> bindings_;
  absl::flat_hash_map<PrimRef, std::pair<PrimRef, PrimRef>> extents_;  // minimum and extent
  absl::flat_hash_set<PrimRef> unused_;  // expressions without a use of frames
  bool has_stride_ = false;
};

}  // namespace

absl::StatusOr<KernelWindow> FindKernelWindow(ir::Context& context, const ir::PrimFunc& func,
                                              const std::map<size_t, int>& inputs) {
  return WindowFinder(context, func).Find(inputs);
}

}  // namespace lathe::transform
