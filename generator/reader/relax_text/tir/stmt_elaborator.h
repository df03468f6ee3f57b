// Holds the state of elaborating one PrimFunc: its scopes, its open blocks and the statement
// sequence under construction. Each family of statements has a file of its own; elaborate_stmt.h
// dispatches to them.
#ifndef LATHE_READER_RELAX_TEXT_TIR_STMT_ELABORATOR_H_
#define LATHE_READER_RELAX_TEXT_TIR_STMT_ELABORATOR_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/ir/tir.h"
#include "generator/reader/relax_text/elaboration/tir_dialect.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"
#include "generator/reader/relax_text/tir/tir_scope.h"

namespace lathe::relax_text {

// A block under construction, or the root block of the function.
struct OpenBlock {
  ir::BlockStmt block;
  bool is_root = false;
  // The first calls of T.reads, T.writes, T.where and T.init, by the names without T.
  absl::flat_hash_map<std::string, TextSpan> statements;
};

// The result of a function of T that is a statement and has a value: p = T.allocate(...).
struct TirFrame {
  ScalarValue value;
  // Creates the statement. `body` is the body of a with statement, or null if the rest of the
  // enclosing sequence is the body. The function is null if there is no statement.
  std::function<ir::Stmt::Node(ir::StmtRef body)> make;
};

class StmtElaborator {
 public:
  StmtElaborator(Elaboration& el, TirDialect dialect)
      : el_(el), dialect_(dialect), scope_(el), scalars_(el, scope_, ir::DType::Int(32)) {}

  Elaboration& el() { return el_; }
  ir::Context& context() { return el_.context(); }
  TirDialect dialect() const { return dialect_; }
  TirScope& scope() { return scope_; }
  ScalarElaborator& scalars() { return scalars_; }
  ir::PrimFunc& func() { return func_; }

  // Appends a statement to the current sequence.
  void Emit(ir::Stmt::Node node, const TextSpan& span);
  void EmitMade(ir::StmtRef stmt) { sequence_->push_back(stmt); }

  // Elaborates `body` in a new scope and returns it as one statement. `before`, if not null, is
  // called first in that scope. Errors are reported in the diagnostics; the returned statement is
  // always valid.
  ir::StmtRef Body(ast::Block body, const std::function<void()>& before = nullptr);
  // Returns the statements that `fill` emits as one statement.
  ir::StmtRef Sequence(const std::function<void()>& fill, const TextSpan& span);

  // Binds `target` to `value`: a name, or a tuple of names to a tuple of values. On failure,
  // reports a diagnostic and declares the names as failed.
  absl::Status BindTarget(const ast::Expr& target, const ScalarValue& value);
  void BindFailed(const ast::Expr& target);

  std::vector<OpenBlock>& blocks() { return blocks_; }
  OpenBlock& block() { return blocks_.back(); }

  // The ranges of the variables of the enclosing loops.
  struct Domain {
    ir::PrimRef min;
    ir::PrimRef extent;
  };
  absl::flat_hash_map<ir::PrimRef, Domain>& loops() { return loops_; }

  // Returns the thread index ("threadIdx.x") of each variable created by T.env_thread.
  absl::flat_hash_map<ir::PrimRef, std::string>& threads() { return threads_; }

  // Returns the names that the function assigns more than once. They must be mutable.
  absl::flat_hash_set<absl::string_view>& reassigned() { return reassigned_; }

  // Returns the nesting depth of the current statement.
  int& depth() { return depth_; }

 private:
  Elaboration& el_;
  TirDialect dialect_;
  TirScope scope_;
  ScalarElaborator scalars_;
  ir::PrimFunc func_;
  std::vector<ir::StmtRef>* sequence_ = nullptr;
  std::vector<OpenBlock> blocks_;
  absl::flat_hash_map<ir::PrimRef, Domain> loops_;
  absl::flat_hash_map<ir::PrimRef, std::string> threads_;
  absl::flat_hash_set<absl::string_view> reassigned_;
  int depth_ = 0;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_STMT_ELABORATOR_H_
