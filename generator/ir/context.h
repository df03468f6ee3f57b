// Owns the interned objects of a compilation: scalar expressions, structural information, devices;
// and the loop nests (tir.h), which are immutable but not interned. One per compilation; there is
// no global state.
#ifndef LATHE_IR_CONTEXT_H_
#define LATHE_IR_CONTEXT_H_

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Scalars.
  PrimRef Make(DType dtype, PrimExpr::Node node);
  PrimRef Int(int64_t value, DType dtype = DType::Int(64)) { return Make(dtype, IntImm{value}); }
  PrimRef Float(double value, DType dtype) { return Make(dtype, FloatImm{value}); }
  PrimRef Bool(bool value) { return Make(DType::Bool(), IntImm{value ? 1 : 0}); }
  PrimRef String(absl::string_view value) {
    return Make(DType::Handle(), StringImm{std::string(value)});
  }
  PrimRef NewVar(absl::string_view name, DType dtype = DType::Int(64));
  // A fresh variable of the same name and kind.
  PrimRef NewVarLike(PrimRef var);
  // A variable is a size, checked where it is bound and never negative, unless it is signed: the
  // value of an R.Prim or a scalar argument of a PrimFunc, which may be negative.
  void MakeSigned(PrimRef var) { signed_.insert(var); }
  bool IsSigned(PrimRef var) const { return signed_.contains(var); }
  PrimRef NewPointer(absl::string_view name, DType pointee, absl::string_view scope);
  // The result has the dtype of `lhs`, for comparisons bool with its lanes. Callers promote
  // operands first.
  PrimRef Make(BinaryOp op, PrimRef lhs, PrimRef rhs);
  PrimRef Make(UnaryOp op, PrimRef value);
  PrimRef MakeCast(DType dtype, PrimRef value);  // returns `value` if it has that dtype
  PrimRef MakeSelect(PrimRef cond, PrimRef if_true, PrimRef if_false);
  // Scalar indices load one element; a vector index loads its lanes.
  PrimRef MakeLoad(BufferRef buffer, std::vector<PrimRef> indices, PrimRef predicate = nullptr);
  PrimRef MakeIntrinsic(DType dtype, absl::string_view name, std::vector<PrimRef> args);

  // Structural information.
  StructInfoRef Make(StructInfo::Node node);
  StructInfoRef Object() { return Make(StructInfo::Node(ObjectInfo{})); }
  StructInfoRef Prim(DType dtype, PrimRef value = nullptr) {
    return Make(StructInfo::Node(PrimInfo{dtype, value}));
  }
  StructInfoRef Shape(std::vector<PrimRef> values);
  StructInfoRef Shape(int ndim) { return Make(StructInfo::Node(ShapeInfo{ndim, std::nullopt})); }
  StructInfoRef Tensor(std::vector<PrimRef> dims, DType dtype, VDeviceRef vdevice = nullptr);
  StructInfoRef Tensor(int ndim, DType dtype, VDeviceRef vdevice = nullptr);
  StructInfoRef Tuple(std::vector<StructInfoRef> fields) {
    return Make(StructInfo::Node(TupleInfo{std::move(fields)}));
  }
  VDeviceRef Make(VDevice device);

  // Loop nests.
  StmtRef Make(Stmt::Node node, Location loc);
  BufferRef NewBuffer(Buffer buffer);

 private:
  struct Hash {
    size_t operator()(PrimRef e) const;
    size_t operator()(StructInfoRef s) const;
  };
  struct Equal {
    bool operator()(PrimRef a, PrimRef b) const { return *a == *b; }
    bool operator()(StructInfoRef a, StructInfoRef b) const { return *a == *b; }
  };

  std::deque<PrimExpr> exprs_;
  absl::flat_hash_set<PrimRef, Hash, Equal> interned_exprs_;
  std::deque<StructInfo> infos_;
  absl::flat_hash_set<StructInfoRef, Hash, Equal> interned_infos_;
  std::deque<VDevice> devices_;
  std::deque<Stmt> stmts_;
  std::deque<Buffer> buffers_;
  absl::flat_hash_set<PrimRef> signed_;
  int next_var_ = 0;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_CONTEXT_H_
