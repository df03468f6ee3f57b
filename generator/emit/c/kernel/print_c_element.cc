#include "generator/emit/c/kernel/print_c_element.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// An element in memory is printed as a pointer with a single index.

using ir::BinaryOp;
using ir::PrimRef;

// Prints arithmetic on loop variables and sizes in the width of indices. Values from memory are
// printed by PrintCValue().
class IndexPrinter {
 public:
  explicit IndexPrinter(CScope& scope) : scope_(scope) {}

  absl::StatusOr<CText> Print(PrimRef e) {
    if (!scope_.wide && !FitsBits(scope_, e, 32)) scope_.must_be_wide = true;
    if (const auto* n = e->As<ir::IntImm>()) {
      // The digits of the smallest int64 are a literal that fits no signed type of C.
      if (n->value == std::numeric_limits<int64_t>::min()) return CText{"INT64_MIN"};
      return CText{absl::StrCat(n->value), n->value < 0 ? kPrefix : kPrimary, false, true};
    }
    if (const auto it = scope_.sizes.find(e); it != scope_.sizes.end()) return CText{it->second};
    if (e->As<ir::SymVar>() != nullptr) {
      if (const auto it = scope_.stood_for.find(e); it != scope_.stood_for.end()) {
        const PrimRef stood_for = it->second;  // printing it may add others
        LATHE_ASSIGN_OR_RETURN(const CText value, PrintCValue(scope_, stood_for));
        return AsIndex(value, stood_for->dtype());
      }
      if (const auto it = scope_.axes.find(e); it != scope_.axes.end()) return Print(it->second);
      const auto it = scope_.vars.find(e);
      if (it == scope_.vars.end()) {
        return CannotPrint(absl::StrCat("variable '", ir::ToString(e), "'"));
      }
      return AsIndex(CText{it->second.name}, it->second.declared);
    }
    if (const auto* n = e->As<ir::Cast>()) {
      if (e->dtype().is_integer() && e->dtype().bits >= 32 && n->value->dtype().is_integer()) {
        return Print(n->value);
      }
    }
    if (const auto* n = e->As<ir::Binary>(); n != nullptr && e->dtype().is_int()) {
      return Operation(e, *n);
    }
    if (const auto* n = e->As<ir::Select>()) return Choice(n->cond, n->if_true, n->if_false);
    if (const auto* n = e->As<ir::Intrinsic>();
        n != nullptr && n->name == "if_then_else" && n->args.size() == 3) {
      return Choice(n->args[0], n->args[1], n->args[2]);
    }
    LATHE_ASSIGN_OR_RETURN(const CText value, PrintCValue(scope_, e));
    return AsIndex(value, e->dtype());
  }

 private:
  CText AsIndex(const CText& value, ir::DType dtype) const {
    if (dtype == ir::DType::Int(scope_.wide ? 64 : 32)) return value;
    const absl::string_view type = scope_.wide ? "int64_t" : "int32_t";
    return CText{absl::StrCat("(", type, ")", value.In(kPrefix)), kPrefix};
  }

  absl::StatusOr<CText> Choice(PrimRef cond, PrimRef if_true, PrimRef if_false) {
    LATHE_ASSIGN_OR_RETURN(const CText c, PrintCTruth(scope_, cond));
    LATHE_ASSIGN_OR_RETURN(const CText a, Print(if_true));
    LATHE_ASSIGN_OR_RETURN(const CText b, Print(if_false));
    return CText{absl::StrCat(c.In(kTernary + 1), " ? ", a.In(kTernary + 1), " : ", b.In(kTernary)),
                 kTernary, false, a.literal && b.literal};
  }

  absl::StatusOr<CText> Operation(PrimRef e, const ir::Binary& n) {
    LATHE_ASSIGN_OR_RETURN(CText a, Print(n.lhs));
    LATHE_ASSIGN_OR_RETURN(const CText b, Print(n.rhs));
    const auto infix = [&](const char* op, int precedence) {
      if (a.literal && b.literal) {
        a = {absl::StrCat("(", scope_.wide ? "int64_t" : "int32_t", ")", a.In(kPrefix)), kPrefix};
      }
      return CText{absl::StrCat(a.In(precedence), " ", op, " ", b.In(precedence + 1)), precedence};
    };
    switch (n.op) {
      case BinaryOp::kAdd:
        return infix("+", kSum);
      case BinaryOp::kSub:
        return infix("-", kSum);
      case BinaryOp::kMul:
        return infix("*", kProduct);
      case BinaryOp::kMin:
      case BinaryOp::kMax: {
        const char* op = n.op == BinaryOp::kMin ? " < " : " > ";
        return CText{absl::StrCat(a.In(kOrder), op, b.In(kOrder + 1), " ? ", a.In(kTernary + 1),
                                  " : ", b.In(kTernary + 1)),
                     kTernary, false, a.literal && b.literal};
      }
      case BinaryOp::kDiv:
      case BinaryOp::kMod:
      case BinaryOp::kFloorDiv:
      case BinaryOp::kFloorMod:
        return Divided(n, a, b);
      default:
        return PrintCValue(scope_, e);
    }
  }

  absl::StatusOr<CText> Divided(const ir::Binary& n, const CText& a, const CText& b) {
    const bool quotient = n.op == BinaryOp::kDiv || n.op == BinaryOp::kFloorDiv;
    const bool floors = n.op == BinaryOp::kFloorDiv || n.op == BinaryOp::kFloorMod;
    if (RangeOf(scope_, n.rhs).lo > 0 && (!floors || RangeOf(scope_, n.lhs).lo >= 0)) {
      return CText{absl::StrCat(a.In(kProduct), quotient ? " / " : " % ", b.In(kProduct + 1)),
                   kProduct};
    }
    scope_.needs.headers.insert("\"lathe/scalar.h\"");
    return CText{absl::StrCat("lathe_", floors ? "floor" : "", quotient ? "div" : "mod", "_i",
                              scope_.wide ? "64" : "32", "(", a.text, ", ", b.text, ")")};
  }

  CScope& scope_;
};

// Returns the strides of `buffer`. They are row-major if the buffer declares none.
std::vector<PrimRef> StridesOf(ir::Context& ir, const ir::Buffer& buffer) {
  std::vector<PrimRef> strides(buffer.shape.size());
  PrimRef stride = ir.Int(1);
  for (size_t i = buffer.shape.size(); i-- > 0;) {
    strides[i] =
        buffer.strides.empty() ? stride : ir.MakeCast(ir::DType::Int(64), buffer.strides[i]);
    stride = ir.Make(BinaryOp::kMul, stride, ir.MakeCast(ir::DType::Int(64), buffer.shape[i]));
  }
  return strides;
}

}  // namespace

absl::StatusOr<CText> PrintCIndexValue(CScope& scope, PrimRef e) {
  return IndexPrinter(scope).Print(e);
}

absl::StatusOr<std::string> PrintCIndex(CScope& scope, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(CText text, PrintCIndexValue(scope, e));
  return std::move(text.text);
}

absl::StatusOr<std::string> PrintCSize(CScope& scope, PrimRef e) {
  bool of_numbers = false;
  for (PrimRef var : analysis::VarsIn(e)) of_numbers = of_numbers || scope.ir.IsSigned(var);
  if (!of_numbers || KeepsItsRange(scope, e)) return PrintCIndex(scope, e);
  scope.must_be_wide = true;
  return PrintCExpr(scope, e);
}

bool IsPlace(PrimRef e) {
  if (const auto* n = e->As<ir::Binary>()) {
    const bool computes = n->op == BinaryOp::kAdd || n->op == BinaryOp::kSub ||
                          n->op == BinaryOp::kMul || n->op == BinaryOp::kMin ||
                          n->op == BinaryOp::kMax || n->op == BinaryOp::kFloorDiv ||
                          n->op == BinaryOp::kFloorMod;
    return computes && IsPlace(n->lhs) && IsPlace(n->rhs);
  }
  if (const auto* n = e->As<ir::Cast>()) return e->dtype().is_int() && IsPlace(n->value);
  return e->As<ir::IntImm>() != nullptr || (e->As<ir::SymVar>() != nullptr && e->dtype().is_int());
}

bool IsOfData(const CScope& scope, PrimRef e) {
  if (e->As<ir::Load>() != nullptr || e->dtype().is_floating()) return true;
  if (e->As<ir::SymVar>() != nullptr) return scope.data.contains(e);
  bool of_data = false;
  ir::ForEachOperand(e, [&](PrimRef part) { of_data = of_data || IsOfData(scope, part); });
  return of_data;
}

namespace {

// Returns `index` with each subexpression that depends on memory replaced by a variable. Such a
// subexpression wraps around in its own dtype and must keep the value that the program checked, so
// it is not simplified together with the rest of the index.
PrimRef WithStandIns(CScope& scope, PrimRef index) {
  if (!IsOfData(scope, index)) return index;
  if (index->As<ir::Load>() != nullptr || index->As<ir::SymVar>() != nullptr) return index;
  const ir::DType dtype = index->dtype();
  if (const auto* cast = index->As<ir::Cast>()) {
    const ir::DType from = cast->value->dtype();
    const bool widens = dtype.is_int() && from.is_int() && from.bits <= dtype.bits;
    if (widens) return scope.ir.MakeCast(dtype, WithStandIns(scope, cast->value));
  }
  PrimRef& stand_in = scope.stand_ins[index];
  if (stand_in == nullptr) {
    stand_in = scope.ir.NewVar("data", dtype);
    scope.stood_for[stand_in] = index;
    scope.data.insert(stand_in);
    scope.ranges.Bound(stand_in, CertainRangeOf(scope, index));
  }
  return stand_in;
}

// The pointer to an element's buffer and the index of the element. The index of a variable is null.
struct CPlace {
  std::string pointer;
  PrimRef offset = nullptr;
};

absl::StatusOr<CPlace> ElementPlace(CScope& scope, ir::BufferRef buffer,
                                    const std::vector<PrimRef>& indices) {
  const auto cannot = [&](absl::string_view why) {
    return CannotPrint(absl::StrCat("an element of '", buffer->name, "', ", why, ","));
  };
  ir::Context& ir = scope.ir;
  if (const auto view = scope.views.find(buffer); view != scope.views.end()) {
    const CView v = view->second;
    std::vector<PrimRef> in_source = v.mins;
    if (indices.size() > in_source.size()) return cannot("a view of more dimensions");
    const size_t leading = in_source.size() - indices.size();
    for (size_t i = 0; i < indices.size(); ++i) {
      in_source[leading + i] =
          ir.Make(BinaryOp::kAdd, ir.MakeCast(ir::DType::Int(64), in_source[leading + i]),
                  ir.MakeCast(ir::DType::Int(64), indices[i]));
    }
    return ElementPlace(scope, v.source, in_source);
  }
  const auto it = scope.buffers.find(buffer);
  if (it == scope.buffers.end()) return cannot("which nothing here defines");
  if (indices.size() != buffer->shape.size()) return cannot("indexed by another number of indices");
  if (scope.locals.contains(buffer)) return CPlace{it->second, nullptr};
  const std::vector<PrimRef> strides = StridesOf(ir, *buffer);
  PrimRef offset = buffer->elem_offset == nullptr
                       ? ir.Int(0)
                       : ir.MakeCast(ir::DType::Int(64), buffer->elem_offset);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i]->dtype().is_scalar() || !indices[i]->dtype().is_integer()) {
      return cannot("several at once");
    }
    const PrimRef place = WithStandIns(scope, ExpandAxes(scope, indices[i]));
    const PrimRef index = ir.MakeCast(ir::DType::Int(64), place);
    offset = ir.Make(BinaryOp::kAdd, offset, ir.Make(BinaryOp::kMul, index, strides[i]));
  }
  offset = analysis::Simplify(ir, ExpandAxes(scope, offset), scope.ranges);
  return CPlace{it->second, offset};
}

}  // namespace

absl::StatusOr<StoredPlace> PrintCPlace(CScope& scope, ir::BufferRef buffer,
                                        const std::vector<PrimRef>& indices) {
  LATHE_ASSIGN_OR_RETURN(const CPlace place, ElementPlace(scope, buffer, indices));
  if (place.offset == nullptr) return StoredPlace{place.pointer, "", true};
  LATHE_ASSIGN_OR_RETURN(std::string index, PrintCIndex(scope, place.offset));
  return StoredPlace{place.pointer, std::move(index)};
}

absl::StatusOr<std::string> PrintCElement(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<PrimRef>& indices) {
  LATHE_ASSIGN_OR_RETURN(const StoredPlace place, PrintCPlace(scope, buffer, indices));
  return place.Element();
}

absl::StatusOr<std::string> PrintCAddress(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<PrimRef>& indices) {
  LATHE_ASSIGN_OR_RETURN(CPlace place, ElementPlace(scope, buffer, indices));
  if (place.offset != nullptr && ir::IsPacked(buffer->dtype)) {
    // The element must start at a byte boundary.
    ir::Context& ir = scope.ir;
    const int64_t group = ir::PackedGroup(buffer->dtype);
    const PrimRef past = ir.Make(BinaryOp::kFloorMod, place.offset, ir.Int(group));
    if (analysis::Simplify(ir, past, scope.ranges) != ir.Int(0)) {
      return absl::UnimplementedError(absl::StrCat(
          "the address of an element of '", buffer->name, "' of ", ToString(buffer->dtype),
          ", which may begin in the middle of a byte, cannot be printed as C; supported: of "
          "elements whose number among all is known to be a multiple of ",
          group));
    }
    const PrimRef bits = ir.Make(BinaryOp::kMul, place.offset, ir.Int(buffer->dtype.bits));
    place.offset =
        analysis::Simplify(ir, ir.Make(BinaryOp::kFloorDiv, bits, ir.Int(8)), scope.ranges);
  }
  if (place.offset == nullptr) return absl::StrCat("&", place.pointer);
  LATHE_ASSIGN_OR_RETURN(const std::string index, PrintCIndex(scope, place.offset));
  return absl::StrCat("&", place.pointer, "[", index, "]");
}

}  // namespace lathe::emit
