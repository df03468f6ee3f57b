// Copies statements with variables and memory of their own, so that they can become a part of
// another kernel.
#ifndef LATHE_SCHEDULE_LINES_COPY_STATEMENTS_H_
#define LATHE_SCHEDULE_LINES_COPY_STATEMENTS_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

class StatementCopy {
 public:
  explicit StatementCopy(ir::Context& context) : ir_(context) {}

  // Gives a variable this value in the copies, and a buffer this one.
  void Set(ir::PrimRef var, ir::PrimRef value) { values_[var] = value; }
  void Set(ir::BufferRef buffer, ir::BufferRef copy);

  // The copies access the same buffers.
  void KeepBuffers() { keeps_buffers_ = true; }

  // Accesses to the memory of `buffer` go to `offset` + `place` of `to` instead. `place` gets the
  // indices of the access before it is copied.
  using PlaceOf =
      std::function<ir::PrimRef(ir::BufferRef view, const std::vector<ir::PrimRef>& indices)>;
  void Redirect(ir::BufferRef buffer, ir::BufferRef to, ir::PrimRef offset, PlaceOf place);

  // Returns the copy of a buffer, always the same one.
  ir::BufferRef Of(ir::BufferRef buffer);
  ir::StmtRef Of(ir::StmtRef stmt);

 private:
  ir::PrimRef Of(ir::PrimRef e);
  ir::PrimRef NewVar(ir::PrimRef var);
  // Returns the place of an access that is redirected, else nothing.
  std::optional<ir::PrimRef> Redirected(ir::BufferRef view,
                                        const std::vector<ir::PrimRef>& indices);

  ir::Context& ir_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> values_;  // variables and pointers
  absl::flat_hash_map<ir::BufferRef, ir::BufferRef> buffers_;
  bool keeps_buffers_ = false;
  ir::BufferRef from_ = nullptr, to_ = nullptr;
  ir::PrimRef offset_ = nullptr;
  PlaceOf place_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_LINES_COPY_STATEMENTS_H_
