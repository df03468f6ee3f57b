#include "generator/ir/device/ptx_value.h"

#include <algorithm>

#include "generator/ir/device/ptx_type.h"
#include "generator/ir/device_intrinsic.h"

namespace lathe::ir {
namespace {

struct BinaryRow {
  absl::string_view name;
  BinaryOp op;
  bool of_floats;
};
constexpr BinaryRow kBinary[] = {
    {"add", BinaryOp::kAdd, true},   {"sub", BinaryOp::kSub, true},
    {"mul", BinaryOp::kMul, true},   {"div", BinaryOp::kDiv, false},
    {"rem", BinaryOp::kMod, false},  {"and", BinaryOp::kBitAnd, false},
    {"or", BinaryOp::kBitOr, false}, {"xor", BinaryOp::kBitXor, false},
    {"min", BinaryOp::kMin, false},  {"max", BinaryOp::kMax, false},
};
constexpr BinaryRow kComparisons[] = {
    {"eq", BinaryOp::kEq, true},  {"ne", BinaryOp::kNe, false}, {"lt", BinaryOp::kLt, true},
    {"le", BinaryOp::kLe, true},  {"gt", BinaryOp::kGt, true},  {"ge", BinaryOp::kGe, true},
    {"lo", BinaryOp::kLt, false}, {"ls", BinaryOp::kLe, false}, {"hi", BinaryOp::kGt, false},
    {"hs", BinaryOp::kGe, false},
};

}  // namespace

std::vector<absl::string_view> PtxValues::Ops() {
  std::vector<absl::string_view> names;
  for (const BinaryRow& row : kBinary) names.push_back(row.name);
  for (absl::string_view one : {"mov", "neg", "abs", "not", "cnot"}) names.push_back(one);
  return names;
}

PrimRef PtxValues::As(PrimRef e, DType dtype) {
  const DType is = e->dtype();
  if (!is.is_scalar() || is.is_handle() || is.is_bool()) return nullptr;
  if (is == dtype) return e;
  // An integer literal is not the bits of a float.
  if (e->As<IntImm>() != nullptr) return dtype.is_integer() ? ir_.MakeCast(dtype, e) : nullptr;
  if (is.bits != dtype.bits) return nullptr;
  // A cast to another type and back.
  const auto* cast = e->As<Cast>();
  if (cast != nullptr && cast->value->dtype() == dtype && is.is_integer()) return cast->value;
  const auto* bits = e->As<Intrinsic>();
  if (bits != nullptr && bits->name == "reinterpret" && bits->args[0]->dtype() == dtype) {
    return bits->args[0];
  }
  if (is.is_integer() && dtype.is_integer()) return ir_.MakeCast(dtype, e);
  return ir_.MakeIntrinsic(dtype, "reinterpret", {e});
}

PrimRef PtxValues::Truth(PrimRef e) {
  const auto* call = e->As<Intrinsic>();
  if (call != nullptr && call->name == "ptx.pred" && call->args.size() == 1) e = call->args[0];
  if (e->dtype().is_bool()) return e;
  return ir_.Make(BinaryOp::kNe, e, ir_.Int(0, e->dtype()));
}

PrimRef PtxValues::Two(const std::string& op, DType dtype, PrimRef a, PrimRef b) {
  const PrimRef x = As(a, dtype), y = As(b, dtype);
  if (x == nullptr || y == nullptr) return nullptr;
  for (const BinaryRow& row : kBinary) {
    if (row.name == op && (row.of_floats || !dtype.is_floating())) return ir_.Make(row.op, x, y);
  }
  // For floats, min and max return the operand that is not NaN.
  if ((op != "min" && op != "max") || !dtype.is_floating()) return nullptr;
  const auto is_none = [&](PrimRef e) { return ir_.MakeIntrinsic(DType::Bool(), "isnan", {e}); };
  const PrimRef of_both = ir_.Make(op == "min" ? BinaryOp::kMin : BinaryOp::kMax, x, y);
  return ir_.MakeSelect(is_none(x), y, ir_.MakeSelect(is_none(y), x, of_both));
}

PrimRef PtxValues::One(const std::string& op, DType dtype, PrimRef a) {
  const PrimRef x = As(a, dtype);
  if (x == nullptr) return nullptr;
  if (op == "mov") return x;
  if (op == "neg") return ir_.Make(UnaryOp::kNeg, x);
  if (op == "abs") {
    const PrimRef negative = ir_.Make(UnaryOp::kNeg, x);
    if (dtype.is_floating()) return ir_.MakeIntrinsic(dtype, "fabs", {x});
    return ir_.MakeSelect(ir_.Make(BinaryOp::kLt, x, ir_.Int(0, dtype)), negative, x);
  }
  if (dtype.is_floating()) return nullptr;
  if (op == "not") return ir_.Make(UnaryOp::kBitNot, x);
  if (op != "cnot") return nullptr;
  const PrimRef is_zero = ir_.Make(BinaryOp::kEq, x, ir_.Int(0, dtype));
  return ir_.MakeSelect(is_zero, ir_.Int(1, dtype), ir_.Int(0, dtype));
}

// A shift by the width or more yields zero, or copies of the sign.
PrimRef PtxValues::Shifted(bool left, DType dtype, PrimRef a, PrimRef by) {
  const PrimRef x = As(a, dtype), count = As(by, DType::UInt(32));
  if (x == nullptr || count == nullptr || !dtype.is_integer()) return nullptr;
  const auto* number = by->As<IntImm>();
  if (number != nullptr && number->value >= 0 && number->value < dtype.bits) {
    return ir_.Make(left ? BinaryOp::kShl : BinaryOp::kShr, x, ir_.Int(number->value, dtype));
  }
  const PrimRef most = ir_.Int(dtype.bits - 1, DType::UInt(32));
  const PrimRef fits = ir_.Make(BinaryOp::kLe, count, most);
  const PrimRef some = ir_.MakeCast(dtype, ir_.Make(BinaryOp::kMin, count, most));
  const PrimRef moved = ir_.Make(left ? BinaryOp::kShl : BinaryOp::kShr, x, some);
  if (!left && dtype.is_int()) return moved;
  return ir_.MakeSelect(fits, moved, ir_.Int(0, dtype));
}

PrimRef PtxValues::Compared(const std::vector<std::string>& words,
                            const std::vector<PrimRef>& args) {
  // setp.lt{.and}.s32(p, a, b{, q})
  const bool joins = words.size() == 4;
  if ((words.size() != 3 && !joins) || args.size() != (joins ? 4u : 3u)) return nullptr;
  const DType dtype = PtxType(words.back());
  if (dtype.is_void()) return nullptr;
  const bool unsigned_word =
      words[1] == "lo" || words[1] == "ls" || words[1] == "hi" || words[1] == "hs";
  const bool of_bits = words.back()[0] == 'b';
  if ((unsigned_word && !dtype.is_uint()) || (of_bits && words[1] != "eq" && words[1] != "ne")) {
    return nullptr;
  }
  const PrimRef x = As(args[1], dtype), y = As(args[2], dtype);
  PrimRef truth = nullptr;
  for (const BinaryRow& row : kComparisons) {
    if (row.name != words[1] || x == nullptr || y == nullptr) continue;
    if (dtype.is_floating() && !row.of_floats) return nullptr;
    truth = ir_.Make(row.op, x, y);
  }
  if (truth == nullptr) return nullptr;
  if (joins) {
    const PrimRef other = Truth(args[3]);
    if (words[2] == "and") {
      truth = ir_.Make(BinaryOp::kAnd, truth, other);
    } else if (words[2] == "or") {
      truth = ir_.Make(BinaryOp::kOr, truth, other);
    } else {
      return nullptr;
    }
  }
  return ir_.MakeCast(DType::UInt(32), truth);
}

// Instructions with explicit rounding are kept exactly: no contraction of product and addition, and
// no splitting of a fused one.
std::optional<PtxValues::Value> PtxValues::Rounded(const std::string& op, DType dtype,
                                                   const std::vector<PrimRef>& args) {
  std::vector<PrimRef> values;
  for (size_t n = 1; n < args.size(); ++n) values.push_back(As(args[n], dtype));
  for (PrimRef value : values) {
    if (value == nullptr) return std::nullopt;
  }
  if (op == "fma" && values.size() == 3) {
    return Value{ir_.MakeIntrinsic(dtype, "fma", values), dtype};
  }
  if ((op != "add" && op != "sub" && op != "mul") || values.size() != 2) return std::nullopt;
  const std::string name = "cuda.__" + std::string(dtype.bits == 64 ? "d" : "f") + op + "_rn";
  return Value{ir_.MakeIntrinsic(dtype, name, values), dtype};
}

std::optional<PtxValues::Value> PtxValues::Of(const std::vector<std::string>& given,
                                              const std::vector<PrimRef>& args) {
  std::vector<std::string> words = given;
  const DType dtype = words.size() < 2 ? DType::Void() : PtxType(words.back());
  if (dtype.is_void()) return std::nullopt;
  const std::string op = words[0];
  words.erase(words.begin());
  words.pop_back();
  if (dtype.is_floating() && words == std::vector<std::string>{"rn"})
    return Rounded(op, dtype, args);
  const bool of_bits = op == "and" || op == "or" || op == "xor" || op == "not" || op == "cnot" ||
                       op == "shl" || op == "popc" || op == "mov" || op == "selp";
  if (given.back()[0] == 'b' && !of_bits && op != "shr") return std::nullopt;
  if (op == "shl" && given.back()[0] != 'b') return std::nullopt;
  if (op == "selp" && words.empty() && args.size() == 4) {
    const PrimRef x = As(args[1], dtype), y = As(args[2], dtype);
    if (x == nullptr || y == nullptr) return std::nullopt;
    return Value{ir_.MakeSelect(Truth(args[3]), x, y), dtype};
  }
  if (op == "popc" && words.empty() && args.size() == 2) {
    const PrimRef x = As(args[1], dtype);
    if (x == nullptr) return std::nullopt;
    const PrimRef count = ir_.MakeIntrinsic(dtype, "popcount", {x});
    return Value{ir_.MakeCast(DType::UInt(32), count), DType::UInt(32)};
  }
  const bool multiplies = (op == "mul" || op == "mad") && dtype.is_integer();
  if (multiplies && words.size() == 1) {
    const bool wide = words[0] == "wide" && dtype.bits <= 32;
    if ((!wide && words[0] != "lo") || args.size() != (op == "mul" ? 3u : 4u)) return std::nullopt;
    const DType to = !wide            ? dtype
                     : dtype.is_int() ? DType::Int(2 * dtype.bits)
                                      : DType::UInt(2 * dtype.bits);
    const PrimRef x = As(args[1], dtype), y = As(args[2], dtype);
    if (x == nullptr || y == nullptr) return std::nullopt;
    PrimRef value = ir_.Make(BinaryOp::kMul, ir_.MakeCast(to, x), ir_.MakeCast(to, y));
    if (op == "mad") {
      const PrimRef more = As(args[3], to);
      if (more == nullptr) return std::nullopt;
      value = ir_.Make(BinaryOp::kAdd, value, more);
    }
    return Value{value, to};
  }
  if (!words.empty() || (multiplies && words.empty())) return std::nullopt;
  PrimRef value = nullptr;
  if (args.size() == 3 && (op == "shl" || op == "shr")) {
    value = Shifted(op == "shl", dtype, args[1], args[2]);
  } else if (args.size() == 3) {
    value = Two(op, dtype, args[1], args[2]);
  } else if (args.size() == 2) {
    value = One(op, dtype, args[1]);
  }
  if (value == nullptr) return std::nullopt;
  return Value{value, dtype};
}

}  // namespace lathe::ir
