// Defines the graph IR: a module of functions, each a list of blocks of bindings, in Relax's normal
// form.
//
//   with R.dataflow():                       Block{dataflow}
//       lv0 = R.nn.conv2d(x, w)              Binding{lv0, Call}
//
// An operand is a leaf, never a nested expression, so passes need not handle nesting; readers
// flatten it. A Module can represent programs that break other rules of the language, so that
// analysis/well_formed/well_formed can report them.
#ifndef LATHE_IR_MODULE_H_
#define LATHE_IR_MODULE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"
#include "generator/ir/tir.h"
#include "generator/support/ids.h"
#include "generator/support/match.h"
#include "generator/support/source.h"

namespace lathe::ir {

struct Op;  // op.h

using GlobalId = Id<struct GlobalTag>;
using ConstantId = Id<struct ConstantTag>;

// A Relax variable, however it is bound.
struct Value {
  std::string name;                    // a hint; printing makes it unique
  bool dataflow = false;               // a DataflowVar
  StructInfoRef annotation = nullptr;  // as written; null: none
  StructInfoRef info = nullptr;        // filled by analysis/derive/derive_struct_info; null before
  Location loc;                        // of the name
  Location annotation_loc;
};

struct Constant {
  DType dtype;
  std::vector<int64_t> shape;
  // Row-major, little-endian, elements under a byte packed.
  std::shared_ptr<const std::vector<uint8_t>> bytes;
};

// Leaf operands.
struct ShapeExpr {
  std::vector<PrimRef> values;
};
struct PrimValue {
  PrimRef value = nullptr;
};
struct DTypeImm {
  DType dtype;
};
struct ExternFunc {
  std::string name;
  StructInfoRef info = nullptr;  // R.ExternFunc("f", R.Callable(...)); null: the default
};
struct Operand;
struct TupleExpr {
  std::vector<Operand> fields;
};
struct Operand {
  using Node = std::variant<ValueId, ConstantId, ShapeExpr, PrimValue, StringImm, DTypeImm,
                            TupleExpr, GlobalId, ExternFunc>;
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
  template <typename T>
  T* As() {
    return std::get_if<T>(&node);
  }
};

// Right-hand sides.
struct Call {
  using Callee = std::variant<const Op*, ValueId, GlobalId, ExternFunc>;
  Callee callee;
  std::vector<Operand> args;
  AttrMap attrs;
  std::vector<StructInfoRef> sinfo_args;
  Location sinfo_loc;

  const Op* op() const {
    const auto* op = std::get_if<const Op*>(&callee);
    return op == nullptr ? nullptr : *op;
  }
};
struct GetField {
  Operand tuple;
  int index = 0;
};
struct MatchCast {
  Operand value;
  StructInfoRef info = nullptr;
  Location info_loc;
};
struct Block;
struct Body {
  std::vector<Block> blocks;  // consolidated: no empty blocks, no two adjacent ones of one kind
  Operand result;
  Location result_loc;
};
struct If {
  Operand cond;
  Body then_body;
  Body else_body;
};
struct Function {
  std::vector<ValueId> params;
  StructInfoRef ret = nullptr;  // as annotated; null: none
  Location ret_loc;
  bool pure = true;
  AttrMap attrs;
  Body body;
  // Set by analysis/derive/derive_struct_info: the result in terms of the body's variables, and the
  // FuncInfo, which binds its own variables.
  StructInfoRef ret_info = nullptr;
  StructInfoRef info = nullptr;
};

using Rhs = std::variant<Operand, Call, GetField, MatchCast, If, Function>;

struct Binding {
  ValueId var;
  Rhs rhs;
  Location loc;  // of the right-hand side
};
struct Block {
  bool dataflow = false;
  std::vector<Binding> bindings;
  Location loc;
};

// A function of the module. It is exported if it has the attribute "global_symbol".
struct Global {
  using Definition = std::variant<Function, PrimFunc, ExternFunc>;
  std::string name;
  Definition def;
  Location loc;

  const Function* function() const { return std::get_if<Function>(&def); }
  Function* function() { return std::get_if<Function>(&def); }
  const PrimFunc* prim_func() const { return std::get_if<PrimFunc>(&def); }
  PrimFunc* prim_func() { return std::get_if<PrimFunc>(&def); }
  // Returns the attributes of a Function or PrimFunc, null for an ExternFunc.
  const AttrMap* attrs() const;
};

// An entry of I.module_global_infos: a device, or an object of another kind ("device_mesh",
// "dummy").
using GlobalInfo = std::variant<VDeviceRef, AttrObject>;

struct Module {
  std::string name;
  // Read from functions outside a class: any of them may be run.
  bool loose = false;
  IdVector<ValueId, Value> values;
  IdVector<ConstantId, Constant> constants;
  IdVector<GlobalId, Global> globals;  // in source order
  AttrMap attrs;
  std::map<std::string, std::vector<GlobalInfo>> global_infos;

  // Linear search; readers keep an index.
  std::optional<GlobalId> Find(absl::string_view name) const;
  // Returns all devices in global_infos["vdevice"], in order.
  std::vector<VDeviceRef> vdevices() const;
};

inline constexpr char kGlobalSymbol[] = "global_symbol";
// The attribute by which dialects without a decorator option mark a PrimFunc as persistent.
inline constexpr char kPersistentKernel[] = "tir.persistent_kernel";
inline constexpr char kForcePure[] = "relax.force_pure";

bool IsExported(const Global& g);
bool IsForcePure(const Function& f);

// Calls `visit(const Operand&)` for `operand` and, for tuples, everything inside, outermost first.
template <typename F>
void ForEachLeaf(const Operand& operand, F visit) {
  visit(operand);
  if (const auto* tuple = operand.As<TupleExpr>()) {
    for (const Operand& field : tuple->fields) ForEachLeaf(field, visit);
  }
}

// Calls `visit(const Operand&)` for the direct operands of `rhs`, in order, but not for the
// contents of bodies it owns. A callee is not an operand.
template <typename F>
void ForEachOperand(const Rhs& rhs, F visit) {
  Match(
      rhs, [&](const Operand& o) { visit(o); },
      [&](const Call& c) {
        for (const Operand& a : c.args) visit(a);
      },
      [&](const GetField& g) { visit(g.tuple); }, [&](const MatchCast& m) { visit(m.value); },
      [&](const If& i) { visit(i.cond); }, [](const Function&) {});
}

}  // namespace lathe::ir

#endif  // LATHE_IR_MODULE_H_
