// Every place that statements read or write, and whether it is proved to lie within its buffer
// where they do.
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

// Walks in the order in which statements run, and knows at each what loops, conditions, names and
// assertions say there. It asks nothing of how the statements came about.
class AccessWalk {
 public:
  AccessWalk(ir::Context& context, analysis::FactStack& facts) : ir_(context), facts_(facts) {}

  void Stmt(ir::StmtRef stmt);
  // What `e` reads, where it is evaluated.
  void Expr(ir::PrimRef e);
  // An element that is read or written.
  void Access(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices);
  // `count` elements, as they lie in memory, from that at the indices on; `before` elements from
  // its first where `indices` is null.
  void Run(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices, ir::PrimRef count);
  void Place(ir::BufferRef buffer, ir::PrimRef place);
  // What views may be of.
  void Knows(ir::BufferRef buffer) { memory_.try_emplace(buffer->data, buffer); }
  // A stage inside of loops over its axes.
  void Stage(const ir::NestStage& stage);
  void Axes(const std::vector<ir::NestAxis>& axes);

  // How many elements its memory has, as far as it says.
  ir::PrimRef SizeOf(const ir::Buffer& buffer);

  // Something that has to hold: `what` is said where it is not proved.
  void Need(bool holds, const std::string& what);

  // What comes now stands for statements, and has no place for an assertion.
  void LeavesStatements() { at_ = nullptr; }
  // Views over pointers that the program makes itself are what it says they are.
  void TrustsPointers() { trusts_ = true; }
  // A condition that has to hold before a statement runs, for all in it to be there.
  struct Lack {
    ir::StmtRef at = nullptr;  // null: none that could assert it
    ir::PrimRef need = nullptr;
  };
  const std::vector<Lack>& lacks() const { return lacks_; }
  // What is not proved, in words; each place once.
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
  // That it is so, as a condition; null where there is none.
  ir::PrimRef Within(ir::PrimRef index, ir::PrimRef extent);
  void Lacks(ir::PrimRef need);
  bool IsInMemory(const ir::Buffer& buffer, ir::PrimRef place, ir::PrimRef count);
  // Elements from the first that it has to the one at the indices.
  ir::PrimRef PlaceOf(const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);
  void Fail(const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);
  ir::PrimRef Wide(ir::PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }

  ir::Context& ir_;
  analysis::FactStack& facts_;
  std::vector<std::string> unproved_;
  std::vector<Lack> lacks_;
  bool trusts_ = false;
  ir::StmtRef at_ = nullptr;       // the statement in hand
  std::vector<ir::PrimRef> when_;  // what its expression looks at before
  int64_t proved_ = 0;
  absl::flat_hash_set<ir::PrimRef> seen_;  // of the expression in hand, where its conditions hold
  // Whole buffers by the pointer through which views reach their memory.
  absl::flat_hash_map<ir::PrimRef, ir::BufferRef> memory_;
  // Pointers that begin in the middle of memory: loads of the first element.
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> pointers_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_ACCESS_WALK_H_
