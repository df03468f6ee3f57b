#include "generator/analysis/check_barriers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/device/address_numbered_barriers.h"
#include "generator/ir/device/canonicalize_prim_func.h"
#include "generator/ir/device/gpu_call.h"
#include "generator/ir/device/memory_address.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::analysis {
namespace {

using ir::GpuOp;
using ir::IntImm;
using ir::PrimRef;
using ir::StmtRef;

const ir::Intrinsic* CallIn(StmtRef stmt) {
  const auto* value = stmt->As<ir::EvaluateStmt>();
  return value == nullptr ? nullptr : value->value->As<ir::Intrinsic>();
}

bool Mentions(StmtRef body) {
  bool mentions = false;
  ir::ForEachStmt(body, [&](StmtRef stmt) {
    const ir::Intrinsic* call = CallIn(stmt);
    const auto* store = stmt->As<ir::StoreStmt>();
    if (call == nullptr && store != nullptr) call = store->value->As<ir::Intrinsic>();
    mentions = mentions || (call != nullptr && (absl::StrContains(call->name, "barrier") ||
                                                ir::BarrierNumberOf(*call) != nullptr));
  });
  return mentions;
}

// The arguments of a call that are a barrier, and a number of arrivals or bytes.
struct BarrierRow {
  GpuOp op;
  size_t barrier;
  std::optional<size_t> arrivals;
  std::optional<size_t> bytes;
};
constexpr BarrierRow kRows[] = {
    {GpuOp::kMbarrierBegin, 0, 1, std::nullopt},
    {GpuOp::kMbarrierArrive, 0, 1, std::nullopt},
    {GpuOp::kMbarrierExpect, 0, std::nullopt, 1},
    {GpuOp::kMbarrierWait, 0, std::nullopt, std::nullopt},
    {GpuOp::kMbarrierTest, 0, std::nullopt, std::nullopt},
    {GpuOp::kCopiesArrive, 0, std::nullopt, std::nullopt},
    {GpuOp::kCopiesArriveCounted, 0, std::nullopt, std::nullopt},
    {GpuOp::kBulkCopy, 3, std::nullopt, std::nullopt},
};

class BarrierChecker {
 public:
  BarrierChecker(const ir::PrimFunc& func, Diagnostics& diags) : diags_(diags) {
    // Functions with thread loops have the parameters of a launch, in global memory.
    ir::ForEachStmt(func.body, [&](StmtRef stmt) {
      const auto* loop = stmt->As<ir::ForStmt>();
      const auto* attr = stmt->As<ir::AttrStmt>();
      launches_ = launches_ || (loop != nullptr && loop->kind == ir::LoopKind::kThreadBinding) ||
                  (attr != nullptr && ir::ThreadsOf(*attr).var != nullptr);
      if (const auto* alloc = stmt->As<ir::AllocStmt>()) Note(alloc->buffer);
      if (const auto* block = stmt->As<ir::BlockStmt>()) {
        for (ir::BufferRef buffer : block->allocs) Note(buffer);
      }
    });
    for (const ir::PrimParam& param : func.params) {
      if (param.buffer != nullptr && launches_) Note(param.buffer);
    }
    ir::ForEachStmt(func.body, [&](StmtRef stmt) {
      if (const ir::Intrinsic* call = CallIn(stmt)) Check(*call, stmt->loc());
      if (const auto* store = stmt->As<ir::StoreStmt>()) Within(store->value, stmt->loc());
      if (const auto* let = stmt->As<ir::LetStmt>()) Within(let->value, stmt->loc());
      if (const auto* branch = stmt->As<ir::IfStmt>()) Within(branch->cond, stmt->loc());
      if (const auto* loop = stmt->As<ir::WhileStmt>()) Within(loop->cond, stmt->loc());
    });
  }

 private:
  // `buffer` covers its whole allocation.
  void Note(ir::BufferRef buffer) { buffers_.try_emplace(buffer->data, buffer); }

  DiagnosticBuilder Error(const Location& loc) { return diags_.Error(loc, "malformed-barrier"); }

  // Calls that test a phase are operands of other expressions.
  void Within(PrimRef e, const Location& loc) {
    if (const auto* call = e->As<ir::Intrinsic>()) Check(*call, loc);
    ir::ForEachOperand(e, [&](PrimRef part) { Within(part, loc); });
  }

  void Check(const ir::Intrinsic& call, const Location& loc) {
    if (ir::CreatesBarriers(call)) {
      Error(loc) << "T.create_barriers takes a constant number of barriers from 1 to "
                 << ir::kMaxBarriers << ", got " << ir::ToString(call.args[0]);
      unnumbered_ = true;
      return;
    }
    if (PrimRef number = ir::BarrierNumberOf(call)) {
      if (unnumbered_) return;
      Error(loc) << "barrier " << ir::ToString(number)
                 << " has not been created; T.create_barriers must precede its uses in the same "
                    "launch, outside conditions and loops";
      return;
    }
    const std::optional<ir::GpuCall> known = ir::GpuCallOf(call);
    for (const BarrierRow& row : kRows) {
      if (!known || row.op != known->op) continue;
      Place(known->args[row.barrier], loc);
      if (row.arrivals) Arrivals(*known, known->args[*row.arrivals], loc);
      const auto* bytes = row.bytes ? known->args[*row.bytes]->As<IntImm>() : nullptr;
      if (bytes != nullptr && (bytes->value < 0 || bytes->value > ir::kMaxArrivals)) {
        Error(loc) << "a barrier can expect 0 to " << ir::kMaxArrivals << " bytes at once, got "
                   << bytes->value;
      }
    }
  }

  void Arrivals(const ir::GpuCall& call, PrimRef count, const Location& loc) {
    const auto* number = count == nullptr ? nullptr : count->As<IntImm>();
    if (number == nullptr || (number->value >= 1 && number->value <= ir::kMaxArrivals)) return;
    if (call.op == GpuOp::kMbarrierBegin) {
      Error(loc) << "a barrier must expect 1 to " << ir::kMaxArrivals << " arrivals, got "
                 << number->value;
    } else {
      Error(loc) << "1 to " << ir::kMaxArrivals
                 << " arrivals at a barrier are allowed per call, got " << number->value;
    }
  }

  void Place(PrimRef barrier, const Location& loc) {
    const PrimRef data = ir::PointedData(barrier);
    const auto found = buffers_.find(data);
    if (data == nullptr || found == buffers_.end()) return;
    const ir::Buffer& memory = *found->second;
    if (!absl::StartsWith(memory.scope, "shared")) {
      Error(loc) << "a barrier is " << ir::kBarrierBytes << " bytes of shared memory; '"
                 << memory.name << "' is in " << (memory.scope.empty() ? "global" : memory.scope)
                 << " memory";
      return;
    }
    const std::optional<int64_t> at = ByteOf(barrier), extent = ir::ExtentOf(memory);
    if (!at || !extent || memory.elem_offset != nullptr) return;
    const auto bytes = static_cast<int64_t>(
        ir::StorageBytes(memory.dtype, static_cast<uint64_t>(std::max<int64_t>(*extent, 0))));
    if (*at % ir::kBarrierBytes != 0) {
      Error(loc) << "a barrier must start at a multiple of " << ir::kBarrierBytes
                 << " bytes, got byte " << *at << " of '" << memory.name << "'";
    } else if (*at < 0 || *at > bytes - ir::kBarrierBytes) {
      Error(loc) << "barrier " << *at / ir::kBarrierBytes << " does not exist: '" << memory.name
                 << "' has " << bytes / ir::kBarrierBytes << " barriers, counted from 0";
    }
  }

  // The byte offset of a pointer; nothing if it is not constant.
  static std::optional<int64_t> ByteOf(PrimRef pointer) {
    if (pointer->As<ir::SymVar>() != nullptr) return 0;
    const auto* load = ir::PointedElement(pointer);
    if (load == nullptr || !load->buffer->strides.empty() || load->buffer->elem_offset != nullptr ||
        load->indices.size() != load->buffer->shape.size()) {
      return std::nullopt;
    }
    int64_t element = 0;
    for (size_t i = 0; i < load->indices.size(); ++i) {
      const auto* index = load->indices[i]->As<IntImm>();
      const auto* extent = load->buffer->shape[i]->As<IntImm>();
      if (index == nullptr || extent == nullptr ||
          __builtin_mul_overflow(element, extent->value, &element) ||
          __builtin_add_overflow(element, index->value, &element)) {
        return std::nullopt;
      }
    }
    const int bits = load->buffer->dtype.bits * LanesOf(load->buffer->dtype);
    int64_t all = 0;
    if (bits % 8 != 0 || __builtin_mul_overflow(element, bits / 8, &all)) return std::nullopt;
    return all;
  }
  static int LanesOf(ir::DType dtype) { return dtype.is_scalar() ? 1 : dtype.lanes; }

  Diagnostics& diags_;
  absl::flat_hash_map<PrimRef, ir::BufferRef> buffers_;  // by their data pointer
  bool launches_ = false;
  bool unnumbered_ = false;  // barriers of unknown number exist
};

}  // namespace

void CheckBarriers(ir::Context& context, const ir::Module& module, Diagnostics& diags) {
  for (size_t i = 0; i < module.globals.size(); ++i) {
    const ir::PrimFunc* func = module.globals[ir::GlobalId{static_cast<int32_t>(i)}].prim_func();
    if (func == nullptr || func->body == nullptr || !Mentions(func->body)) continue;
    BarrierChecker(ir::CanonicalizePrimFunc(context, *func), diags);
  }
}

}  // namespace lathe::analysis
