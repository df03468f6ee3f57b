#include "generator/interp/kernel/compile_stmt.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/thread_returns.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/view_steps.h"

namespace lathe::interp {
namespace {

using ir::BinaryOp;
using ir::DType;
using ir::PrimRef;
using ir::StmtRef;

}  // namespace

void StmtCompiler::CompileBody(StmtRef body) {
  if (const auto found = analysis::FindSyncAfterReturn(body)) {
    const StmtRef outer = b_.SetOrigin(found->sync);
    b_.Unsupported(
        "run-unsupported-statement",
        absl::StrCat("a thread may have returned at ", analysis::DescribeReturn(found->end),
                     " before this point, where all threads must synchronize; ",
                     analysis::kSupportedThreadReturns));
    b_.SetOrigin(outer);
  } else if (body != nullptr) {
    Compile(body);
  }
  for (uint32_t jump : returns_) b_.at(jump).a = b_.here();
  b_.Emit({EndStep});
}

void StmtCompiler::Sequence(Stmts stmts) {
  CodeBuilder::Scope scope(b_);
  for (size_t n = 0; n < stmts.size() && !b_.too_large(); ++n) {
    const auto* attr = stmts[n]->As<ir::AttrStmt>();
    if (attr != nullptr && attr->body == nullptr) {
      const StmtRef outer = b_.SetOrigin(stmts[n]);
      Attr(*attr, stmts.subspan(n + 1));
      b_.SetOrigin(outer);
      return;
    }
    Compile(stmts[n]);
  }
}

// Statements without a body bind names in the open scope, that of their sequence.
void StmtCompiler::Compile(StmtRef s) {
  CodeBuilder::Nesting nesting(b_);
  if (b_.too_large() || !nesting.ok()) return;
  const StmtRef outer = b_.SetOrigin(s);
  const auto body_of = [&](StmtRef body) {
    if (body != nullptr) Sequence({&body, 1});
  };
  Match(
      s->node(), [&](const ir::SeqStmt& n) { Sequence(n.stmts); },
      [&](const ir::ForStmt& n) { For(n); }, [&](const ir::BlockStmt& n) { Block(n); },
      [&](const ir::StoreStmt& n) { CompileStore(b_, n.buffer, n.indices, n.value, n.predicate); },
      [&](const ir::LetStmt& n) {
        const Lanes value = CompileExpr(b_, n.value);
        if (n.body == nullptr) {
          b_.Bind(n.var, value);
          return;
        }
        CodeBuilder::Scope scope(b_);
        b_.Bind(n.var, value);
        body_of(n.body);
      },
      [&](const ir::IfStmt& n) { If(n); }, [&](const ir::WhileStmt& n) { While(n); },
      [&](const ir::AllocStmt& n) {
        if (n.body == nullptr) {
          Allocate(n);
          return;
        }
        CodeBuilder::Scope scope(b_);
        const size_t outside = local_.size();
        Allocate(n);
        body_of(n.body);
        local_.resize(std::min(outside, local_.size()));
      },
      [&](const ir::DeclBufferStmt& n) {
        if (n.body == nullptr) {
          Declare(n.buffer);
          return;
        }
        CodeBuilder::Scope scope(b_);
        Declare(n.buffer);
        body_of(n.body);
      },
      [&](const ir::AttrStmt& n) {
        if (n.body != nullptr) Attr(n, {&n.body, 1});
      },
      [&](const ir::AssertStmt& n) {
        Assert(n);
        body_of(n.body);
      },
      [&](const ir::EvaluateStmt& n) { Evaluate(n); },
      [&](const ir::ReturnStmt& n) { Return(n.value); },
      [&](const ir::BreakStmt&) {
        if (loops_.empty()) {
          b_.Error("run-malformed-program", "'break' outside a loop");
        } else {
          loops_.back().breaks.push_back(b_.Emit({JumpStep}));
        }
      },
      [&](const ir::ContinueStmt&) {
        if (loops_.empty()) {
          b_.Error("run-malformed-program", "'continue' outside a loop");
        } else {
          loops_.back().continues.push_back(b_.Emit({JumpStep}));
        }
      });
  b_.SetOrigin(outer);
}

void StmtCompiler::For(const ir::ForStmt& s) {
  const bool binds = s.kind == ir::LoopKind::kThreadBinding && s.step == nullptr;
  if (binds && ReuseThreads(s)) return;
  const Reg min = CompileScalarExpr(b_, s.min);
  const Reg extent = CompileScalarExpr(b_, s.extent);
  const Reg step = s.step == nullptr ? b_.ConstantReg(1) : CompileScalarExpr(b_, s.step);
  const Threads loop{s.var, min, extent, s.thread};
  if (binds) {
    launched_[s.thread] = s.var;
    RunThreads(loop, {&s.body, 1});
    launched_.erase(s.thread);
  } else {
    SerialLoop(loop, step, {&s.body, 1});
  }
}

void StmtCompiler::SerialLoop(const Threads& loop, Reg step, Stmts stmts) {
  const DType t = loop.var->dtype();
  if (TrapsOnDType(b_, t)) return;
  const Reg counter = b_.NewRegs(3);
  const Reg var = b_.NewReg();
  b_.Emit({MoveStep, counter + 2, step});
  Instr enter{LoopEnterStep, var, counter, loop.min, loop.extent};
  enter.type = t;
  b_.Emit(enter);
  const uint32_t to_end = b_.Emit({JumpStep});
  const uint32_t start = b_.here();
  loops_.emplace_back();
  loops_.back().over_threads = analysis::IsGridThread(loop.tag);
  {
    CodeBuilder::Scope scope(b_);
    b_.Bind(loop.var, {var});
    Sequence(stmts);
  }
  for (uint32_t jump : loops_.back().continues) b_.at(jump).a = b_.here();
  Instr next{LoopNextStep, var, counter, start};
  next.type = t;
  b_.Emit(next);
  b_.at(to_end).a = b_.here();
  for (uint32_t jump : loops_.back().breaks) b_.at(jump).a = b_.here();
  loops_.pop_back();
}

void StmtCompiler::While(const ir::WhileStmt& s) {
  const uint32_t start = b_.here();
  const Reg cond = CompileScalarExpr(b_, s.cond);
  const uint32_t to_end = b_.Emit({JumpIfFalseStep, 0, cond});
  loops_.emplace_back();
  Sequence({&s.body, 1});
  for (uint32_t jump : loops_.back().continues) b_.at(jump).a = b_.here();
  b_.Emit({BackJumpStep, 0, start});
  b_.at(to_end).b = b_.here();
  for (uint32_t jump : loops_.back().breaks) b_.at(jump).a = b_.here();
  loops_.pop_back();
}

void StmtCompiler::If(const ir::IfStmt& s) {
  const uint32_t to_else = b_.Emit({JumpIfFalseStep, 0, CompileScalarExpr(b_, s.cond)});
  Sequence({&s.then_case, 1});
  if (s.else_case == nullptr) {
    b_.at(to_else).b = b_.here();
    return;
  }
  const uint32_t to_end = b_.Emit({JumpStep});
  b_.at(to_else).b = b_.here();
  Sequence({&s.else_case, 1});
  b_.at(to_end).a = b_.here();
}

void StmtCompiler::Allocate(const ir::AllocStmt& s) {
  if (s.condition == nullptr) {
    AllocateBuffer(s.buffer);
  } else {
    const uint32_t skip = b_.Emit({JumpIfFalseStep, 0, CompileScalarExpr(b_, s.condition)});
    AllocateBuffer(s.buffer);
    b_.at(skip).b = b_.here();
  }
  NoteLocal(s.buffer);
  if (!s.constant) return;
  std::vector<Bits> values;
  for (PrimRef e : *s.constant) {
    if (const auto* whole = e->As<ir::IntImm>()) {
      values.push_back(CastBits(e->dtype(), FromInt64(e->dtype(), whole->value), s.buffer->dtype));
    } else if (const auto* real = e->As<ir::FloatImm>()) {
      values.push_back(FromDouble(s.buffer->dtype, real->value));
    }
  }
  b_.code().constants.push_back(std::move(values));
  Instr fill{FillConstantStep, 0, b_.code().memories - 1,
             static_cast<uint32_t>(b_.code().constants.size() - 1)};
  fill.type = s.buffer->dtype.element();
  b_.Emit(fill);
}

void StmtCompiler::NoteLocal(ir::BufferRef buffer) {
  if (absl::string_view(buffer->scope).substr(0, 5) == "local") {
    local_.push_back(b_.code().memories - 1);
  }
}

void StmtCompiler::AllocateBuffer(ir::BufferRef buffer) {
  if (TrapsOnDType(b_, buffer->dtype)) return;
  std::vector<uint32_t> dims;
  for (PrimRef dim : buffer->shape) dims.push_back(CompileScalarExpr(b_, dim));
  if (buffer->strides.size() == dims.size() && !dims.empty()) {
    // A strided buffer needs memory up to its last element.
    const DType t = DType::Int(64);
    Reg last = b_.ConstantReg(1);
    for (size_t d = 0; d < dims.size(); ++d) {
      const Reg steps = EmitBinary(b_, BinaryOp::kSub, t, dims[d], b_.ConstantReg(1));
      const Reg stride = CompileScalarExpr(b_, buffer->strides[d]);
      last =
          EmitBinary(b_, BinaryOp::kAdd, t, last, EmitBinary(b_, BinaryOp::kMul, t, steps, stride));
    }
    dims = {last};
  }
  Lanes data = {b_.NewReg()};
  const bool shared = absl::string_view(buffer->scope).substr(0, 6) == "shared";
  Instr allocate{shared ? AllocateSharedStep : AllocateStep, data[0], b_.code().memories++,
                 b_.AddOperands(dims), static_cast<uint32_t>(dims.size())};
  allocate.type = buffer->dtype.with_lanes(LaneCount(buffer->dtype));
  b_.Emit(allocate);
  b_.Bind(buffer->data, std::move(data));
  Declare(buffer);
}

void StmtCompiler::Declare(ir::BufferRef buffer) {
  if (TrapsOnDType(b_, buffer->dtype)) return;
  const Lanes* data = b_.Find(buffer->data);
  if (data == nullptr) {
    // A declaration without a data pointer allocates memory.
    AllocateBuffer(buffer);
    NoteLocal(buffer);
    return;
  }
  if (buffer->layout != nullptr) {
    b_.Unsupported(
        "run-unsupported-statement",
        absl::StrCat("'", buffer->name, "' has a tiled layout; supported: row-major buffers"));
    return;
  }
  const uint32_t view = b_.NewView(*buffer);
  EmitBindView(b_, *buffer, view, (*data)[0]);
  b_.BindBuffer(buffer, view);
}

void StmtCompiler::Assert(const ir::AssertStmt& s) {
  const Reg cond = CompileScalarExpr(b_, s.cond);
  const std::string text = absl::StrJoin(s.messages, "");
  const std::string message =
      absl::StrCat("assertion failed", s.kind.empty() ? "" : " (", s.kind,
                   s.kind.empty() ? "" : ")", text.empty() ? "" : ": ", text);
  b_.Emit(
      {TrapIfFalseStep, 0, cond, b_.AddTrap(Blame::kMalformed, "run-assertion-failed", message)});
}

// In loops over threads it ends the thread: the iteration when threads run serially.
void StmtCompiler::Return(PrimRef value) {
  for (size_t n = loops_.size(); n-- > 0;) {
    if (!loops_[n].over_threads) continue;
    loops_[n].continues.push_back(b_.Emit({JumpStep}));
    return;
  }
  if (!forks_.empty()) {
    b_.Emit({EndStep});
    return;
  }
  if (value != nullptr) {
    Code& code = b_.code();
    const Reg result = CompileScalarExpr(b_, value);
    if (code.result == kNone) {
      code.result = b_.NewReg();
      code.result_dtype = value->dtype();
    }
    b_.Emit({MoveStep, code.result, EmitCast(b_, value->dtype(), code.result_dtype, result)});
  }
  returns_.push_back(b_.Emit({JumpStep}));
}

void StmtCompiler::Evaluate(const ir::EvaluateStmt& s) {
  const auto* call = s.value->As<ir::Intrinsic>();
  if (call == nullptr) {
    const bool nothing = s.value->As<ir::StringImm>() != nullptr ||
                         s.value->As<ir::RegionArg>() != nullptr ||
                         s.value->As<ir::CommReducer>() != nullptr;
    if (!nothing) CompileExpr(b_, s.value);
    return;
  }
  const ir::Intrinsic& n = *call;
  if (n.name == "ret") {
    Return(n.args.empty() ? nullptr : n.args[0]);
  } else if (n.name == "break_loop" && !loops_.empty()) {
    loops_.back().breaks.push_back(b_.Emit({JumpStep}));
  } else if (n.name == "continue_loop" && !loops_.empty()) {
    loops_.back().continues.push_back(b_.Emit({JumpStep}));
  } else if (n.name == "thread_return") {
    Return(nullptr);
  } else if (n.name == "tvm_thread_allreduce") {
    Allreduce(n);
  } else {
    CompileExpr(b_, s.value);
  }
}

}  // namespace lathe::interp
