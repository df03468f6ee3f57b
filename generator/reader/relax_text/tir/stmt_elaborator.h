// Where the statements of one PrimFunc are put together. The statements themselves are elsewhere,
// one family a file; elaborate_stmt.h knows them all.
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

// A T.block that is being read, or the root of the function.
struct OpenBlock {
  ir::BlockStmt block;
  bool is_root = false;
  TextSpan span;
};

// What a function of T does that is a statement and has a value: p = T.allocate(...).
struct TirFrame {
  ScalarValue value;
  // The statement, with a body (with ... as p:) or for the rest of the sequence (null). Null: there
  // is no statement to it.
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

  // Appends to the sequence being read.
  void Emit(ir::Stmt::Node node, const TextSpan& span);
  void EmitMade(ir::StmtRef stmt) { sequence_->push_back(stmt); }

  // The statements of `body` in a scope of their own, as one statement. `before` runs in that scope
  // first. Problems are in the diagnostics; the statement is usable all the same.
  ir::StmtRef Body(ast::Block body, const std::function<void()>& before = nullptr);
  // The statements that `fill` emits, as one.
  ir::StmtRef Sequence(const std::function<void()>& fill, const TextSpan& span);

  // Binds the names in `target` to `value`: a name, or a tuple of names to a tuple. Fails after a
  // diagnostic, with all names bound to nothing.
  absl::Status BindTarget(const ast::Expr& target, const ScalarValue& value);
  void BindFailed(const ast::Expr& target);

  std::vector<OpenBlock>& blocks() { return blocks_; }
  OpenBlock& block() { return blocks_.back(); }

  // The loops around: what their variables range over.
  struct Domain {
    ir::PrimRef min;
    ir::PrimRef extent;
  };
  absl::flat_hash_map<ir::PrimRef, Domain>& loops() { return loops_; }

  // Threads made by T.env_thread: what each variable stands for.
  absl::flat_hash_map<ir::PrimRef, std::string>& threads() { return threads_; }

  // Names that are assigned more than once in the function: they must be mutable.
  absl::flat_hash_set<absl::string_view>& reassigned() { return reassigned_; }

  // Loops and other statements one inside the other.
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
