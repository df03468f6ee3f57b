#include "generator/reader/relax_text/elaboration/host_values.h"

#include <limits>
#include <optional>

#include "generator/reader/relax_text/elaboration/python_numbers.h"

namespace lathe::relax_text {
namespace {

std::optional<PythonNumber> Evaluate(const HostValues& known, const ast::Expr& e) {
  if (const auto* i = e.As<ast::Int>()) {
    if (!i->fits) return std::nullopt;
    return PythonNumber(absl::int128(i->value));
  }
  if (const auto* f = e.As<ast::Float>()) return PythonNumber(f->value);
  if (const auto* name = e.As<ast::Name>()) {
    const HostValue* value = known.Find(name->id, e.span());
    if (value == nullptr || value->number == nullptr) return std::nullopt;
    return Evaluate(known, *value->number);
  }
  if (const auto* unary = e.As<ast::Unary>()) {
    if (unary->op != ast::UnaryOp::kMinus && unary->op != ast::UnaryOp::kPlus) return std::nullopt;
    const std::optional<PythonNumber> value = Evaluate(known, *unary->operand);
    if (!value || unary->op == ast::UnaryOp::kPlus) return value;
    if (const auto* real = std::get_if<double>(&*value)) return PythonNumber(-*real);
    return PythonNumber(-std::get<absl::int128>(*value));
  }
  const auto* binary = e.As<ast::Binary>();
  if (binary == nullptr) return std::nullopt;
  const std::optional<PythonNumber> lhs = Evaluate(known, *binary->lhs);
  const std::optional<PythonNumber> rhs = Evaluate(known, *binary->rhs);
  if (!lhs || !rhs) return std::nullopt;
  const auto result = Calculate(binary->op, *lhs, *rhs);
  const auto* number = std::get_if<PythonNumber>(&result);
  if (number == nullptr) return std::nullopt;
  return *number;
}

bool Fits(const PythonNumber& number) {
  const auto* whole = std::get_if<absl::int128>(&number);
  return whole == nullptr || (*whole >= std::numeric_limits<int64_t>::min() &&
                              *whole <= std::numeric_limits<int64_t>::max());
}

const ast::Expr* Written(SyntaxTree& tree, const PythonNumber& number, const TextSpan& span) {
  if (const auto* real = std::get_if<double>(&number)) return tree.Add(span, ast::Float{*real, {}});
  const absl::int128 whole = std::get<absl::int128>(number);
  const bool negative = whole < 0;
  const ast::Expr* size =
      tree.Add(span, ast::Int{static_cast<uint64_t>(negative ? -whole : whole), true});
  return negative ? tree.Add(span, ast::Unary{ast::UnaryOp::kMinus, size}) : size;
}

}  // namespace

HostValue& HostValues::Add(absl::string_view name, TextSpan span) {
  const auto [it, is_new] = values_.try_emplace(name);
  HostValue& value = it->second;
  if (is_new) {
    names_.push_back(name);
    value.span = span;
  } else {
    value.number = nullptr;
    value.what = "bound more than once";
  }
  return value;
}

const HostValue& HostValues::Assign(SyntaxTree& tree, const ast::Expr& name, const ast::Expr& value,
                                    bool declares_var) {
  const std::optional<PythonNumber> number = Evaluate(*this, value);
  HostValue& bound = Add(name.As<ast::Name>()->id, name.span());
  bound.declares_var = declares_var;
  names_sizes_ = names_sizes_ || declares_var || number.has_value();
  if (!bound.what.empty()) return bound;
  if (value.As<ast::Float>() != nullptr) {
    bound.number = &value;
  } else if (number && !Fits(*number)) {
    bound.what = "a number that no int64 holds";
  } else if (number) {
    bound.number = Written(tree, *number, name.span());
  } else {
    bound.what = std::string(ast::Describe(value));
  }
  return bound;
}

void HostValues::Hide(absl::string_view name, absl::string_view what, TextSpan span) {
  HostValue& bound = Add(name, span);
  bound.declares_var = false;
  if (bound.what.empty()) bound.what = std::string(what);
}

const HostValue* HostValues::Find(absl::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? nullptr : &it->second;
}

const HostValue* HostValues::Find(absl::string_view name, const TextSpan& use) const {
  const HostValue* value = Find(name);
  return value == nullptr || value->span.begin >= use.begin ? nullptr : value;
}

std::variant<int64_t, double> NumberOf(const ast::Expr& number) {
  if (const auto* real = number.As<ast::Float>()) return real->value;
  if (const auto* whole = number.As<ast::Int>()) return static_cast<int64_t>(whole->value);
  const std::variant<int64_t, double> size = NumberOf(*number.As<ast::Unary>()->operand);
  if (const auto* real = std::get_if<double>(&size)) return -*real;
  // The negation is unsigned because the smallest int64 has no positive counterpart.
  return static_cast<int64_t>(0 - static_cast<uint64_t>(std::get<int64_t>(size)));
}

ScalarValue NumberValue(const ast::Expr& number) {
  const std::variant<int64_t, double> value = NumberOf(number);
  if (const auto* real = std::get_if<double>(&value)) return ScalarValue::Node(*real);
  return ScalarValue::Node(absl::int128(std::get<int64_t>(value)));
}

const ast::Expr* NumberAt(SyntaxTree& tree, const ast::Expr& number, const TextSpan& span) {
  if (const auto* unary = number.As<ast::Unary>()) {
    return tree.Add(span, ast::Unary{unary->op, NumberAt(tree, *unary->operand, span)});
  }
  return tree.Add(span, number.node());
}

}  // namespace lathe::relax_text
