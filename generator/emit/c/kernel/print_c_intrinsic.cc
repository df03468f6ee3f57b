#include "generator/emit/c/kernel/print_c_intrinsic.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/kernel_dialect.h"
#include "generator/emit/c/kernel/print_c_call.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/interp/data/limits.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/intrinsic.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// Most intrinsics are functions of <math.h>. All others are printed by a function each.

using ir::BinaryOp;
using ir::PrimRef;

struct MathIntrinsic {
  absl::string_view name;  // the name in programs
  absl::string_view c;     // the name in <math.h>, for float with the suffix f
  size_t arity;
};
constexpr MathIntrinsic kMathIntrinsics[] = {
    {"exp", "exp", 1},
    {"exp2", "exp2", 1},
    {"expm1", "expm1", 1},
    {"erf", "erf", 1},
    {"erfc", "erfc", 1},
    {"tanh", "tanh", 1},
    {"sqrt", "sqrt", 1},
    {"cbrt", "cbrt", 1},
    {"log", "log", 1},
    {"log2", "log2", 1},
    {"log1p", "log1p", 1},
    {"log10", "log10", 1},
    {"tan", "tan", 1},
    {"cos", "cos", 1},
    {"cosh", "cosh", 1},
    {"sin", "sin", 1},
    {"sinh", "sinh", 1},
    {"asin", "asin", 1},
    {"acos", "acos", 1},
    {"atan", "atan", 1},
    {"acosh", "acosh", 1},
    {"asinh", "asinh", 1},
    {"atanh", "atanh", 1},
    {"fabs", "fabs", 1},
    {"abs", "fabs", 1},
    {"floor", "floor", 1},
    {"ceil", "ceil", 1},
    {"trunc", "trunc", 1},
    {"round", "nearbyint", 1},  // round() of C rounds halves away from zero
    {"nearbyint", "nearbyint", 1},
    {"rint", "nearbyint", 1},
    {"pow", "pow", 2},
    {"fmod", "fmod", 2},
    {"atan2", "atan2", 2},
    {"hypot", "hypot", 2},
    {"copysign", "copysign", 2},
    {"fmin", "fmin", 2},
    {"fmax", "fmax", 2},
    {"fdim", "fdim", 2},
    {"remainder", "remainder", 2},
    {"nextafter", "nextafter", 2},
    {"fma", "fma", 3},
};

// Functions introduced by C99 that small C libraries omit.
constexpr absl::string_view kC99[] = {"exp2",  "expm1",     "erf",       "erfc",
                                      "log2",  "log1p",     "acosh",     "asinh",
                                      "atanh", "nearbyint", "remainder", "nextafter"};

// Hints whose value is their operand.
constexpr absl::string_view kSame[] = {"likely", "unlikely", "ignore_loop_partition",
                                       "tvm_thread_invariant"};

class IntrinsicPrinter {
 public:
  IntrinsicPrinter(CScope& scope, PrimRef e, const ir::Intrinsic& n)
      : scope_(scope), e_(e), n_(n), dtype_(e->dtype()) {}

  absl::StatusOr<CText> Print() {
    const absl::string_view name = n_.name;
    const size_t count = n_.args.size();
    if (name == "if_then_else" && count == 3) {
      return PrintCValue(scope_, scope_.ir.MakeSelect(n_.args[0], n_.args[1], n_.args[2]));
    }
    if (count == 2) {
      if (name == "bitwise_and") return Operator(BinaryOp::kBitAnd);
      if (name == "bitwise_or") return Operator(BinaryOp::kBitOr);
      if (name == "bitwise_xor") return Operator(BinaryOp::kBitXor);
      if (name == "shift_left") return Operator(BinaryOp::kShl);
      if (name == "shift_right") return Operator(BinaryOp::kShr);
    }
    if (name == "bitwise_not" && count == 1) {
      return PrintCValue(scope_, scope_.ir.Make(ir::UnaryOp::kBitNot, n_.args[0]));
    }
    if (count == 1 && std::find(std::begin(kSame), std::end(kSame), name) != std::end(kSame)) {
      return PrintCValue(scope_, n_.args[0]);
    }
    LATHE_ASSIGN_OR_RETURN(std::optional<CText> text,
                           scope_.needs.dialect.PrintIntrinsic(scope_, e_, n_));
    if (text) return *std::move(text);
    if (ir::IsCall(name)) return PrintCCall(scope_, e_, n_);
    if (const auto math = ir::LlvmMath(n_)) {
      return PrintCValue(scope_, scope_.ir.Make(dtype_, *math));
    }
    if (name == "reinterpret" && count == 1) return Reinterpret();
    if (name == "isnan" || name == "isinf" || name == "isfinite") return Test();
    if (name == "undef") return CText{std::string(CZero(dtype_)), kPrimary, false, true};
    if (name == "vscale") return CText{absl::StrCat(interp::kVscale), kPrimary, false, true};
    if (dtype_.is_floating()) return Math();
    return OfIntegers();
  }

 private:
  absl::StatusOr<CText> Operator(BinaryOp op) {
    return PrintCValue(scope_, scope_.ir.Make(op, n_.args[0], n_.args[1]));
  }

  absl::StatusOr<std::vector<std::string>> Arguments(size_t first = 0) {
    std::vector<std::string> texts;
    for (size_t i = first; i < n_.args.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(std::string text, PrintCExpr(scope_, n_.args[i]));
      texts.push_back(std::move(text));
    }
    return texts;
  }

  absl::StatusOr<CText> Test() {
    LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> args, Arguments());
    if (args.size() != 1 || !n_.args[0]->dtype().is_floating()) {
      return CannotPrint(ir::ToString(e_));
    }
    scope_.needs.headers.insert("<math.h>");
    return CText{absl::StrCat(n_.name, "(", args[0], ") != 0"), kEquality, true};
  }

  absl::StatusOr<CText> Math() {
    absl::string_view name = n_.name;
    const char* f = dtype_.bits == 64 ? "" : "f";
    LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> args, Arguments());
    scope_.needs.headers.insert("<math.h>");
    const auto rounded = [&](CText text) {
      return RoundedFloat(scope_.needs, dtype_, std::move(text));
    };
    const auto row = [&](absl::string_view wanted) {
      return std::find_if(
          std::begin(kMathIntrinsics), std::end(kMathIntrinsics),
          [&](const MathIntrinsic& r) { return r.name == wanted && r.arity == args.size(); });
    };
    auto found = row(name);
    if (found == std::end(kMathIntrinsics) && !name.empty() && name.back() == 'f') {
      found = row(name.substr(0, name.size() - 1));
    }
    if (found != std::end(kMathIntrinsics)) {
      const bool may_lack = std::find(std::begin(kC99), std::end(kC99), found->c) != std::end(kC99);
      if (may_lack && !scope_.needs.no_c99_math.empty()) {
        return absl::UnimplementedError(
            absl::StrCat("'", found->c, "' ", scope_.needs.no_c99_math));
      }
      return rounded({absl::StrCat(found->c, f, "(", absl::StrJoin(args, ", "), ")")});
    }
    const std::string one = dtype_.bits == 64 ? "1.0" : "1.0f";
    if (args.size() == 1 && name == "sigmoid") {
      LATHE_ASSIGN_OR_RETURN(const CText x, PrintCValue(scope_, n_.args[0]));
      const std::string negated = absl::StrCat("-", x.In(kPrefix + 1));
      return rounded({absl::StrCat(one, " / (", one, " + exp", f, "(", negated, "))"), kProduct});
    }
    if (args.size() == 1 && name == "rsqrt") {
      return rounded({absl::StrCat(one, " / sqrt", f, "(", args[0], ")"), kProduct});
    }
    if (args.size() == 1 && name == "exp10") {
      return rounded({absl::StrCat("pow", f, "(10.0", f, ", ", args[0], ")")});
    }
    if (args.size() == 2 && name == "ldexp") {
      return rounded({absl::StrCat("ldexp", f, "(", args[0], ", (int)(", args[1], "))")});
    }
    return CannotPrint(absl::StrCat("the intrinsic '", name, "'"));
  }

  absl::StatusOr<CText> OfIntegers() {
    LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> args, Arguments());
    const absl::string_view name = n_.name;
    const std::string width = dtype_.bits > 32 ? "64" : "32";
    for (absl::string_view fixed :
         {"high_product", "rounded_shift", "scaled_once", "scaled_right", "scaled_twice"}) {
      if (name != fixed) continue;
      scope_.needs.headers.insert("\"lathe/fixed_point.h\"");
      return CText{absl::StrCat("lathe_", name, "(", absl::StrJoin(args, ", "), ")")};
    }
    const auto lathe = [&](std::string call) {
      scope_.needs.headers.insert("\"lathe/scalar.h\"");
      return NarrowedInt(scope_.needs, dtype_, {absl::StrCat("lathe_", call), kPrimary});
    };
    if (args.size() == 1) {
      for (absl::string_view same : {"floor", "ceil", "trunc", "round", "nearbyint"}) {
        if (name == same) return PrintCValue(scope_, n_.args[0]);
      }
      if ((name == "abs" || name == "fabs") && dtype_.is_uint()) {
        return PrintCValue(scope_, n_.args[0]);
      }
      const ir::DType from = n_.args[0]->dtype();
      const std::string as_bits = BitsOfInt(from, {args[0], kTernary});
      if (name == "abs" || name == "fabs")
        return lathe(absl::StrCat("abs_i", width, "(", args[0], ")"));
      if (name == "popcount") return lathe(absl::StrCat("popcount(", as_bits, ")"));
      if (name == "clz") return lathe(absl::StrCat("clz(", as_bits, ", ", int{from.bits}, ")"));
    }
    if (args.size() == 2 && name == "pow") {
      return lathe(absl::StrCat("pow_u64((uint64_t)(", args[0], "), (int64_t)(", args[1], "))"));
    }
    return CannotPrint(absl::StrCat("the intrinsic '", name, "'"));
  }

  absl::StatusOr<CText> Reinterpret() {
    const ir::DType from = n_.args[0]->dtype();
    LATHE_ASSIGN_OR_RETURN(const CText value, PrintCValue(scope_, n_.args[0]));
    scope_.needs.headers.insert("\"lathe/scalar.h\"");
    if (from == ir::DType::Float(32) && dtype_.is_integer() && dtype_.bits == 32) {
      const CText bits = {absl::StrCat("lathe_bits_of_float(", value.text, ")")};
      return dtype_.is_int() ? CText{absl::StrCat("(int32_t)", bits.text), kPrefix} : bits;
    }
    if (dtype_ == ir::DType::Float(32) && from.is_integer() && from.bits == 32) {
      return CText{absl::StrCat("lathe_float_of_bits((uint32_t)", value.In(kPrefix), ")")};
    }
    if (from.is_integer() && dtype_.is_integer() && from.bits == dtype_.bits) {
      return NarrowedInt(scope_.needs, dtype_, value);
    }
    // Truncates, or extends with zeros.
    if (from.is_integer() && dtype_.is_integer()) {
      const PrimRef bits = scope_.ir.MakeCast(ir::DType::UInt(from.bits), n_.args[0]);
      return PrintCValue(scope_, scope_.ir.MakeCast(dtype_, bits));
    }
    return CannotPrint(ir::ToString(e_));
  }

  CScope& scope_;
  PrimRef e_;
  const ir::Intrinsic& n_;
  const ir::DType dtype_;
};

}  // namespace

absl::StatusOr<CText> PrintCIntrinsic(CScope& scope, PrimRef e, const ir::Intrinsic& n) {
  return IntrinsicPrinter(scope, e, n).Print();
}

}  // namespace lathe::emit
