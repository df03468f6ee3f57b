// Defines the description of an operator. The operators are in ops/: one file per family, one line
// each in ops/op_list.def. An Op is data, so ir/ does not depend on ops/.
#ifndef LATHE_IR_OP_H_
#define LATHE_IR_OP_H_

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/tri.h"
#include "generator/support/diagnostics.h"

namespace lathe::ir {

// The kind of value a parameter takes, as spelled in the surface call.
enum class ParamKind {
  kExpr,    // any Relax expression; a bare number or bool stands for R.prim_value of it
  kConst,   // any Relax expression; a bare number stands for R.const of it
  kTuple,   // a tuple of expressions (a single expression is wrapped in one)
  kShape,   // a shape: R.shape([...]), a bare tuple of dimensions, a variable
  kPrim,    // a scalar: R.prim_value(1), a bare number
  kFunc,    // a function; a string stands for the R.ExternFunc of that name
  kString,  // attribute or StringImm argument
  kDType,   // attribute or DTypeImm argument; attribute "void" and "" stand for None
  kBool,
  kInt,
  kFloat,
  kInts,  // a list; a bare number stands for a list of one
  kFloats,
  kDevice,   // R.device(1, 0), R.cuda(0): an AttrObject "device" with device_type and index
  kVDevice,  // "cuda:0:global", a device of the module
  kAny,      // any attribute value
};

// A parameter of the surface call, in its order. A call in the IR has every attribute of its
// operator, with None or the default if the source omits it; trailing optional arguments without a
// default may be missing.
struct OpParam {
  std::string name;
  ParamKind kind = ParamKind::kExpr;
  bool attr = false;      // becomes an attribute; else an argument of the call
  int position = 0;       // among the arguments of the call, or among the attributes as printed
  bool variadic = false;  // *args: takes all further positional arguments
  bool keyword_only = false;
  bool optional = false;      // accepts None; if omitted: the default, or absent (None)
  bool omit_if_none = false;  // an attribute that is not printed if it is None
  bool has_default = false;
  AttrValue default_value;   // for an argument, an empty list is the empty tuple
  std::string default_from;  // the parameter whose value is the default: out_layout = layout
  int repeat = 0;     // a list of one (kInts, kFloats, kShape) stands for this many equal items
  bool pads = false;  // kInts: 1 or `repeat` / 2 numbers are expanded to `repeat`
};

// Where a surface call states the StructInfo of its results.
enum class SInfoArgs {
  kNone,
  kOut,   // call_tir(f, args, out_sinfo): last positional or out_sinfo= / out_ty=
  kList,  // call_packed(f, x, sinfo_args=...): keyword sinfo_args= / ty_args= only
};

// The interface of inference. `call` is in normal form; its operands have infos.
class InferContext {
 public:
  virtual ~InferContext() = default;
  virtual Context& ir() = 0;
  virtual const Module& module() const = 0;
  virtual StructInfoRef InfoOf(const Operand& operand) const = 0;
  // Formats the operand for messages: the variable's name, a shortened literal.
  virtual std::string Show(const Operand& operand) const = 0;
  virtual PrimRef Simplify(PrimRef e) = 0;
  virtual Tri ProveEqual(PrimRef a, PrimRef b) = 0;
  virtual Tri ProveLessEqual(PrimRef a, PrimRef b) = 0;
  // Returns whether `a` and `b` can be equal, as the call requires; `a` equal to `b` or 1; either 1
  // or both equal; `a` at most `b`; `a` different from `b`. If that is decided only at run time,
  // the condition is passed to RequireAtRunTime.
  bool CanEqual(PrimRef a, PrimRef b);
  bool CanEqualOrBeOne(PrimRef a, PrimRef b);
  bool CanBroadcast(PrimRef a, PrimRef b);
  bool CanBeAtMost(PrimRef a, PrimRef b);
  bool CanDiffer(PrimRef a, PrimRef b);
  // Reports an error or warning at the call.
  virtual DiagnosticBuilder Error(absl::string_view code) = 0;
  virtual DiagnosticBuilder Warning(absl::string_view code) = 0;

 private:
  bool CanBeAnEqualPair(std::initializer_list<std::pair<PrimRef, PrimRef>> pairs);
  virtual void RequireAtRunTime(PrimRef /*cond*/) {}
};
using InferFn = absl::StatusOr<StructInfoRef> (*)(InferContext&, const Call&);

// The interface of an operator's own normalisation.
class NormalizeContext {
 public:
  virtual ~NormalizeContext() = default;
  virtual Context& ir() = 0;
  virtual const Module& module() const = 0;
  virtual StructInfoRef InfoOf(const Operand& operand) const = 0;
  // Returns the right-hand side that binds `id`; null for parameters.
  virtual const Rhs* DefinitionOf(ValueId id) const = 0;
  // Binds `rhs` before the call and returns its variable.
  virtual ValueId Emit(Rhs rhs, absl::string_view name) = 0;
};
// Converts `call` to the operator's own normal form; returns true if it changed.
using NormalizeFn = bool (*)(NormalizeContext&, Call& call);

// The interface of ComputeFn. Shapes may be symbolic; dims are PrimRefs either way.
class ComputeContext {
 public:
  virtual ~ComputeContext() = default;
  virtual Context& ir() = 0;
  virtual StructInfoRef InfoOf(const Operand& operand) const = 0;
  virtual StructInfoRef ResultInfo() const = 0;
};
// Builds the operator as a PrimFunc in destination-passing style: a buffer for each tensor argument
// (tuples flattened), then one for each tensor of the result.
using ComputeFn = absl::StatusOr<PrimFunc> (*)(ComputeContext&, const Call&);

struct Op {
  std::string name;  // "relax.nn.softmax"
  std::vector<OpParam> params;
  SInfoArgs sinfo_args = SInfoArgs::kNone;
  bool pure = true;                 // FPurity
  InferFn infer = nullptr;          // FInferStructInfo; null: ObjectInfo
  NormalizeFn normalize = nullptr;  // null: none
  ComputeFn compute = nullptr;      // null: see `without_compute`
  std::string without_compute;      // the reason: "a view", "an effect", "an external call"
};

}  // namespace lathe::ir

#endif  // LATHE_IR_OP_H_
