#include "generator/ops/te/statements.h"

#include <utility>

#include "generator/ops/te/scalar_math.h"
#include "generator/support/check.h"

namespace lathe::ops {

using ir::PrimRef;
using ir::StmtRef;

void Statements::Add(ir::Stmt::Node node) { stmts_.push_back(context_.Make(std::move(node), {})); }

PrimRef Statements::Let(absl::string_view name, PrimRef value) {
  PrimRef var = context_.NewVar(name, value->dtype());
  Add(ir::LetStmt{var, value});
  return var;
}

void Statements::Store(ir::BufferRef to, std::vector<PrimRef> indices, PrimRef value) {
  Add(ir::StoreStmt{to, std::move(indices), ScalarMath(context_).Cast(value, to->dtype)});
}

void Statements::Call(absl::string_view name, std::vector<PrimRef> args) {
  Add(ir::EvaluateStmt{context_.MakeIntrinsic(ir::DType::Int(32), name, std::move(args))});
}

void Statements::Need(PrimRef holds, absl::string_view why) {
  Add(ir::AssertStmt{holds, ir::kShapeError, {std::string(why)}});
}

void Statements::If(PrimRef cond, const std::function<void()>& body) {
  Add(ir::IfStmt{cond, Inside(body)});
}

void Statements::For(absl::string_view name, PrimRef extent,
                     const std::function<void(PrimRef)>& body) {
  ir::ForStmt loop;
  loop.var = context_.NewVar(name);
  loop.min = context_.Int(0);
  loop.extent = extent;
  loop.body = Inside([&] { body(loop.var); });
  Add(std::move(loop));
}

void Statements::While(PrimRef cond, const std::function<void()>& body) {
  Add(ir::WhileStmt{cond, Inside(body)});
}

StmtRef Statements::Inside(const std::function<void()>& body) {
  std::vector<StmtRef> outside = std::exchange(stmts_, {});
  body();
  StmtRef inside = Finish();
  stmts_ = std::move(outside);
  return inside;
}

StmtRef Statements::Finish() {
  LATHE_CHECK(!stmts_.empty(), "at least one statement");
  if (stmts_.size() == 1) return std::exchange(stmts_, {})[0];
  return context_.Make(ir::Stmt::Node(ir::SeqStmt{std::exchange(stmts_, {})}), {});
}

}  // namespace lathe::ops
