#include "generator/emit/c/kernel/print_vector_expr.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/schedule/vectors/vector_functions.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

bool Varies(const VectorScope& v, PrimRef e) {
  if (e == v.axis || v.vectors.contains(e)) return true;
  bool any = false;
  ir::ForEachOperand(e, [&](PrimRef operand) { any = any || Varies(v, operand); });
  return any;
}

std::string AsVector(VectorScope& v, const VectorText& text) {
  if (text.is_vector) return text.text.text;
  return absl::StrCat(VectorFunction(v.scope, "all"), "(", text.text.text, ")");
}

VectorText Call(const std::string& function, const std::vector<std::string>& args) {
  return {{absl::StrCat(function, "(", absl::StrJoin(args, ", "), ")"), kPrimary}, true};
}

absl::string_view Symbol(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAnd:
      return "&";
    case BinaryOp::kOr:
      return "|";
    default:
      return ir::Spelling(op);
  }
}

int PrecedenceOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      return kSum;
    case BinaryOp::kMul:
    case BinaryOp::kDiv:
      return kProduct;
    case BinaryOp::kEq:
    case BinaryOp::kNe:
      return kEquality;
    case BinaryOp::kAnd:
      return kBitAnd;
    case BinaryOp::kOr:
      return kBitOr;
    default:
      return kOrder;
  }
}

// Prints product + addend as a call of the helper for vectors or for a vector times a scalar.
// Returns nothing if `product` is no product of vectors.
absl::StatusOr<std::optional<VectorText>> OfProductSum(VectorScope& v, PrimRef product,
                                                       PrimRef addend) {
  const auto* n = product->As<ir::Binary>();
  if (n == nullptr || n->op != BinaryOp::kMul || !Varies(v, product)) return std::nullopt;
  if (v.vectors.contains(product)) return std::nullopt;
  LATHE_ASSIGN_OR_RETURN(VectorText a, PrintVectorValue(v, n->lhs));
  LATHE_ASSIGN_OR_RETURN(VectorText b, PrintVectorValue(v, n->rhs));
  LATHE_ASSIGN_OR_RETURN(const std::string sum, PrintVector(v, addend));
  if (!a.is_vector) std::swap(a, b);
  return Call(VectorFunction(v.scope, b.is_vector ? "fma" : "fma_by"),
              {a.text.text, b.text.text, sum});
}

absl::StatusOr<VectorText> OfBinary(VectorScope& v, const ir::Binary& n) {
  if (n.op == BinaryOp::kAdd && v.scope.needs.has_fma_functions) {
    LATHE_ASSIGN_OR_RETURN(auto sum, OfProductSum(v, n.lhs, n.rhs));
    if (sum) return *std::move(sum);
    LATHE_ASSIGN_OR_RETURN(sum, OfProductSum(v, n.rhs, n.lhs));
    if (sum) return *std::move(sum);
  }
  LATHE_ASSIGN_OR_RETURN(const VectorText a, PrintVectorValue(v, n.lhs));
  LATHE_ASSIGN_OR_RETURN(const VectorText b, PrintVectorValue(v, n.rhs));
  if (n.op == BinaryOp::kMin || n.op == BinaryOp::kMax) {
    return Call(VectorFunction(v.scope, n.op == BinaryOp::kMin ? "min" : "max"),
                {AsVector(v, a), AsVector(v, b)});
  }
  const int precedence = PrecedenceOf(n.op);
  return VectorText{
      {absl::StrCat(a.text.In(precedence), " ", Symbol(n.op), " ", b.text.In(precedence + 1)),
       precedence},
      true};
}

absl::StatusOr<VectorText> OfSelect(VectorScope& v, PrimRef cond, PrimRef if_true,
                                    PrimRef if_false) {
  if (!Varies(v, cond)) {
    const PrimRef known = analysis::Simplify(v.scope.ir, cond, v.scope.ranges);
    if (const auto* imm = known->As<ir::IntImm>()) {
      return PrintVectorValue(v, imm->value != 0 ? if_true : if_false);
    }
  }
  LATHE_ASSIGN_OR_RETURN(const std::string a, PrintVector(v, if_true));
  LATHE_ASSIGN_OR_RETURN(const std::string b, PrintVector(v, if_false));
  if (!Varies(v, cond)) {
    LATHE_ASSIGN_OR_RETURN(const CText text, PrintCTruth(v.scope, cond));
    // gcc requires equal types here, and the result of arithmetic does not have the named type.
    const std::string cast = absl::StrCat("(", v.scope.needs.prefix, "_vf)(");
    return VectorText{
        {absl::StrCat(text.In(kTernary + 1), " ? ", cast, a, ") : ", cast, b, ")"), kTernary},
        true};
  }
  LATHE_ASSIGN_OR_RETURN(const VectorText mask, PrintVectorValue(v, cond));
  return Call(VectorFunction(v.scope, "choose"), {mask.text.text, a, b});
}

}  // namespace

std::string VectorFunction(CScope& scope, const std::string& name) {
  scope.needs.vector_functions.insert(name);
  return absl::StrCat(scope.needs.prefix, "_", name);
}

std::string VectorType(const CScope& scope, int lanes) {
  return lanes == 1 ? "float" : absl::StrCat(scope.needs.prefix, "_vf");
}

std::string LanesBefore(const std::string& vector, int lanes) {
  return lanes == 1 ? vector : absl::StrCat(vector, " * ", lanes);
}

void NameSum(VectorScope& v, ir::BufferRef acc, const std::string& name) {
  if (v.lanes != 1) {
    v.vectors[v.scope.ir.MakeLoad(acc, {})] = name;
    return;
  }
  v.scope.locals.insert(acc);
  v.scope.buffers[acc] = name;
}

absl::StatusOr<VectorText> PrintVectorValue(VectorScope& v, PrimRef e) {
  if (v.lanes == 1) {
    e = analysis::Simplify(v.scope.ir, e, v.scope.ranges);
    LATHE_ASSIGN_OR_RETURN(CText text, PrintCValue(v.scope, e));
    return VectorText{std::move(text), false};
  }
  if (const auto it = v.vectors.find(e); it != v.vectors.end()) {
    return VectorText{{it->second, kPrimary}, true};
  }
  if (!Varies(v, e)) {
    LATHE_ASSIGN_OR_RETURN(CText text, PrintCValue(v.scope, e));
    return VectorText{std::move(text), false};
  }
  if (const auto* n = e->As<ir::Load>()) {
    LATHE_ASSIGN_OR_RETURN(const std::string element,
                           PrintCElement(v.scope, n->buffer, n->indices));
    if (v.part.empty()) {
      return Call(VectorFunction(v.scope, "load"), {absl::StrCat("&", element)});
    }
    return Call(VectorFunction(v.scope, "load_part"), {absl::StrCat("&", element), v.part});
  }
  if (const auto* n = e->As<ir::Unary>(); n != nullptr && n->op == ir::UnaryOp::kNeg) {
    LATHE_ASSIGN_OR_RETURN(const VectorText value, PrintVectorValue(v, n->value));
    return VectorText{{absl::StrCat("-", value.text.In(kPrefix + 1)), kPrefix}, true};
  }
  if (const auto* n = e->As<ir::Binary>()) return OfBinary(v, *n);
  if (const auto* n = e->As<ir::Select>()) return OfSelect(v, n->cond, n->if_true, n->if_false);
  const auto* n = e->As<ir::Intrinsic>();
  if (n != nullptr && n->name == "if_then_else" && n->args.size() == 3) {
    return OfSelect(v, n->args[0], n->args[1], n->args[2]);
  }
  const auto* function =
      n == nullptr ? nullptr : schedule::FindVectorFunction(n->name, n->args.size());
  if (function == nullptr) return CannotPrint(absl::StrCat(ir::ToString(e), " of many elements"));
  std::vector<std::string> args;
  for (PrimRef arg : n->args) {
    LATHE_ASSIGN_OR_RETURN(std::string text, PrintVector(v, arg));
    args.push_back(std::move(text));
  }
  return Call(VectorFunction(v.scope, std::string(function->helper)), args);
}

absl::StatusOr<std::string> PrintVector(VectorScope& v, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(const VectorText text, PrintVectorValue(v, e));
  return v.lanes == 1 ? text.text.text : AsVector(v, text);
}

absl::StatusOr<std::string> PrintVectorStore(VectorScope& v, ir::BufferRef buffer,
                                             const std::vector<PrimRef>& indices,
                                             const std::string& value) {
  LATHE_ASSIGN_OR_RETURN(const std::string element, PrintCElement(v.scope, buffer, indices));
  if (v.lanes == 1) return absl::StrCat(element, " = ", value, ";");
  if (v.part.empty()) {
    return absl::StrCat(VectorFunction(v.scope, "store"), "(&", element, ", ", value, ");");
  }
  return absl::StrCat(VectorFunction(v.scope, "store_part"), "(&", element, ", ", value, ", ",
                      v.part, ");");
}

}  // namespace lathe::emit
