// The buffers that a kernel writes: what is read from them may change from one statement to the
// next.
#ifndef LATHE_LOWER_STORED_BUFFERS_H_
#define LATHE_LOWER_STORED_BUFFERS_H_

#include "absl/container/flat_hash_set.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir.h"

namespace lathe::lower {

class StoredBuffers {
 public:
  explicit StoredBuffers(ir::StmtRef body) {
    ir::ForEachStmt(body, [&](ir::StmtRef stmt) {
      if (const auto* store = stmt->As<ir::StoreStmt>()) stored_.insert(store->buffer);
    });
  }

  bool Has(ir::BufferRef buffer) const { return stored_.contains(buffer); }

  bool AreReadBy(ir::PrimRef e) const {
    const auto* load = e->As<ir::Load>();
    bool reads = load != nullptr && stored_.contains(load->buffer);
    ir::ForEachOperand(e, [&](ir::PrimRef part) { reads = reads || AreReadBy(part); });
    return reads;
  }

 private:
  absl::flat_hash_set<ir::BufferRef> stored_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_STORED_BUFFERS_H_
