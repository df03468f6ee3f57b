#include "generator/interp/match_struct_info.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/closure_structure.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;
using Mismatch = std::optional<std::string>;
using MatchResult = absl::StatusOr<Mismatch>;

bool IsUnboundVar(PrimRef e, const Scope& scope) {
  return e->As<ir::SymVar>() != nullptr && scope.FindShapeVar(e) == nullptr;
}

void BindLoneDims(const std::vector<PrimRef>& dims, const std::vector<int64_t>& values,
                  Scope& scope) {
  for (size_t d = 0; d < dims.size() && d < values.size(); ++d) {
    if (IsUnboundVar(dims[d], scope)) {
      scope.BindShapeVar(dims[d], Scalar::Int(values[d], dims[d]->dtype()));
    }
  }
}

struct Matcher {
  Runtime& rt;
  Scope& scope;
  const Location& loc;

  // Matches a number of the value against an expression; `what` is, for example, "dimension 1".
  MatchResult Number(const Scalar& value, PrimRef wanted, absl::string_view what,
                     ScalarEvaluator::As as = ScalarEvaluator::As::kNumber) {
    if (IsUnboundVar(wanted, scope)) {
      scope.BindShapeVar(wanted, value.CastTo(wanted->dtype()));
      return Mismatch();
    }
    LATHE_ASSIGN_OR_RETURN(const Scalar expected, rt.EvalScalar(wanted, scope, loc, as));
    const bool real = value.dtype.is_floating() || expected.dtype.is_floating();
    const bool same =
        real ? value.AsDouble() == expected.AsDouble() : value.AsInt() == expected.AsInt();
    if (same) return Mismatch();
    const bool literal =
        wanted->As<ir::IntImm>() != nullptr || wanted->As<ir::FloatImm>() != nullptr;
    return Mismatch(absl::StrCat(what, " is ", ToString(value), ", not ", ir::ToString(wanted),
                                 literal ? "" : absl::StrCat(", which is ", ToString(expected))));
  }

  static MatchResult Negative(size_t d, int64_t size) {
    return Mismatch(
        absl::StrCat("dimension ", d, " is ", size, ", but sizes must not be negative"));
  }
  bool IsSizeVar(PrimRef wanted) const {
    return wanted->As<ir::SymVar>() != nullptr && !rt.ir.IsSigned(wanted);
  }

  MatchResult Dims(const std::vector<int64_t>& dims, const std::vector<PrimRef>& wanted) {
    if (dims.size() != wanted.size()) {
      return Mismatch(
          absl::StrCat("it has ", CountOf(dims.size(), "dimension"), ", not ", wanted.size()));
    }
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] < 0 && IsSizeVar(wanted[d])) return Negative(d, dims[d]);
      LATHE_ASSIGN_OR_RETURN(Mismatch m,
                             Number(Scalar::Int(dims[d]), wanted[d], absl::StrCat("dimension ", d),
                                    ScalarEvaluator::As::kSize));
      if (m) return m;
    }
    return Mismatch();
  }

  MatchResult Tensor(const Value& value, const ir::TensorInfo& info) {
    const auto* tensor = value.AsTensor();
    if (tensor == nullptr) return NotA("tensor", value);
    if (info.ndim != ir::kUnknownRank && tensor->ndim() != info.ndim) {
      return Mismatch(
          absl::StrCat("it has ", CountOf(tensor->ndim(), "dimension"), ", not ", info.ndim));
    }
    if (!info.dtype.is_void() && tensor->dtype != info.dtype) {
      return Mismatch(
          absl::StrCat("its dtype is ", ToString(tensor->dtype), ", not ", ToString(info.dtype)));
    }
    // A tensor without a device (a constant, say) matches every device.
    if (info.vdevice != nullptr && tensor->device != nullptr &&
        !(*tensor->device == *info.vdevice)) {
      return Mismatch(absl::StrCat("it is on ", ToString(*tensor->device), ", not on ",
                                   ToString(*info.vdevice)));
    }
    if (const auto* dims = info.dims()) return Dims(tensor->shape, *dims);
    if (const auto* var = info.shape_var()) return ShapeVariable(tensor->shape, *var);
    return Mismatch();
  }

  MatchResult ShapeVariable(const std::vector<int64_t>& shape, ir::ValueId var) {
    const Value* bound = scope.Find(var);
    const auto* wanted = bound == nullptr ? nullptr : bound->AsShape();
    if (wanted == nullptr) {
      return rt.diags->Error(loc, "run-unbound-variable")
             << "'" << rt.NameOf(var)
             << "', which is used as a shape, is not bound to a shape here";
    }
    if (*wanted == shape) return Mismatch();
    return Mismatch(absl::StrCat("its shape is ", ShapeToString(shape), ", not '", rt.NameOf(var),
                                 "', which is ", ShapeToString(*wanted)));
  }

  MatchResult NotA(absl::string_view kind, const Value& value) {
    return Mismatch(absl::StrCat("it is ", Describe(value), ", not a ", kind));
  }

  MatchResult Match(const Value& value, StructInfoRef info) {
    return lathe::Match(
        info->node(), [](const ir::ObjectInfo&) -> MatchResult { return Mismatch(); },
        [&](const ir::PrimInfo& p) -> MatchResult {
          const Scalar* scalar = value.AsScalar();
          if (scalar == nullptr) return NotA("scalar", value);
          if (!p.dtype.is_void() && scalar->dtype != p.dtype) {
            return Mismatch(absl::StrCat("its dtype is ", ToString(scalar->dtype), ", not ",
                                         ToString(p.dtype)));
          }
          if (p.value == nullptr) return Mismatch();
          return Number(*scalar, p.value, "it");
        },
        [&](const ir::ShapeInfo& s) -> MatchResult {
          const auto* dims = value.AsShape();
          if (dims == nullptr) return NotA("shape", value);
          if (s.ndim != ir::kUnknownRank && dims->size() != static_cast<size_t>(s.ndim)) {
            return Mismatch(
                absl::StrCat("it has ", CountOf(dims->size(), "dimension"), ", not ", s.ndim));
          }
          if (s.values) return Dims(*dims, *s.values);
          for (size_t d = 0; d < dims->size(); ++d) {
            if ((*dims)[d] < 0) return Negative(d, (*dims)[d]);
          }
          return Mismatch();
        },
        [&](const ir::TensorInfo& t) -> MatchResult { return Tensor(value, t); },
        [&](const ir::TupleInfo& t) -> MatchResult {
          const auto* fields = value.AsTuple();
          // An external function without a result returns the empty tuple.
          if (std::holds_alternative<Null>(value.node()) && t.fields.empty()) return std::nullopt;
          if (fields == nullptr) return NotA("tuple", value);
          if (fields->size() != t.fields.size()) {
            return Mismatch(absl::StrCat("it has ", CountOf(fields->size(), "field"), ", not ",
                                         t.fields.size()));
          }
          for (size_t n = 0; n < fields->size(); ++n) {
            LATHE_ASSIGN_OR_RETURN(Mismatch m, Match((*fields)[n], t.fields[n]));
            if (m) return Mismatch(absl::StrCat("field ", n, ": ", *m));
          }
          return Mismatch();
        },
        [&](const ir::FuncInfo& f) -> MatchResult { return MatchFunction(rt, value, f, scope); });
  }
};

}  // namespace

void BindLoneVars(const Value& value, StructInfoRef info, Scope& scope) {
  Match(
      info->node(), [](const ir::ObjectInfo&) {},
      [&](const ir::PrimInfo& p) {
        const Scalar* scalar = value.AsScalar();
        if (scalar != nullptr && p.value != nullptr && IsUnboundVar(p.value, scope)) {
          scope.BindShapeVar(p.value, scalar->CastTo(p.value->dtype()));
        }
      },
      [&](const ir::ShapeInfo& s) {
        const auto* dims = value.AsShape();
        if (dims != nullptr && s.values) BindLoneDims(*s.values, *dims, scope);
      },
      [&](const ir::TensorInfo& t) {
        const auto* tensor = value.AsTensor();
        if (tensor != nullptr && t.dims() != nullptr) BindLoneDims(*t.dims(), tensor->shape, scope);
      },
      [&](const ir::TupleInfo& t) {
        const auto* fields = value.AsTuple();
        if (fields == nullptr) return;
        for (size_t n = 0; n < t.fields.size() && n < fields->size(); ++n) {
          BindLoneVars((*fields)[n], t.fields[n], scope);
        }
      },
      // Shape variables of a function's signature are local: each call binds them again.
      [](const ir::FuncInfo&) {});
}

MatchResult MatchStructInfo(Runtime& rt, const Value& value, StructInfoRef info, Scope& scope,
                            const Location& loc) {
  return Matcher{rt, scope, loc}.Match(value, info);
}

}  // namespace lathe::interp
