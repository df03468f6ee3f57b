// What an operator is. The operators themselves are ops/: one file a family, one line each in
// ops/op_list.def. An Op is data, so ir/ need not know ops/.
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

// What kind of thing a parameter takes, as the surface call spells it.
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
  kAny,      // whatever attribute value is written
};

// One parameter of the surface call, in its order. A call in the IR has every attribute of its
// operator, None or default where the text says nothing; of the arguments, optional ones without a
// default may be missing, from the end.
struct OpParam {
  std::string name;
  ParamKind kind = ParamKind::kExpr;
  bool attr = false;      // becomes an attribute; else an argument of the call
  int position = 0;       // among the arguments of the call, or among the attributes as printed
  bool variadic = false;  // *args: takes all further positional arguments
  bool keyword_only = false;
  bool optional = false;      // takes None; may be left out: then the default, or absent (None)
  bool omit_if_none = false;  // an attribute that is not printed while it is None
  bool has_default = false;
  AttrValue default_value;   // for an argument, an empty list is the empty tuple
  std::string default_from;  // the parameter whose value is the default: out_layout = layout
  int repeat = 0;            // a list of one (kInts, kFloats, kShape) stands for this many alike
  bool pads = false;         // kInts: 1 or `repeat` / 2 numbers are completed to `repeat`
};

// Where a surface call writes the StructInfo of its results.
enum class SInfoArgs {
  kNone,
  kOut,   // call_tir(f, args, out_sinfo): last positional or out_sinfo= / out_ty=
  kList,  // call_packed(f, x, sinfo_args=...): keyword sinfo_args= / ty_args= only
};

// What inference may ask. `call` is in normal form; its operands have their infos.
class InferContext {
 public:
  virtual ~InferContext() = default;
  virtual Context& ir() = 0;
  virtual const Module& module() const = 0;
  virtual StructInfoRef InfoOf(const Operand& operand) const = 0;
  // The operand as text, for messages: the variable's name, a shortened literal.
  virtual std::string Show(const Operand& operand) const = 0;
  virtual PrimRef Simplify(PrimRef e) = 0;
  virtual Tri ProveEqual(PrimRef a, PrimRef b) = 0;
  virtual Tri ProveLessEqual(PrimRef a, PrimRef b) = 0;
  // Whether the two can be equal, as the call needs them to be; or the first can be 1; or either;
  // whether the first can be at most the second; whether they can differ. Where that shows only
  // when it runs, NeedWhenRun hears what must hold.
  bool CanEqual(PrimRef a, PrimRef b);
  bool CanEqualOrBeOne(PrimRef a, PrimRef b);
  bool CanBroadcast(PrimRef a, PrimRef b);
  bool CanBeAtMost(PrimRef a, PrimRef b);
  bool CanDiffer(PrimRef a, PrimRef b);
  // An error, or a warning, placed at the call.
  virtual DiagnosticBuilder Error(absl::string_view code) = 0;
  virtual DiagnosticBuilder Warning(absl::string_view code) = 0;

 private:
  bool CanBeAnEqualPair(std::initializer_list<std::pair<PrimRef, PrimRef>> pairs);
  virtual void NeedWhenRun(PrimRef /*cond*/) {}
};
using InferFn = absl::StatusOr<StructInfoRef> (*)(InferContext&, const Call&);

// What an operator's own normalisation may do.
class NormalizeContext {
 public:
  virtual ~NormalizeContext() = default;
  virtual Context& ir() = 0;
  virtual const Module& module() const = 0;
  virtual StructInfoRef InfoOf(const Operand& operand) const = 0;
  // The right-hand side that binds `id`, or null for parameters.
  virtual const Rhs* DefinitionOf(ValueId id) const = 0;
  // Binds `rhs` before the call and gives its variable.
  virtual ValueId Emit(Rhs rhs, absl::string_view name) = 0;
};
// Brings `call` into the operator's own normal form; true when it had to change.
using NormalizeFn = bool (*)(NormalizeContext&, Call& call);

// What computing as a loop nest may ask. Shapes may be symbolic; the dims are PrimRefs either way.
class ComputeContext {
 public:
  virtual ~ComputeContext() = default;
  virtual Context& ir() = 0;
  virtual StructInfoRef InfoOf(const Operand& operand) const = 0;
  virtual StructInfoRef ResultInfo() const = 0;
};
// The operator as a PrimFunc in destination-passing style: a buffer for each tensor argument
// (tuples flattened), then one for each tensor of the result.
using ComputeFn = absl::StatusOr<PrimFunc> (*)(ComputeContext&, const Call&);

struct Op {
  std::string name;  // "relax.nn.softmax"
  std::vector<OpParam> params;
  SInfoArgs sinfo_args = SInfoArgs::kNone;
  bool pure = true;                 // FPurity
  InferFn infer = nullptr;          // FInferStructInfo; null: ObjectInfo
  NormalizeFn normalize = nullptr;  // null: none of its own
  ComputeFn compute = nullptr;      // null: see `without_compute`
  std::string without_compute;      // why: "a view", "an effect", "an external call"
};

}  // namespace lathe::ir

#endif  // LATHE_IR_OP_H_
