#include "generator/reader/relax_text/relax/tensor_literal.h"

#include <limits>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/tir/elaborate_scalar.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;

// One element: what was written, before there is a dtype.
struct Number {
  enum class Kind { kBool, kInt, kReal } kind;
  absl::int128 integer = 0;
  double real = 0;
  const ast::Expr* at;
};

// "inf", "-inf", "nan", as printers write those as strings.
std::optional<double> NamedReal(absl::string_view text) {
  const std::string name = absl::AsciiStrToLower(text);
  const double infinity = std::numeric_limits<double>::infinity();
  if (name == "inf" || name == "+inf" || name == "infinity") return infinity;
  if (name == "-inf" || name == "-infinity") return -infinity;
  if (name == "nan" || name == "-nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<Number> AsNumber(const ast::Expr& e) {
  if (const auto* n = e.As<ast::Int>()) return Number{Number::Kind::kInt, n->value, 0, &e};
  if (const auto* n = e.As<ast::Float>()) return Number{Number::Kind::kReal, 0, n->value, &e};
  if (const auto* n = e.As<ast::Constant>(); n && n->kind != ast::Constant::Kind::kNone) {
    return Number{Number::Kind::kBool, n->kind == ast::Constant::Kind::kTrue ? 1 : 0, 0, &e};
  }
  if (const auto* unary = e.As<ast::Unary>()) {
    std::optional<Number> inner = AsNumber(*unary->operand);
    if (!inner || inner->kind == Number::Kind::kBool) return std::nullopt;
    if (unary->op == ast::UnaryOp::kMinus) {
      inner->integer = -inner->integer;
      inner->real = -inner->real;
    } else if (unary->op != ast::UnaryOp::kPlus) {
      return std::nullopt;
    }
    inner->at = &e;
    return inner;
  }
  const auto* text = e.As<ast::Str>();
  if (const auto* call = e.As<ast::Call>(); call != nullptr && call->args.size() == 1) {
    const auto* name = call->callee->As<ast::Name>();
    if (name != nullptr && name->id == "float") text = call->args[0]->As<ast::Str>();
  }
  if (text != nullptr) {
    if (const std::optional<double> real = NamedReal(text->value)) {
      return Number{Number::Kind::kReal, 0, *real, &e};
    }
  }
  return std::nullopt;
}

// 1 / 8: numbers and operators between them.
bool IsArithmetic(const ast::Expr& e) {
  if (AsNumber(e)) return true;
  if (const auto* unary = e.As<ast::Unary>()) return IsArithmetic(*unary->operand);
  const auto* binary = e.As<ast::Binary>();
  return binary != nullptr && IsArithmetic(*binary->lhs) && IsArithmetic(*binary->rhs);
}

// Nothing has a name among numbers.
class NoNames : public ScalarScope {
 public:
  absl::StatusOr<ir::PrimRef> Resolve(const ast::Expr&) override { return AlreadyDiagnosed(); }
};

class LiteralReader {
 public:
  explicit LiteralReader(Elaboration& el) : el_(el) {}

  absl::StatusOr<ir::Constant> Read(const ast::Expr& e, std::optional<DType> dtype) {
    LATHE_RETURN_IF_ERROR(Collect(e, 0));
    ir::Constant constant;
    constant.dtype = dtype ? *dtype : DefaultDType();
    constant.shape = shape_;
    if (!constant.dtype.is_scalar() || !interp::IsComputable(constant.dtype)) {
      return el_.Error(e, "unknown-dtype")
             << "a tensor cannot have the dtype " << ir::ToString(constant.dtype);
    }
    LATHE_ASSIGN_OR_RETURN(constant.bytes, Encode(constant.dtype));
    return constant;
  }

 private:
  absl::Status Collect(const ast::Expr& e, size_t depth) {
    if (const std::optional<Number> number = AsNumber(e)) {
      if (const auto* i = e.As<ast::Int>(); i != nullptr && !i->fits) return AlreadyDiagnosed();
      full_ = true;
      if (depth != shape_.size()) return Ragged(e);
      numbers_.push_back(*number);
      return absl::OkStatus();
    }
    if (IsArithmetic(e)) {
      LATHE_ASSIGN_OR_RETURN(const Number number, Fold(e));
      full_ = true;
      if (depth != shape_.size()) return Ragged(e);
      numbers_.push_back(number);
      return absl::OkStatus();
    }
    const auto* list = e.As<ast::List>();
    const auto* tuple = e.As<ast::Tuple>();
    if (list == nullptr && tuple == nullptr) {
      return el_.Unsupported(e, "host-python").Help("write the elements as numbers in nested lists")
             << "the elements of a constant must be numbers, got " << ast::Describe(e);
    }
    const ast::ExprList elements = list != nullptr ? list->elements : tuple->elements;
    const auto length = static_cast<int64_t>(elements.size());
    if (depth < shape_.size()) {
      if (shape_[depth] != length) return Ragged(e);
    } else if (full_) {
      return Ragged(e);
    } else if (depth >= static_cast<size_t>(kMaxDims)) {
      return el_.diags().LimitExceeded(e.span(), "limit-dimensions")
             << "a constant has at most " << CountOf(kMaxDims, "dimension");
    } else {
      shape_.push_back(length);
    }
    if (length == 0) full_ = true;
    for (ast::ExprRef element : elements) LATHE_RETURN_IF_ERROR(Collect(*element, depth + 1));
    return absl::OkStatus();
  }

  absl::StatusOr<Number> Fold(const ast::Expr& e) {
    NoNames names;
    LATHE_ASSIGN_OR_RETURN(const ir::AttrValue value, ElaborateAttr(el_, e, names));
    if (const auto* i = value.As<int64_t>()) return Number{Number::Kind::kInt, *i, 0, &e};
    if (const auto* d = value.As<double>()) return Number{Number::Kind::kReal, 0, *d, &e};
    return el_.Error(e, "wrong-kind-of-value") << "an element is not a number";
  }

  absl::Status Ragged(const ast::Expr& e) {
    return el_.Error(e, "ragged-constant")
           << "the nested lists of a constant must have equal lengths";
  }

  DType DefaultDType() const {
    bool all_bool = !numbers_.empty();
    for (const Number& n : numbers_) {
      if (n.kind == Number::Kind::kReal) return DType::Float(32);
      all_bool = all_bool && n.kind == Number::Kind::kBool;
    }
    if (numbers_.empty()) return DType::Float(32);
    return all_bool ? DType::Bool() : DType::Int(32);
  }

  static bool FitsIn(DType dtype, absl::int128 value) {
    const int bits = dtype.bits;
    if (dtype.is_uint()) return value >= 0 && value < (absl::int128(1) << bits);
    const absl::int128 half = absl::int128(1) << (bits - 1);
    return value >= -half && value < half;
  }

  absl::StatusOr<std::shared_ptr<const std::vector<uint8_t>>> Encode(DType dtype) {
    auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, numbers_.size()));
    const int bits = dtype.is_bool() ? 8 : dtype.bits;
    for (size_t i = 0; i < numbers_.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(const uint64_t code, EncodeOne(dtype, numbers_[i]));
      if (bits % 8 == 0) {
        for (int b = 0; b < bits / 8; ++b) {
          (*bytes)[i * (bits / 8) + b] = static_cast<uint8_t>(code >> (8 * b));
        }
        continue;
      }
      // Elements of less than a byte are packed, starting at the low bits.
      for (int b = 0; b < bits; ++b) {
        const size_t bit = i * bits + b;
        if ((code >> b & 1) != 0) (*bytes)[bit / 8] |= static_cast<uint8_t>(1 << (bit % 8));
      }
    }
    return std::shared_ptr<const std::vector<uint8_t>>(std::move(bytes));
  }

  absl::StatusOr<uint64_t> EncodeOne(DType dtype, const Number& n) {
    const bool real = n.kind == Number::Kind::kReal;
    if (dtype.is_bool()) return real ? (n.real != 0 ? 1 : 0) : (n.integer != 0 ? 1 : 0);
    if (dtype.is_floating()) {
      return interp::FromDouble(dtype, real ? n.real : static_cast<double>(n.integer));
    }
    absl::int128 integer = n.integer;
    if (real) {
      // Like numpy, towards zero; what is not finite or too large has no such integer.
      if (!(n.real > -1e18 && n.real < 1e18)) return OutOfRange(dtype, n);
      integer = static_cast<int64_t>(n.real);
    }
    if (!FitsIn(dtype, integer)) return OutOfRange(dtype, n);
    return static_cast<uint64_t>(absl::Int128Low64(integer));
  }

  absl::Status OutOfRange(DType dtype, const Number& n) {
    return el_.Error(*n.at, "number-out-of-range")
           << "the number does not fit in " << ir::ToString(dtype);
  }

  Elaboration& el_;
  std::vector<Number> numbers_;
  std::vector<int64_t> shape_;
  bool full_ = false;  // the shape is known to its last dimension
};

}  // namespace

absl::StatusOr<ir::Constant> ReadTensorLiteral(Elaboration& el, const ast::Expr& e,
                                               std::optional<DType> dtype) {
  return LiteralReader(el).Read(e, dtype);
}

bool IsNumber(const ast::Expr& e) { return e.As<ast::Str>() == nullptr && AsNumber(e).has_value(); }

}  // namespace lathe::relax_text
