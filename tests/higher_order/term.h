// Represents random higher-order programs before they are text: functions over integer tensors that
// can be evaluated without a compiler.
#ifndef LATHE_TESTS_HIGHER_ORDER_TERM_H_
#define LATHE_TESTS_HIGHER_ORDER_TERM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lathe::higher_order {

// All arithmetic is modulo this prime, so that nothing overflows.
inline constexpr int64_t kModulus = 9973;

struct Type;
using TypeRef = std::shared_ptr<const Type>;

// The length of a vector: a number, or a shape variable.
using Length = std::string;

struct Type {
  enum class Kind {
    kVector,    // R.Tensor((length,), "int64")
    kScalar,    // R.Tensor((), "int64")
    kCounter,   // a small scalar, by which a function calls itself
    kBool,      // R.Tensor((), "bool")
    kShape,     // R.Shape([length])
    kTuple,     // of parts
    kFunction,  // of parts, to result
    kKernel,    // a PrimFunc of (vector, vector), which writes into the second
    kExternal,  // a packed function in destination-passing style: vector to vector
    kObject,    // a value that has to be cast before it is used
  };
  Kind kind = Kind::kScalar;
  Length length = {};
  std::vector<TypeRef> parts = {};
  TypeRef result = nullptr;
  bool pure = true;
  bool own_length = false;  // a function of vectors of any length, which is kOwnLength in it
};

// Stands for the length of the arguments in the type of a function of vectors of any length.
inline constexpr char kOwnLength[] = "@";

// A text that is the same for equal types.
std::string Show(const Type& type);
inline bool Same(const Type& a, const Type& b) { return Show(a) == Show(b); }

TypeRef Make(Type type);
TypeRef Vector(Length length);
TypeRef Scalar();
TypeRef TupleOf(std::vector<TypeRef> fields);
TypeRef FunctionOf(std::vector<TypeRef> params, TypeRef result, bool pure = true);
// `type` with vectors of `from` of length `to`.
TypeRef WithLength(const TypeRef& type, const Length& from, const Length& to);
// Whether results of the type can be compared: tensors, and tuples of them.
bool IsComparable(const Type& type);

// A variable, or a function of the module: `cls.name`.
struct Operand {
  enum class Kind { kVariable, kGlobal };
  Kind kind = Kind::kVariable;
  int id = 0;
};

struct Variable {
  int id = 0;
  std::string name;
  TypeRef type;
};

struct Statement;
struct Body {
  std::vector<Statement> statements;
  Operand result;
};

struct Function {
  std::string name;
  std::vector<Variable> params;
  TypeRef result;
  std::optional<Length> own;  // the shape variable that its parameters bind
  bool pure = true;
  bool exported = false;
  bool annotated = true;  // the result's type stands in the text
  Body body;
};

// variable = what `kind` says of the operands.
struct Statement {
  enum class Kind {
    kAlias,       // a
    kConstant,    // numbers
    kCombine,     // (a * numbers[0] + b * numbers[1] + numbers[2]) mod p, vectors with scalars too
    kCount,       // a mod numbers[0]
    kSum,         // of a vector
    kConcat,      // a, then b
    kFill,        // a vector of the shape a, of numbers[0]
    kShapeOf,     // of a vector
    kShape,       // of the length of the variable's type
    kLess,        // a mod numbers[0] < numbers[1]
    kTuple,       // of all operands
    kField,       // numbers[0] of a
    kCall,        // a of the others
    kBind,        // R.make_closure of a, with the others as its last arguments
    kInvoke,      // R.invoke_pure_closure of a, of the others
    kFunction,    // function
    kIf,          // bodies[0] where a holds, else bodies[1]
    kForget,      // a as an object
    kCast,        // the object a as what it is
    kKernel,      // PrimFunc numbers[0] of the module
    kRunKernel,   // a writes f(b) into a fresh vector, which is the variable
    kExternal,    // the packed function
    kRunExternal  // R.call_dps_packed of a, of b
  };
  Kind kind = Kind::kAlias;
  Variable variable;
  std::vector<Operand> operands = {};
  std::vector<int64_t> numbers = {};
  std::vector<Function> functions = {};  // one of kFunction
  std::vector<Body> bodies = {};         // two of kIf
};

// out[i] = (in[i] * factor + summand) mod p.
struct Kernel {
  int64_t factor = 1, summand = 0;
};

struct Program {
  std::vector<Kernel> kernels;      // kernel_0, ...
  std::vector<Function> functions;  // one of them is exported as main
};

}  // namespace lathe::higher_order

#endif  // LATHE_TESTS_HIGHER_ORDER_TERM_H_
