#include "generator/reader/relax_text/tir/scalar_convert.h"

#include <limits>

#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

DiagnosticBuilder Wanted(Elaboration& el, const ast::Expr& e, absl::string_view what,
                         const ScalarValue& value) {
  return std::move(el.Error(e, "wrong-kind-of-value")
                   << "expected " << what << ", got " << Describe(value));
}

absl::StatusOr<PrimRef> ToNumber(Elaboration& el, const ast::Expr& e, absl::int128 number,
                                 DType int_dtype) {
  DType dtype = int_dtype;
  if (!FitsIn(dtype, number)) dtype = DType::Int(64);
  if (PrimRef made = MakeNumber(el.context(), dtype, number); made != nullptr) return made;
  return el.Error(e, "number-out-of-range")
         << "an integer literal without a type must fit in int64";
}

// In expressions, the AttrObject of an iteration variable denotes its variable.
PrimRef VariableOf(const ir::AttrObject& object) {
  if (object.kind != "iter_var" || object.fields == nullptr) return nullptr;
  const PrimRef* var = ir::FindAttr<PrimRef>(*object.fields, "var");
  return var == nullptr ? nullptr : *var;
}

}  // namespace

absl::StatusOr<PrimRef> ToScalar(Elaboration& el, const ast::Expr& e, const ScalarValue& value,
                                 DType int_dtype) {
  if (const PrimRef* scalar = value.As<PrimRef>()) return *scalar;
  if (const bool* truth = value.As<bool>()) return el.context().Bool(*truth);
  if (const auto* number = value.As<absl::int128>()) return ToNumber(el, e, *number, int_dtype);
  if (const double* real = value.As<double>()) {
    return el.context().Float(*real, DType::Float(32));
  }
  if (const auto* slice = value.As<BufferSlice>()) return ToLoad(el, e, *slice);
  if (const auto* object = value.As<ir::AttrObject>()) {
    if (PrimRef var = VariableOf(*object); var != nullptr) return var;
  }
  if (const auto* buffer = value.As<ir::BufferRef>()) {
    return el.Error(e, "buffer-not-indexed")
           << "the buffer '" << (*buffer)->name << "' is used as a scalar; index it, as in "
           << (*buffer)->name << "[...]";
  }
  return Wanted(el, e, "a scalar", value);
}

absl::StatusOr<PrimRef> ToArgument(Elaboration& el, const ast::Expr& e, const ScalarValue& value,
                                   DType int_dtype) {
  if (const auto* text = value.As<std::string>()) return el.context().String(*text);
  if (const auto* type = value.As<TypeName>()) {
    return el.context().String(ir::ToString(type->dtype));
  }
  if (const auto* buffer = value.As<ir::BufferRef>()) {
    return el.context().Make(DType::Handle(), ir::RegionArg{*buffer, {}, {}});
  }
  if (const auto* slice = value.As<BufferSlice>()) {
    bool strided = false;
    for (const SliceIndex& index : slice->indices) strided |= index.step != nullptr;
    if (!strided) {
      ir::RegionArg region{slice->buffer, {}, {}};
      for (const SliceIndex& index : slice->indices) {
        region.mins.push_back(index.min);
        region.extents.push_back(
            index.stop == nullptr ? nullptr : ExtentOf(el.context(), index.min, index.stop));
      }
      return el.context().Make(DType::Handle(), std::move(region));
    }
  }
  return ToScalar(el, e, value, int_dtype);
}

absl::StatusOr<ir::AttrValue> ToAttr(Elaboration& el, const ast::Expr& e,
                                     const ScalarValue& value) {
  if (value.is_none()) return ir::AttrValue();
  if (const bool* truth = value.As<bool>()) return ir::AttrValue(*truth);
  if (const auto* number = value.As<absl::int128>()) {
    if (!FitsIn(DType::Int(64), *number)) {
      return el.Error(e, "number-out-of-range") << "an integer attribute must fit in 64 bits";
    }
    return ir::AttrValue(static_cast<int64_t>(*number));
  }
  if (const double* real = value.As<double>()) return ir::AttrValue(*real);
  if (const auto* text = value.As<std::string>()) return ir::AttrValue(*text);
  if (const PrimRef* scalar = value.As<PrimRef>()) return ir::AttrValue(*scalar);
  if (const auto* type = value.As<TypeName>()) return ir::AttrValue(type->dtype);
  if (const auto* object = value.As<ir::AttrObject>()) return ir::AttrValue(*object);
  if (const auto* dict = value.As<std::shared_ptr<const ir::AttrMap>>()) {
    return ir::AttrValue(**dict);
  }
  if (const auto* map = value.As<std::shared_ptr<const ir::IndexMap>>()) {
    return ir::AttrValue(ir::AttrValue::Node(*map));
  }
  if (const ScalarList* list = value.list()) {
    ir::AttrList out;
    for (const ScalarValue& item : *list) {
      LATHE_ASSIGN_OR_RETURN(ir::AttrValue attr, ToAttr(el, e, item));
      out.push_back(std::move(attr));
    }
    return ir::AttrValue(std::move(out));
  }
  LATHE_ASSIGN_OR_RETURN(PrimRef argument, ToArgument(el, e, value, DType::Int(32)));
  return ir::AttrValue(argument);
}

absl::StatusOr<DType> ToDType(Elaboration& el, const ast::Expr& e, const ScalarValue& value) {
  if (const auto* type = value.As<TypeName>()) return type->dtype;
  const auto* text = value.As<std::string>();
  if (text == nullptr) return Wanted(el, e, "a data type", value);
  if (std::optional<DType> dtype = ir::ParseDType(*text)) return *dtype;
  return el.Error(e, "unknown-dtype") << "'" << *text << "' is not a data type";
}

absl::StatusOr<std::string> ToString(Elaboration& el, const ast::Expr& e,
                                     const ScalarValue& value) {
  if (const auto* text = value.As<std::string>()) return *text;
  if (const PrimRef* scalar = value.As<PrimRef>()) {
    if (const auto* imm = (*scalar)->As<ir::StringImm>()) return imm->value;
  }
  return Wanted(el, e, "a string", value);
}

absl::StatusOr<int64_t> ToInt(Elaboration& el, const ast::Expr& e, const ScalarValue& value) {
  if (const auto* number = value.As<absl::int128>(); number != nullptr) {
    if (FitsIn(DType::Int(64), *number)) return static_cast<int64_t>(*number);
    return el.Error(e, "number-out-of-range") << "expected an integer that fits in 64 bits";
  }
  if (const bool* truth = value.As<bool>()) return *truth ? 1 : 0;
  if (const PrimRef* scalar = value.As<PrimRef>()) {
    if (const auto* imm = (*scalar)->As<ir::IntImm>()) return imm->value;
  }
  return Wanted(el, e, "a constant integer", value);
}

absl::StatusOr<bool> ToBool(Elaboration& el, const ast::Expr& e, const ScalarValue& value) {
  if (const bool* truth = value.As<bool>()) return *truth;
  LATHE_ASSIGN_OR_RETURN(int64_t number, ToInt(el, e, value));
  return number != 0;
}

PrimRef ExtentOf(ir::Context& context, PrimRef min, PrimRef stop) {
  MatchTypes(context, min, stop);
  const auto* low = min->As<ir::IntImm>();
  const auto* high = stop->As<ir::IntImm>();
  if (low != nullptr && low->value == 0) return stop;
  if (low != nullptr && high != nullptr) {
    const PrimRef folded =
        MakeNumber(context, stop->dtype(), absl::int128(high->value) - absl::int128(low->value));
    if (folded != nullptr) return folded;
  }
  // lo : lo + n, whichever way the user has it.
  if (const auto* sum = stop->As<ir::Binary>(); sum != nullptr && sum->op == ir::BinaryOp::kAdd) {
    if (sum->lhs == min) return sum->rhs;
    if (sum->rhs == min) return sum->lhs;
  }
  return context.Make(ir::BinaryOp::kSub, stop, min);
}

namespace {

// vscale() * 4: as many lanes as that times what the machine has; 0 for anything else.
int ScalableLanes(PrimRef extent) {
  const auto is_vscale = [](PrimRef e) {
    const auto* call = e->As<ir::Intrinsic>();
    return call != nullptr && call->name == "vscale";
  };
  if (is_vscale(extent)) return 1;
  const auto* product = extent->As<ir::Binary>();
  if (product == nullptr || product->op != ir::BinaryOp::kMul) return 0;
  const bool first = is_vscale(product->lhs);
  const auto* count = (first ? product->rhs : product->lhs)->As<ir::IntImm>();
  const bool fits =
      count != nullptr && count->value > 0 && count->value <= std::numeric_limits<int16_t>::max();
  return fits && (first || is_vscale(product->rhs)) ? static_cast<int>(count->value) : 0;
}

}  // namespace

absl::StatusOr<std::vector<PrimRef>> ToIndices(Elaboration& el, const ast::Expr& e,
                                               const BufferSlice& slice) {
  ir::Context& context = el.context();
  std::vector<PrimRef> indices;
  for (const SliceIndex& index : slice.indices) {
    if (!indices.empty() && !indices.back()->dtype().is_scalar()) {
      return el.Error(e, "buffer-index-type") << "only the last index of '" << slice.buffer->name
                                              << "' may be a vector, but an earlier one has dtype "
                                              << ir::ToString(indices.back()->dtype());
    }
    if (index.stop == nullptr) {
      indices.push_back(index.min);
      continue;
    }
    const PrimRef extent = ExtentOf(context, index.min, index.stop);
    const PrimRef step =
        index.step != nullptr ? index.step : context.Int(1, index.min->dtype().element());
    const auto* count = extent->As<ir::IntImm>();
    const auto* stride = step->As<ir::IntImm>();
    if (const int scalable = ScalableLanes(extent); scalable > 0 && index.step == nullptr) {
      indices.push_back(
          context.Make(index.min->dtype().with_lanes(-scalable), ir::Ramp{index.min, step}));
      continue;
    }
    if (count == nullptr || count->value <= 0) {
      return el.Error(e, "slice-not-a-vector")
             << "the length of a slice must be a positive constant, got " << ir::ToString(extent);
    }
    if (stride == nullptr || stride->value <= 0) {
      return el.Error(e, "slice-not-a-vector")
             << "the step of a slice must be a positive constant, got " << ir::ToString(step);
    }
    const int64_t lanes = (count->value - 1) / stride->value + 1;
    if (lanes > std::numeric_limits<int16_t>::max()) {
      return el.diags().LimitExceeded(e.span(), "limit-vector-lanes")
             << "a vector of " << lanes << " lanes; at most " << std::numeric_limits<int16_t>::max()
             << " are possible";
    }
    if (lanes == 1) {
      indices.push_back(index.min);
      continue;
    }
    PrimRef base = index.min;
    PrimRef distance = step;
    MatchTypes(context, base, distance);
    indices.push_back(
        context.Make(base->dtype().with_lanes(static_cast<int>(lanes)), ir::Ramp{base, distance}));
  }
  return indices;
}

absl::StatusOr<PrimRef> ToLoad(Elaboration& el, const ast::Expr& e, const BufferSlice& slice,
                               PrimRef predicate) {
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, ToIndices(el, e, slice));
  return el.context().MakeLoad(slice.buffer, std::move(indices), predicate);
}

ir::BufferRegion ToRegion(ir::Context& context, const BufferSlice& slice) {
  ir::BufferRegion region{slice.buffer, {}, {}};
  for (const SliceIndex& index : slice.indices) {
    region.mins.push_back(index.min);
    region.extents.push_back(index.stop == nullptr ? context.Int(1, index.min->dtype().element())
                                                   : ExtentOf(context, index.min, index.stop));
  }
  return region;
}

ir::BufferRegion WholeRegion(ir::Context& context, ir::BufferRef buffer) {
  ir::BufferRegion region{buffer, {}, buffer->shape};
  for (PrimRef dim : buffer->shape) region.mins.push_back(context.Int(0, dim->dtype()));
  return region;
}

}  // namespace lathe::relax_text
