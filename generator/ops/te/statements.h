// Builds a sequence of statements, for computations that depend on earlier ones and cannot be
// written per element.
//
//   te.Run("choose", {batch}, [&](Statements& s, const Indices& row) {
//     s.For("k", boxes, [&](PrimRef k) {
//       s.If(better(k), [&] { s.Store(best, row, k); });
//     });
//   });
#ifndef LATHE_OPS_TE_STATEMENTS_H_
#define LATHE_OPS_TE_STATEMENTS_H_

#include <functional>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ops {

class Statements {
 public:
  explicit Statements(ir::Context& context) : context_(context) {}
  ir::Context& context() { return context_; }

  // Binds the value at this point; later stores do not change it.
  ir::PrimRef Let(absl::string_view name, ir::PrimRef value);
  void Store(ir::BufferRef to, std::vector<ir::PrimRef> indices, ir::PrimRef value);
  // Calls an operation for its effects.
  void Call(absl::string_view name, std::vector<ir::PrimRef> args);
  // Asserts a condition; when it fails, no later statement runs. `why` is the message.
  void Need(ir::PrimRef holds, absl::string_view why);
  void If(ir::PrimRef cond, const std::function<void()>& body);
  void For(absl::string_view name, ir::PrimRef extent,
           const std::function<void(ir::PrimRef)>& body);
  // Repeats while the condition holds. The caller guarantees that it ends.
  void While(ir::PrimRef cond, const std::function<void()>& body);

  // Returns all statements; at least one must have been added.
  ir::StmtRef Finish();

 private:
  ir::StmtRef Inside(const std::function<void()>& body);
  void Add(ir::Stmt::Node node);

  ir::Context& context_;
  std::vector<ir::StmtRef> stmts_;
};

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_STATEMENTS_H_
