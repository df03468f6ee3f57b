// Represents Relay text after parsing: names of locals and graph variables are resolved, everything
// else is as written.
//
//   def @main(%x: Tensor[(4), float32]) {     Definition{main, FunctionTree}
//     %0 = add(%x, 1f);                       Item{graph binding, e}
//     let %y = multiply(%0, %0);              Item{%y, Call{NameRef, SharedRef{e}, SharedRef{e}}}
//     tanh(%y)                                Block::result
//   }
//
// A graph variable is not a variable: it names an expression that its uses share, so the
// expressions of a definition form a directed acyclic graph.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_TREE_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_TREE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ir/module.h"
#include "generator/support/ids.h"
#include "generator/support/source.h"

namespace lathe::relay {

using ExprId = Id<struct ExprTag>;
using VarId = Id<struct VarTag>;

inline constexpr int64_t kAnyDim = -1;  // `?`

struct Name {
  std::string text;
  TextSpan loc;
};

struct TypeTree {
  enum class Kind { kTensor, kTuple, kFunction, kRef, kName, kHole };
  Kind kind = Kind::kHole;
  TextSpan loc;
  std::vector<int64_t> dims;      // kTensor
  ir::DType dtype;                // kTensor
  std::string name;               // kName: a type parameter or a data type
  std::vector<Name> type_params;  // kFunction
  // Fields of a tuple; parameters and then the result of a function; the referenced type; type
  // arguments of a name.
  std::vector<TypeTree> args;
};

struct Var {
  std::string name;
  TextSpan loc;
  std::optional<TypeTree> annotation;
};

struct Pattern {
  enum class Kind { kWildcard, kVar, kConstructor, kTuple };
  Kind kind = Kind::kWildcard;
  TextSpan loc;
  VarId var;                // kVar
  std::string name;         // kConstructor
  bool has_fields = false;  // a constructor with parentheses
  std::vector<Pattern> fields;
};

struct FunctionTree {
  std::vector<Name> type_params;
  std::vector<VarId> params;
  std::optional<TypeTree> ret;
  ir::AttrMap attrs;
  ExprId body;
  TextSpan loc;
};

struct Literal {
  ir::Constant value;
};
struct LocalRef {
  VarId var;
};
struct SharedRef {  // of a graph variable
  ExprId target;
};
struct GlobalRef {
  std::string name;
};
struct NameRef {  // an operator or a constructor
  std::string name;
};
struct Tuple {
  std::vector<ExprId> fields;
};
struct Project {
  ExprId tuple;
  int64_t index = 0;
};
struct CallTree {
  ExprId callee;
  std::vector<ExprId> args;
  ir::AttrMap attrs;
};
struct Fn {
  std::shared_ptr<FunctionTree> function;
};
struct IfTree {
  ExprId cond, then_body, else_body;
};
struct Arm {
  Pattern pattern;
  ExprId body;
};
struct MatchTree {
  ExprId value;
  std::vector<Arm> arms;
  bool complete = true;  // false: match?
};
struct NewRef {
  ExprId value;
};
struct ReadRef {
  ExprId ref;
};
struct WriteRef {
  ExprId ref, value;
};
// One line of a block. A graph binding is an item only for the order of type inference: it is
// evaluated where it is used.
struct Item {
  enum class Kind { kLet, kGraph, kDrop };
  Kind kind = Kind::kDrop;
  VarId var;  // kLet
  ExprId value;
};
struct BlockTree {
  std::vector<Item> items;
  ExprId result;
};

struct Expr {
  using Node = std::variant<Literal, LocalRef, SharedRef, GlobalRef, NameRef, Tuple, Project,
                            CallTree, Fn, IfTree, MatchTree, NewRef, ReadRef, WriteRef, BlockTree>;
  Node node;
  TextSpan loc;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

struct ConstructorTree {
  Name name;
  std::vector<TypeTree> fields;
};
struct DataTree {
  Name name;
  std::vector<Name> type_params;
  std::vector<ConstructorTree> constructors;
  bool external = false;  // extern type
};

struct Definition {
  Name name;
  std::shared_ptr<FunctionTree> function;
};

struct ModuleTree {
  IdVector<ExprId, Expr> exprs;
  IdVector<VarId, Var> vars;
  std::vector<DataTree> types;
  std::vector<Definition> definitions;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_TREE_H_
