// Defines loop nests: the bodies of PrimFuncs, whether written by a user or computed for an
// operator.
//
// Statements are immutable and owned by a Context, but not interned, since each has its own
// location. A pass is StmtRef f(Context&, StmtRef) and returns its argument if nothing changed.
#ifndef LATHE_IR_TIR_H_
#define LATHE_IR_TIR_H_

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ir/dtype.h"
#include "generator/ir/prim_expr.h"
#include "generator/support/source.h"

namespace lathe::ir {

class Stmt;
using StmtRef = const Stmt*;  // never null, unless a field says so

// A view of memory. Buffers are compared by identity.
struct Buffer {
  std::string name;
  PrimRef data = nullptr;  // the data pointer; set in every complete buffer
  DType dtype;
  std::vector<PrimRef> shape;
  std::vector<PrimRef> strides;   // empty: compact, row-major
  PrimRef elem_offset = nullptr;  // null: zero
  std::string scope = "global";
  int64_t align = 0;  // bytes; 0: natural
  int64_t offset_factor = 0;
  std::vector<int> axis_separators;
  bool auto_broadcast = false;  // buffer_type="auto": a dimension of 1 may be read at any index
  // The layout of a tile over threads and memory: a name such as "PF" or a call such as
  // T.TileLayout(...).
  PrimRef layout = nullptr;             // null: row-major
  std::vector<PrimRef> allocated_addr;  // address assigned by a planner; empty: none
  Location loc;
  int id = -1;  // the order of creation in the Context, which sets it: buffers have identity
};

struct BufferRegion {
  BufferRef buffer = nullptr;
  std::vector<PrimRef> mins;
  std::vector<PrimRef> extents;
};

enum class LoopKind { kSerial, kParallel, kVectorized, kUnrolled, kThreadBinding };
enum class AxisKind { kSpatial, kReduce, kScan, kOpaque };

struct SeqStmt {
  std::vector<StmtRef> stmts;
};
struct ForStmt {
  PrimRef var = nullptr;
  PrimRef min = nullptr;
  PrimRef extent = nullptr;
  PrimRef step = nullptr;  // null: 1
  LoopKind kind = LoopKind::kSerial;
  std::string thread;  // "threadIdx.x", for kThreadBinding
  AttrMap annotations;
  StmtRef body = nullptr;
};
struct BlockAxis {
  AxisKind kind;
  PrimRef var = nullptr;
  PrimRef min = nullptr;
  PrimRef extent = nullptr;
  PrimRef binding = nullptr;  // the value from the surrounding loops; null for an unrealised block
};
struct BlockMatch {  // C = T.match_buffer(A[...], ...): `buffer` is a view of `source`
  BufferRef buffer = nullptr;
  BufferRegion source;
};
struct BlockStmt {
  std::string name;
  std::vector<BlockAxis> axes;
  // The declared reads and writes; nothing if undeclared.
  std::optional<std::vector<BufferRegion>> reads;
  std::optional<std::vector<BufferRegion>> writes;
  PrimRef predicate = nullptr;  // T.where; null: always
  StmtRef init = nullptr;       // runs when all reduce axes are at their start; null: none
  std::vector<BufferRef> allocs;
  std::vector<BlockMatch> matches;
  AttrMap annotations;
  bool realized = true;  // false: no_realize=True, the axes are bound by the caller
  StmtRef body = nullptr;
};
struct StoreStmt {
  BufferRef buffer = nullptr;
  std::vector<PrimRef> indices;
  PrimRef value = nullptr;
  PrimRef predicate = nullptr;  // null: every lane
};
// Binds an immutable scalar for the rest of the enclosing sequence or, if `body` is set (with
// T.LetStmt(...)), for the body.
struct LetStmt {
  PrimRef var = nullptr;
  PrimRef value = nullptr;
  StmtRef body = nullptr;
};
struct IfStmt {
  PrimRef cond = nullptr;
  StmtRef then_case = nullptr;
  StmtRef else_case = nullptr;  // null: none
};
struct WhileStmt {
  PrimRef cond = nullptr;
  StmtRef body = nullptr;
};
// Allocates memory for the rest of the enclosing sequence or for `body`; `buffer` covers all of it.
// A program that allocates a bare pointer (classic T.allocate) uses only the buffer's `data`.
struct AllocStmt {
  BufferRef buffer = nullptr;
  AttrMap annotations;
  PrimRef condition = nullptr;                   // null: always
  std::optional<std::vector<PrimRef>> constant;  // T.allocate_const: its elements
  StmtRef body = nullptr;
};
// Declares another view of existing memory or, if nothing defines its `data`, of external memory;
// scoped like AllocStmt.
struct DeclBufferStmt {
  BufferRef buffer = nullptr;
  StmtRef body = nullptr;
};
// T.attr(node, key, value). T.launch_thread is the key "thread_extent" (or "virtual_thread") on an
// object "iter_var" with the fields var, kind "ThreadIndex" and thread "threadIdx.x"; scope ids
// such as T.cta_id([2]) are described in scope_id.h.
struct AttrStmt {
  AttrValue node;
  BufferRef buffer = nullptr;  // set instead of `node` when it is a buffer
  std::string key;
  PrimRef value = nullptr;
  StmtRef body = nullptr;  // null: the rest of the sequence it is in
};
inline constexpr char kShapeError[] = "ShapeError";
inline constexpr char kMatchError[] = "MatchError";  // no clause covers a value
struct AssertStmt {
  PrimRef cond = nullptr;
  std::string kind;  // "RuntimeError", kShapeError, ...; empty if only a message was given
  std::vector<std::string> messages;
  StmtRef body = nullptr;  // null: the rest of the sequence it is in
};
struct EvaluateStmt {
  PrimRef value = nullptr;
};
struct ReturnStmt {
  PrimRef value = nullptr;  // null: nothing
};
struct BreakStmt {};
struct ContinueStmt {};

class Stmt {
 public:
  using Node = std::variant<SeqStmt, ForStmt, BlockStmt, StoreStmt, LetStmt, IfStmt, WhileStmt,
                            AllocStmt, DeclBufferStmt, AttrStmt, AssertStmt, EvaluateStmt,
                            ReturnStmt, BreakStmt, ContinueStmt>;

  Stmt(Node node, Location loc) : node_(std::move(node)), loc_(std::move(loc)) {}

  const Node& node() const { return node_; }
  const Location& loc() const { return loc_; }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }

 private:
  Node node_;
  Location loc_;
};

struct PrimParam {
  PrimRef var = nullptr;       // a scalar, or the handle that `buffer` reads through
  BufferRef buffer = nullptr;  // null: a scalar or a bare pointer
  Location loc;
};

struct PrimFunc {
  std::vector<PrimParam> params;
  std::optional<DType> ret;  // nothing: returns nothing
  // The body of the root block: if the function allocates at the top, or declares reads or writes
  // there, it is a BlockStmt named "root" without axes.
  StmtRef body = nullptr;
  AttrMap attrs;
  bool scheduled = true;  // s_tir=True: block-style code; true for every older dialect
  bool persistent = false;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_TIR_H_
