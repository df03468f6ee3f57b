// Collects the buffers that a kernel writes. A value loaded from one may change between statements.
#ifndef LATHE_NEST_STORED_BUFFERS_H_
#define LATHE_NEST_STORED_BUFFERS_H_

#include "absl/container/flat_hash_set.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/device/gpu_effects.h"
#include "generator/ir/device/memory_address.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir.h"

namespace lathe::nest {

class StoredBuffers {
 public:
  explicit StoredBuffers(ir::StmtRef body) {
    ir::ForEachStmt(body, [&](ir::StmtRef stmt) {
      if (const auto* store = stmt->As<ir::StoreStmt>()) {
        written_.insert(store->buffer->data);
        AddWritten(store->value);
      }
      if (const auto* value = stmt->As<ir::EvaluateStmt>()) AddWritten(value->value);
      if (const auto* let = stmt->As<ir::LetStmt>()) AddWritten(let->value);
    });
  }

  bool Has(ir::BufferRef buffer) const { return written_.contains(buffer->data); }

  bool AreReadBy(ir::PrimRef e) const {
    const auto* load = e->As<ir::Load>();
    bool reads = load != nullptr && Has(load->buffer);
    ir::ForEachOperand(e, [&](ir::PrimRef part) { reads = reads || AreReadBy(part); });
    return reads;
  }

 private:
  // Adds the buffers that calls write through pointers.
  void AddWritten(ir::PrimRef e) {
    if (const auto* call = e->As<ir::Intrinsic>()) {
      for (ir::PrimRef pointer : ir::WrittenPointers(*call, e->dtype())) {
        written_.insert(ir::PointedData(pointer));
      }
      for (ir::BufferRef buffer : ir::WrittenByDefined(*call)) written_.insert(buffer->data);
    }
    ir::ForEachOperand(e, [&](ir::PrimRef part) { AddWritten(part); });
  }

  absl::flat_hash_set<ir::PrimRef> written_;  // the data of buffers, which views share
};

}  // namespace lathe::nest

#endif  // LATHE_NEST_STORED_BUFFERS_H_
