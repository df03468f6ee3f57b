// Defines scalar expressions: shape arithmetic, loop bounds and the bodies of kernels.
//
// Expressions are immutable and interned by a Context: two structurally equal expressions are the
// same pointer, so `a == b` is structural equality and a node is a cheap hash-map key. Expressions
// do not outlive their Context.
#ifndef LATHE_IR_PRIM_EXPR_H_
#define LATHE_IR_PRIM_EXPR_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"
#include "generator/support/match.h"

namespace lathe::ir {

class PrimExpr;
using PrimRef = const PrimExpr*;  // never null, unless a field says so
struct Buffer;                    // tir.h
using BufferRef = const Buffer*;

enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,  // floats: division; integers: truncates towards zero
  kMod,  // the remainder of kDiv
  kFloorDiv,
  kFloorMod,
  kMin,
  kMax,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,  // both sides are evaluated
  kOr,
  kBitAnd,
  kBitOr,
  kBitXor,
  kShl,
  kShr,
};
enum class UnaryOp : uint8_t { kNeg, kNot, kBitNot };

// Returns true for the six comparisons, whose result is bool.
constexpr bool IsComparison(BinaryOp op) { return op >= BinaryOp::kEq && op <= BinaryOp::kGe; }

struct IntImm {
  int64_t value;  // for uint64: its bits
  bool operator==(const IntImm&) const = default;
};
struct FloatImm {
  double value;
  // Compares bits: a NaN equals itself and -0.0 differs from 0.0, as interning requires.
  bool operator==(const FloatImm& other) const;
};
struct StringImm {
  std::string value;
  bool operator==(const StringImm&) const = default;
};
struct SymVar {
  std::string name;
  int id;  // variables with equal names are distinct
  // For handles: the pointee ("float32", or void if unknown) and its memory scope.
  DType pointee = DType::Void();
  std::string scope;
  bool operator==(const SymVar& other) const { return id == other.id; }
};
struct Unary {
  UnaryOp op;
  PrimRef value = nullptr;
  bool operator==(const Unary&) const = default;
};
struct Binary {
  BinaryOp op;
  PrimRef lhs = nullptr;
  PrimRef rhs = nullptr;
  bool operator==(const Binary&) const = default;
};
// All three operands are evaluated; the lazy form is the intrinsic "if_then_else".
struct Select {
  PrimRef cond = nullptr;
  PrimRef if_true = nullptr;
  PrimRef if_false = nullptr;
  bool operator==(const Select&) const = default;
};
struct Cast {
  PrimRef value = nullptr;
  bool operator==(const Cast&) const = default;
};
struct Load {
  BufferRef buffer = nullptr;
  std::vector<PrimRef> indices;
  PrimRef predicate = nullptr;  // null: every lane
  bool operator==(const Load&) const = default;
};
// base, base + stride, ... : a vector index with the lanes of the dtype.
struct Ramp {
  PrimRef base = nullptr;
  PrimRef stride = nullptr;
  bool operator==(const Ramp&) const = default;
};
struct Broadcast {
  PrimRef value = nullptr;
  bool operator==(const Broadcast&) const = default;
};
struct Shuffle {
  std::vector<PrimRef> vectors;
  std::vector<PrimRef> indices;
  bool operator==(const Shuffle&) const = default;
};
struct Let {
  PrimRef var = nullptr;
  PrimRef value = nullptr;
  PrimRef body = nullptr;
  bool operator==(const Let&) const = default;
};
// An intrinsic or external call by name, without the prefix "tir.": "exp", "call_extern". Names and
// dtypes among the arguments are StringImm. A call of another function of the module has the name
// "call_global" and the function's name as first argument.
struct Intrinsic {
  std::string name;
  std::vector<PrimRef> args;
  bool operator==(const Intrinsic&) const = default;
};
// lambda lhs..., rhs...: results, with the identity elements.
struct CommReducer {
  std::vector<PrimRef> lhs;
  std::vector<PrimRef> rhs;
  std::vector<PrimRef> results;
  std::vector<PrimRef> identities;
  bool operator==(const CommReducer&) const = default;
};
// A buffer slice as an argument: A[lo:hi, i]; a null extent denotes a plain index.
struct RegionArg {
  BufferRef buffer = nullptr;
  std::vector<PrimRef> mins;
  std::vector<PrimRef> extents;
  bool operator==(const RegionArg&) const = default;
};

class PrimExpr {
 public:
  using Node = std::variant<IntImm, FloatImm, StringImm, SymVar, Unary, Binary, Select, Cast, Load,
                            Ramp, Broadcast, Shuffle, Let, Intrinsic, CommReducer, RegionArg>;

  PrimExpr(DType dtype, Node node);

  DType dtype() const { return dtype_; }
  const Node& node() const { return node_; }
  // Returns one more than the depth of the deepest operand: the recursion depth of a traversal.
  // Readers reject programs with expressions deeper than kMaxScalarDepth.
  int depth() const { return depth_; }

  // Tests for a single kind; use Match to handle all.
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }

  bool operator==(const PrimExpr& other) const {
    return dtype_ == other.dtype_ && node_ == other.node_;
  }

 private:
  DType dtype_;
  int depth_ = 1;
  Node node_;
};

// Deeper than hand-written programs, safe for every recursion, and still accepted by the readers
// after printing.
inline constexpr int kMaxScalarDepth = 300;

// Calls `visit` for each direct operand of `e`, in order. A Let's variable and a reducer's
// parameters are not operands.
template <typename F>
void ForEachOperand(PrimRef e, F visit) {
  const auto all = [&](const std::vector<PrimRef>& list) {
    for (PrimRef item : list) {
      if (item != nullptr) visit(item);
    }
  };
  Match(
      e->node(), [](const IntImm&) {}, [](const FloatImm&) {}, [](const StringImm&) {},
      [](const SymVar&) {}, [&](const Unary& n) { visit(n.value); },
      [&](const Binary& n) {
        visit(n.lhs);
        visit(n.rhs);
      },
      [&](const Select& n) {
        visit(n.cond);
        visit(n.if_true);
        visit(n.if_false);
      },
      [&](const Cast& n) { visit(n.value); },
      [&](const Load& n) {
        all(n.indices);
        if (n.predicate != nullptr) visit(n.predicate);
      },
      [&](const Ramp& n) {
        visit(n.base);
        visit(n.stride);
      },
      [&](const Broadcast& n) { visit(n.value); },
      [&](const Shuffle& n) {
        all(n.vectors);
        all(n.indices);
      },
      [&](const Let& n) {
        visit(n.value);
        visit(n.body);
      },
      [&](const Intrinsic& n) { all(n.args); },
      [&](const CommReducer& n) {
        all(n.results);
        all(n.identities);
      },
      [&](const RegionArg& n) {
        all(n.mins);
        all(n.extents);
      });
}

// "+", "//", "min", ...
absl::string_view Spelling(BinaryOp op);

// Formats `e` for messages: n * 4 + 1, min(n, 8), A[i, j]. Long text is truncated with "...".
std::string ToString(PrimRef e);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRIM_EXPR_H_
