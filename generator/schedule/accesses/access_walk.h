// Visits every memory access of statements and tries to prove it in bounds.
#ifndef LATHE_SCHEDULE_ACCESSES_ACCESS_WALK_H_
#define LATHE_SCHEDULE_ACCESSES_ACCESS_WALK_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/fact_stack.h"
#include "generator/ir/context.h"
#include "generator/ir/nest.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

inline bool IsScalar(ir::PrimRef e) { return e->dtype().lanes == 1; }

// Walks statements in execution order. At each one, it knows the facts of enclosing loops,
// conditions, bindings and assertions. It does not depend on the passes that created the
// statements.
class AccessWalk {
 public:
  AccessWalk(ir::Context& context, analysis::FactStack& facts) : ir_(context), facts_(facts) {}

  void Stmt(ir::StmtRef stmt);
  // Visits the accesses of `e` where it is evaluated.
  void Expr(ir::PrimRef e);
  // Visits a read or write of one element.
  void Access(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices);
  // Visits `count` contiguous elements from the one at `indices`. In the second form, `place` is
  // the offset of one element from the start of the buffer.
  void Run(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices, ir::PrimRef count);
  void Place(ir::BufferRef buffer, ir::PrimRef place);
  // Declares memory that views may refer to.
  void AddMemory(ir::BufferRef buffer) { memory_.try_emplace(buffer->data, buffer); }
  // Visits a stage inside of loops over its axes. Axes() only visits the extents and enters the
  // loops.
  void Stage(const ir::NestStage& stage);
  void Axes(const std::vector<ir::NestAxis>& axes);

  // Returns the number of elements from the first to the last one of the buffer.
  ir::PrimRef SizeOf(const ir::Buffer& buffer);

  // Records `what` as unproved unless `holds`.
  void Need(bool holds, const std::string& what);

  // The accesses that follow do not belong to a statement, so none can be asserted.
  void LeaveStatements() { at_ = nullptr; }
  // Trusts that views over pointers computed by the program have their declared size.
  void TrustPointers() { trusts_ = true; }
  // A condition that must hold before a statement runs, so that its accesses are in bounds.
  struct MissingCheck {
    ir::StmtRef at = nullptr;    // null: no statement that could assert it
    ir::PrimRef need = nullptr;  // null: it cannot be expressed
  };
  const std::vector<MissingCheck>& missing_checks() const { return missing_checks_; }
  // Descriptions of the first 16 unproved accesses, without duplicates.
  const std::vector<std::string>& unproved() const { return unproved_; }
  int64_t proved() const { return proved_; }

 private:
  void Seq(const std::vector<ir::StmtRef>& stmts);
  void Block(const ir::BlockStmt& block);
  void Match(const ir::BlockMatch& match);
  void Declare(const ir::Buffer& buffer);
  void Inside(ir::PrimRef e);
  void Name(ir::PrimRef var, ir::PrimRef value);
  void Lazily(ir::PrimRef e, ir::PrimRef cond, bool holds);
  void ForgetStoresIn(ir::StmtRef stmt);
  bool IsWithin(ir::PrimRef index, ir::PrimRef extent);
  // Returns `0 <= index < extent` as a condition, or null if it cannot be expressed.
  ir::PrimRef Within(ir::PrimRef index, ir::PrimRef extent);
  // Returns `need` as a condition for the whole statement.
  ir::PrimRef UnderConditions(ir::PrimRef need);
  bool IsAsserted(ir::PrimRef need);
  bool IsInMemory(const ir::Buffer& buffer, ir::PrimRef place, ir::PrimRef count);
  // Returns the offset of the element from the start of the buffer.
  ir::PrimRef PlaceOf(const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);
  void Fail(const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);
  ir::PrimRef Wide(ir::PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }

  ir::Context& ir_;
  analysis::FactStack& facts_;
  std::vector<std::string> unproved_;
  std::vector<MissingCheck> missing_checks_;
  bool trusts_ = false;
  ir::StmtRef at_ = nullptr;       // the current statement
  std::vector<ir::PrimRef> when_;  // conditions under which the current operand is evaluated
  int64_t proved_ = 0;
  absl::flat_hash_set<ir::PrimRef> seen_;  // visited parts of the current expression
  // Whole buffers by the data pointer that their views share.
  absl::flat_hash_map<ir::PrimRef, ir::BufferRef> memory_;
  // Pointers into the middle of a buffer, with the load of the element that they point to.
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> pointers_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_ACCESS_WALK_H_
