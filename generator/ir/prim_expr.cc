#include "generator/ir/prim_expr.h"

#include <algorithm>
#include <bit>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/tir.h"

namespace lathe::ir {
namespace {

// Precedence of operators as in Python; 0 for those printed as calls.
int PrecedenceOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kOr:
      return 1;
    case BinaryOp::kAnd:
      return 2;
    case BinaryOp::kEq:
    case BinaryOp::kNe:
    case BinaryOp::kLt:
    case BinaryOp::kLe:
    case BinaryOp::kGt:
    case BinaryOp::kGe:
      return 4;
    case BinaryOp::kBitOr:
      return 5;
    case BinaryOp::kBitXor:
      return 6;
    case BinaryOp::kBitAnd:
      return 7;
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return 8;
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      return 9;
    case BinaryOp::kMul:
    case BinaryOp::kDiv:
    case BinaryOp::kMod:
    case BinaryOp::kFloorDiv:
    case BinaryOp::kFloorMod:
      return 10;
    case BinaryOp::kMin:
    case BinaryOp::kMax:
      return 0;
  }
  return 0;
}

// Prints the short form, truncated with "..." beyond a depth and a length.
class ShortForm {
 public:
  std::string Take(PrimRef e) {
    Write(e, 0, 0);
    return std::move(out_);
  }

 private:
  static constexpr int kMaxDepth = 40;
  static constexpr size_t kMaxLength = 400;

  void List(const std::vector<PrimRef>& items, int depth) {
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      Write(items[i], 0, depth);
    }
  }

  void Wrap(absl::string_view name, std::initializer_list<PrimRef> args, int depth) {
    absl::StrAppend(&out_, name, "(");
    List(args, depth);
    out_ += ")";
  }

  void Write(PrimRef e, int outer, int depth) {
    if (depth > kMaxDepth || out_.size() > kMaxLength) {
      out_ += "...";
      return;
    }
    ++depth;
    Match(
        e->node(),
        [&](const IntImm& n) {
          if (e->dtype().is_bool()) {
            out_ += n.value != 0 ? "True" : "False";
          } else if (e->dtype().is_uint()) {
            absl::StrAppend(&out_, static_cast<uint64_t>(n.value));
          } else {
            absl::StrAppend(&out_, n.value);
          }
        },
        [&](const FloatImm& n) { absl::StrAppend(&out_, n.value); },
        [&](const StringImm& n) { absl::StrAppend(&out_, "\"", absl::CEscape(n.value), "\""); },
        [&](const SymVar& n) { out_ += n.name; },
        [&](const Unary& n) {
          out_ += n.op == UnaryOp::kNeg ? "-" : n.op == UnaryOp::kNot ? "not " : "~";
          Write(n.value, 11, depth);
        },
        [&](const Binary& n) {
          const int own = PrecedenceOf(n.op);
          if (own == 0) return Wrap(Spelling(n.op), {n.lhs, n.rhs}, depth);
          if (own < outer) out_ += "(";
          Write(n.lhs, own, depth);
          absl::StrAppend(&out_, " ", Spelling(n.op), " ");
          Write(n.rhs, own + 1, depth);
          if (own < outer) out_ += ")";
        },
        [&](const Select& n) {
          Wrap("select", {n.cond, n.if_true, n.if_false}, depth);
        },
        [&](const Cast& n) { Wrap(ir::ToString(e->dtype()), {n.value}, depth); },
        [&](const Load& n) {
          absl::StrAppend(&out_, n.buffer->name, "[");
          List(n.indices, depth);
          out_ += "]";
        },
        [&](const Ramp& n) {
          Wrap("ramp", {n.base, n.stride}, depth);
        },
        [&](const Broadcast& n) { Wrap("broadcast", {n.value}, depth); },
        [&](const Shuffle& n) {
          out_ += "shuffle(";
          List(n.vectors, depth);
          out_ += ")";
        },
        [&](const Let& n) {
          Wrap("let", {n.var, n.value, n.body}, depth);
        },
        [&](const Intrinsic& n) {
          absl::StrAppend(&out_, n.name, "(");
          List(n.args, depth);
          out_ += ")";
        },
        [&](const CommReducer& n) {
          out_ += "comm_reducer(";
          List(n.results, depth);
          out_ += ")";
        },
        [&](const RegionArg& n) {
          absl::StrAppend(&out_, n.buffer->name, "[");
          List(n.mins, depth);
          out_ += "]";
        });
  }

  std::string out_;
};

}  // namespace

PrimExpr::PrimExpr(DType dtype, Node node) : dtype_(dtype), node_(std::move(node)) {
  int deepest = 0;
  ForEachOperand(this, [&](PrimRef operand) { deepest = std::max(deepest, operand->depth()); });
  depth_ = deepest + 1;
}

bool FloatImm::operator==(const FloatImm& other) const {
  return std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(other.value);
}

absl::string_view Spelling(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return "+";
    case BinaryOp::kSub:
      return "-";
    case BinaryOp::kMul:
      return "*";
    case BinaryOp::kDiv:
      return "/";
    case BinaryOp::kMod:
      return "truncmod";
    case BinaryOp::kFloorDiv:
      return "//";
    case BinaryOp::kFloorMod:
      return "%";
    case BinaryOp::kMin:
      return "min";
    case BinaryOp::kMax:
      return "max";
    case BinaryOp::kEq:
      return "==";
    case BinaryOp::kNe:
      return "!=";
    case BinaryOp::kLt:
      return "<";
    case BinaryOp::kLe:
      return "<=";
    case BinaryOp::kGt:
      return ">";
    case BinaryOp::kGe:
      return ">=";
    case BinaryOp::kAnd:
      return "and";
    case BinaryOp::kOr:
      return "or";
    case BinaryOp::kBitAnd:
      return "&";
    case BinaryOp::kBitOr:
      return "|";
    case BinaryOp::kBitXor:
      return "^";
    case BinaryOp::kShl:
      return "<<";
    case BinaryOp::kShr:
      return ">>";
  }
  return "?";
}

std::string ToString(PrimRef e) { return ShortForm().Take(e); }

}  // namespace lathe::ir
