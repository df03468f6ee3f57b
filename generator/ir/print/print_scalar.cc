#include "generator/ir/print/print_scalar.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/intrinsic.h"
#include "generator/ir/print_literal.h"
#include "generator/ir/tir.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// Precedence of Python's operators.
enum Precedence { kAny, kOr, kAnd, kNot, kCompare, kSum, kProduct, kMinus, kAtom };

struct Infix {
  absl::string_view sign;  // empty: printed as a call only
  Precedence precedence;
  absl::string_view call;  // T.<call>(a, b)
};

Infix SpellingOf(BinaryOp op, DType operands) {
  switch (op) {
    case BinaryOp::kAdd:
      return {"+", kSum, "Add"};
    case BinaryOp::kSub:
      return {"-", kSum, "Sub"};
    case BinaryOp::kMul:
      return {"*", kProduct, "Mul"};
    case BinaryOp::kDiv:
      // "/" of integers would not specify the rounding.
      return {operands.is_floating() ? "/" : "", kProduct, "Div"};
    case BinaryOp::kMod:
      return {"", kAtom, "truncmod"};
    case BinaryOp::kFloorDiv:
      return {"//", kProduct, "FloorDiv"};
    case BinaryOp::kFloorMod:
      return {"%", kProduct, "FloorMod"};
    case BinaryOp::kMin:
      return {"", kAtom, "min"};
    case BinaryOp::kMax:
      return {"", kAtom, "max"};
    case BinaryOp::kEq:
      return {"==", kCompare, "EQ"};
    case BinaryOp::kNe:
      return {"!=", kCompare, "NE"};
    case BinaryOp::kLt:
      return {"<", kCompare, "LT"};
    case BinaryOp::kLe:
      return {"<=", kCompare, "LE"};
    case BinaryOp::kGt:
      return {">", kCompare, "GT"};
    case BinaryOp::kGe:
      return {">=", kCompare, "GE"};
    case BinaryOp::kAnd:
      // "and" of vectors would be read as the bitwise operation.
      return {operands.is_scalar() ? "and" : "", kAnd, "And"};
    case BinaryOp::kOr:
      return {operands.is_scalar() ? "or" : "", kOr, "Or"};
    case BinaryOp::kBitAnd:
      return {"", kAtom, "bitwise_and"};
    case BinaryOp::kBitOr:
      return {"", kAtom, "bitwise_or"};
    case BinaryOp::kBitXor:
      return {"", kAtom, "bitwise_xor"};
    case BinaryOp::kShl:
      return {"", kAtom, "shift_left"};
    case BinaryOp::kShr:
      return {"", kAtom, "shift_right"};
  }
  return {};
}

class ScalarPrinter {
 public:
  ScalarPrinter(PrintNames& names, const ScalarStyle& style) : names_(names), style_(style) {}

  std::string Print(PrimRef e, Precedence outer = kAny) {
    return Match(
        e->node(), [&](const IntImm& n) { return Integer(e->dtype(), n.value, outer); },
        [&](const FloatImm& n) {
          return absl::StrCat("T.", ToString(e->dtype()), "(", FloatLiteral(n.value), ")");
        },
        [&](const StringImm& n) {
          return absl::StrCat("T.StringImm(", StringLiteral(n.value), ")");
        },
        [&](const SymVar&) { return names_.Of(e); },
        [&](const Unary& n) { return Print(n, outer); },
        [&](const Binary& n) { return Print(n, outer); },
        [&](const Select& n) {
          return Call("Select", {n.cond, n.if_true, n.if_false});
        },
        [&](const Cast& n) {
          return absl::StrCat("T.Cast(\"", ToString(e->dtype()), "\", ", Print(n.value), ")");
        },
        [&](const Load& n) { return Print(n); },
        [&](const Ramp& n) {
          return absl::StrCat("T.Ramp(", Print(n.base), ", ", Print(n.stride), ", ",
                              Lanes(e->dtype()), ")");
        },
        [&](const Broadcast& n) {
          return absl::StrCat("T.Broadcast(", Print(n.value), ", ", Lanes(e->dtype()), ")");
        },
        [&](const Shuffle& n) {
          return absl::StrCat("T.Shuffle([", List(n.vectors), "], [", List(n.indices), "])");
        },
        [&](const Let& n) {
          const std::string var = names_.Of(n.var);
          return absl::StrCat("T.Let(", Print(n.body), ", where={", var, ": ", Print(n.value),
                              "})");
        },
        [&](const Intrinsic& n) { return Print(e->dtype(), n); },
        [&](const CommReducer& n) { return Print(n); },
        [&](const RegionArg& n) { return Print(n); });
  }

  std::string Argument(PrimRef e) {
    if (const auto* text = e->As<StringImm>()) return StringLiteral(text->value);
    return Print(e);
  }

  std::string End(PrimRef min, PrimRef extent) {
    const auto* low = min->As<IntImm>();
    const auto* size = extent->As<IntImm>();
    if (low != nullptr && low->value == 0) return Print(extent);
    int64_t high = 0;
    if (low != nullptr && size != nullptr &&
        !__builtin_add_overflow(low->value, size->value, &high)) {
      return Integer(extent->dtype(), high, kAny);
    }
    return absl::StrCat(Print(min, kSum), " + ", Print(extent, kProduct));
  }

 private:
  bool IsBare(PrimRef e) const {
    return e->As<IntImm>() != nullptr && e->dtype() == style_.bare_int;
  }

  std::string Integer(DType dtype, int64_t value, Precedence outer) const {
    if (dtype.is_bool()) return value != 0 ? "T.bool(True)" : "T.bool(False)";
    const std::string digits =
        dtype.is_uint() ? absl::StrCat(static_cast<uint64_t>(value)) : absl::StrCat(value);
    if (dtype != style_.bare_int) return absl::StrCat("T.", ToString(dtype), "(", digits, ")");
    return value < 0 && outer > kMinus ? absl::StrCat("(", digits, ")") : digits;
  }

  // With an explicit type, so that the reader does not fold it as a number.
  std::string Typed(PrimRef e) {
    const auto* number = e->As<IntImm>();
    if (!IsBare(e)) return Print(e, kMinus);
    return absl::StrCat("T.", ToString(e->dtype()), "(", number->value, ")");
  }

  std::string Print(const Unary& n, Precedence outer) {
    switch (n.op) {
      case UnaryOp::kNeg:
        return Wrap(absl::StrCat("-", Typed(n.value)), kMinus, outer);
      case UnaryOp::kNot:
        return Wrap(absl::StrCat("not ", Print(n.value, kNot)), kNot, outer);
      case UnaryOp::kBitNot:
        return Call("bitwise_not", {n.value});
    }
    return {};
  }

  std::string Print(const Binary& n, Precedence outer) {
    const Infix infix = SpellingOf(n.op, n.lhs->dtype());
    if (infix.sign.empty() || (IsBare(n.lhs) && IsBare(n.rhs))) {
      return Call(infix.call, {n.lhs, n.rhs});
    }
    const auto tighter = static_cast<Precedence>(infix.precedence + 1);
    // Comparisons chain in Python, so neither side may be one.
    const Precedence left = infix.precedence == kCompare ? tighter : infix.precedence;
    const std::string lhs = Print(n.lhs, left);
    return Wrap(absl::StrCat(lhs, " ", infix.sign, " ", Print(n.rhs, tighter)), infix.precedence,
                outer);
  }

  static std::string Wrap(std::string text, Precedence own, Precedence outer) {
    return own < outer ? absl::StrCat("(", text, ")") : text;
  }

  std::string Call(absl::string_view name, const std::vector<PrimRef>& args) {
    return absl::StrCat("T.", name, "(", List(args), ")");
  }

  std::string List(const std::vector<PrimRef>& items) {
    return absl::StrJoin(items, ", ", [&](std::string* out, PrimRef e) { *out += Argument(e); });
  }

  static std::string Lanes(DType dtype) {
    if (dtype.lanes > 0) return absl::StrCat(dtype.lanes);
    return dtype.lanes == -1 ? "T.vscale()" : absl::StrCat("T.vscale() * ", -dtype.lanes);
  }

  std::string Print(const Load& n) {
    const std::string buffer = names_.Of(n.buffer);
    if (n.predicate != nullptr) {
      const std::string indices = List(n.indices);
      return absl::StrCat(buffer, ".vload([", indices, "], predicate=", Print(n.predicate), ")");
    }
    return absl::StrCat(buffer, "[", n.indices.empty() ? "()" : List(n.indices), "]");
  }

  std::string Print(const RegionArg& n) {
    const std::string buffer = names_.Of(n.buffer);
    if (n.mins.empty()) return buffer;
    std::vector<std::string> ranges;
    for (size_t i = 0; i < n.mins.size(); ++i) {
      const PrimRef extent = i < n.extents.size() ? n.extents[i] : nullptr;
      const std::string low = Print(n.mins[i]);
      ranges.push_back(extent == nullptr ? low : absl::StrCat(low, ":", End(n.mins[i], extent)));
    }
    return absl::StrCat(buffer, "[", absl::StrJoin(ranges, ", "), "]");
  }

  std::string Print(const CommReducer& n) {
    std::vector<std::string> params;
    for (PrimRef var : n.lhs) params.push_back(names_.Of(var));
    for (PrimRef var : n.rhs) params.push_back(names_.Of(var));
    std::vector<std::string> results;
    for (PrimRef e : n.results) results.push_back(Print(e));
    return absl::StrCat("T.comm_reducer(lambda ", absl::StrJoin(params, ", "), ": ",
                        results.size() == 1 ? results[0] : TupleOf(results), ", [",
                        List(n.identities), "])");
  }

  std::string Print(DType dtype, const Intrinsic& n) {
    if (n.name == "call_global" && !n.args.empty() && n.args[0]->As<StringImm>() != nullptr) {
      const std::vector<PrimRef> args(n.args.begin() + 1, n.args.end());
      return absl::StrCat(style_.module, ".", n.args[0]->As<StringImm>()->value, "(", List(args),
                          ")");
    }
    if (const std::optional<std::string> kept = Kept(n)) return *kept;
    const std::string type = absl::StrCat("\"", ToString(dtype), "\"");
    std::vector<std::string> args;
    for (PrimRef arg : n.args) args.push_back(Argument(arg));
    const IntrinsicInfo* info = FindIntrinsic(n.name);
    // A tile primitive has no dtype= and no result.
    const bool typed_tile = absl::StartsWith(n.name, "tile.") && !dtype.is_void();
    if (info == nullptr && (!IsDeviceIntrinsic(n.name) || typed_tile)) {
      const bool classic = style_.dialect == Dialect::kClassic;
      args.insert(args.begin(),
                  {type, StringLiteral(absl::StrCat(classic ? "tir." : "tirx.", n.name))});
      return absl::StrCat("T.call_intrin(", absl::StrJoin(args, ", "), ")");
    }
    const ResultType result = info == nullptr ? ResultType::kVoid : info->result;
    if (result == ResultType::kGiven) {
      args.insert(args.begin(), type);
    } else if (result == ResultType::kGivenLast) {
      args.push_back(type);
    } else if (ResultTypeOf(n.name, n.args) != dtype) {
      args.push_back(absl::StrCat("dtype=", type));
    }
    return absl::StrCat(info != nullptr ? absl::StrCat("T.", n.name) : DeviceCallee(n.name), "(",
                        absl::StrJoin(args, ", "), ")");
  }

  // Argument forms of device intrinsics: keywords, lists, T.S[...].
  std::optional<std::string> Kept(const Intrinsic& n) {
    if (n.name == kNoneArgument) return "None";
    if (n.name == kListArgument) {
      std::vector<std::string> items;
      for (PrimRef item : n.args) items.push_back(Argument(item));
      return TupleOf(items);
    }
    if (n.name == kKeywordArgument && n.args.size() == 2) {
      const auto* name = n.args[0]->As<StringImm>();
      if (name != nullptr) return absl::StrCat(name->value, "=", Argument(n.args[1]));
    }
    if (n.name == kDictArgument) {
      std::vector<std::string> items;
      for (PrimRef item : n.args) {
        const KeywordArgument entry = KeywordOf(item);
        if (entry.value == nullptr) return std::nullopt;
        items.push_back(absl::StrCat(StringLiteral(entry.name), ": ", Argument(entry.value)));
      }
      return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
    }
    if ((n.name == kShardSpec || n.name == kReplicaSpec) && !n.args.empty()) {
      const std::string strides = n.args.size() > 1 ? absl::StrCat(" : ", Argument(n.args[1])) : "";
      return absl::StrCat(n.name == kShardSpec ? "T.S[" : "T.R[", Argument(n.args[0]), strides,
                          "]");
    }
    return std::nullopt;
  }

  PrintNames& names_;
  const ScalarStyle& style_;
};

}  // namespace

std::string PrintScalar(PrimRef e, PrintNames& names, const ScalarStyle& style) {
  return ScalarPrinter(names, style).Print(e);
}

std::string PrintArgument(PrimRef e, PrintNames& names, const ScalarStyle& style) {
  return ScalarPrinter(names, style).Argument(e);
}

std::string PrintEnd(PrimRef min, PrimRef extent, PrintNames& names, const ScalarStyle& style) {
  return ScalarPrinter(names, style).End(min, extent);
}

std::string TupleOf(const std::vector<std::string>& items) {
  return absl::StrCat("(", absl::StrJoin(items, ", "), items.size() == 1 ? ",)" : ")");
}

}  // namespace lathe::ir
