// Compiles statements to steps.
#ifndef LATHE_INTERP_KERNEL_COMPILE_STMT_H_
#define LATHE_INTERP_KERNEL_COMPILE_STMT_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

class StmtCompiler {
 public:
  explicit StmtCompiler(CodeBuilder& b) : b_(b) {}

  // Compiles the body of a function. The returned value becomes the result of the code.
  void CompileBody(ir::StmtRef body);

 private:
  using Stmts = absl::Span<const ir::StmtRef>;
  // Jumps out of a loop, to be patched.
  struct Loop {
    std::vector<uint32_t> breaks;
    std::vector<uint32_t> continues;
    bool over_threads = false;  // a loop over the threads of a grid
  };
  // The threads of a thread-bound loop or launch attribute.
  struct Threads {
    ir::PrimRef var;
    Reg min;
    Reg extent;
    std::string tag;
  };

  void Compile(ir::StmtRef s);
  void Sequence(Stmts stmts);
  void For(const ir::ForStmt& s);
  void While(const ir::WhileStmt& s);
  void If(const ir::IfStmt& s);
  void Block(const ir::BlockStmt& s);
  void BlockInit(const ir::BlockStmt& s);
  void MatchRegion(const ir::BlockMatch& m);
  void Allocate(const ir::AllocStmt& s);
  void AllocateBuffer(ir::BufferRef buffer);
  // Records that the last allocation, if local, is private to each thread of the launches inside.
  void NoteLocal(ir::BufferRef buffer);
  void Declare(ir::BufferRef buffer);
  void Assert(const ir::AssertStmt& s);
  void Evaluate(const ir::EvaluateStmt& s);
  void Return(ir::PrimRef value);

  // Compiles an attribute, which covers `stmts`: its body, or the rest of its sequence.
  void Attr(const ir::AttrStmt& s, Stmts stmts);
  void SerialLoop(const Threads& loop, Reg step, Stmts stmts);
  void RunThreads(const Threads& threads, Stmts stmts);
  bool ReuseThreads(const ir::ForStmt& s);
  bool CompileRelaunch(ir::PrimRef var, const std::string& tag, Stmts stmts);
  void Allreduce(const ir::Intrinsic& n);
  uint32_t OtherAxes(absl::Span<const ir::PrimRef> reduced) const;

  CodeBuilder& b_;
  std::vector<Loop> loops_;
  std::vector<uint32_t> returns_;
  std::vector<const ir::CommReducer*> reducers_;  // of the enclosing "reduce_scope" attributes
  std::map<std::string, ir::PrimRef> launched_;   // variables of the enclosing launches, by tag
  std::vector<uint32_t> local_;  // slots of local memory allocated by the enclosing statements
  std::vector<std::pair<Reg, uint32_t>> forks_;  // variables of concurrent threads, with axes
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_STMT_H_
