#include "generator/analysis/well_formed/well_formed_annotations.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/for_each_annotation.h"
#include "generator/analysis/well_formed/well_formed_dtypes.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::DType;
using ir::StructInfoRef;

class AnnotationCheck {
 public:
  AnnotationCheck(const ir::Module& module, Diagnostics& diags)
      : module_(module), diags_(diags), devices_(module.vdevices()) {}

  void Visit(const Annotation& annotation) {
    ForEachPart(annotation.info, [&](StructInfoRef part) {
      Match(
          part->node(), [](const ir::ObjectInfo&) {},
          [&](const ir::PrimInfo& p) { Prim(annotation, p); },
          [&](const ir::ShapeInfo& s) { Shape(annotation, part, s); },
          [&](const ir::TensorInfo& t) { Tensor(annotation, part, t); },
          [](const ir::TupleInfo&) {}, [&](const ir::FuncInfo& f) { Func(annotation, f); });
    });
  }

 private:
  DiagnosticBuilder Error(const Annotation& at, absl::string_view code) {
    DiagnosticBuilder error = diags_.Error(at.loc, code);
    error << at.what << " '" << at.name << "': ";
    return error;
  }

  void Prim(const Annotation& at, const ir::PrimInfo& p) {
    const DType dtype = p.dtype;
    const bool known = dtype.is_integer() || dtype.is_floating() || dtype.is_bool();
    if (!known) {
      Error(at, "prim-annotation-dtype")
          << "a scalar must be an integer, a float or bool, not " << ToString(dtype);
    } else {
      Supported(at, dtype);
    }
    if (p.value != nullptr && p.value->dtype() != dtype) {
      Error(at, "prim-annotation-value-dtype")
          << "the value " << ToString(p.value) << " has dtype " << ToString(p.value->dtype())
          << ", not " << ToString(dtype);
    }
  }

  void Shape(const Annotation& at, StructInfoRef info, const ir::ShapeInfo& s) {
    if (s.values) Rank(at, info, s.ndim, s.values->size());
  }

  void Tensor(const Annotation& at, StructInfoRef info, const ir::TensorInfo& t) {
    if (t.dims() != nullptr) Rank(at, info, t.ndim, t.dims()->size());
    Supported(at, t.dtype);
    if (t.vdevice == nullptr) return;
    if (std::find(devices_.begin(), devices_.end(), t.vdevice) != devices_.end()) return;
    const std::string known = absl::StrJoin(devices_, ", ", [](std::string* out, ir::VDeviceRef v) {
      absl::StrAppend(out, "'", ToString(*v), "'");
    });
    Error(at, "vdevice-not-declared")
        << "the module declares no device '" << ToString(*t.vdevice) << "'"
        << (devices_.empty() ? "" : absl::StrCat(", only ", known));
  }

  void Func(const Annotation& at, const ir::FuncInfo& f) {
    const bool derives = f.derive != ir::Derive::kNone;
    if (f.params.has_value() == derives) {
      Error(at, "func-info-params-and-derive")
          << (derives ? "R.Callable takes either params or derive_func, not both"
                      : "R.Callable needs params or derive_func");
    }
  }

  // Rule 10.
  void Rank(const Annotation& at, StructInfoRef info, int ndim, size_t dims) {
    if (ndim == static_cast<int>(dims)) return;
    Error(at, "annotation-ndim-mismatch")
        << ToString(info, [&](ir::ValueId id) { return module_.values[id].name; }) << " has "
        << dims << (dims == 1 ? " dimension" : " dimensions") << ", but ndim is " << ndim;
  }

  void Supported(const Annotation& at, DType dtype) {
    if (IsSupportedDType(dtype)) return;
    (Error(at, "dtype-not-supported") << "dtype " << ToString(dtype) << " is not supported")
        .Help(kSupportedDTypes);
  }

  const ir::Module& module_;
  Diagnostics& diags_;
  const std::vector<ir::VDeviceRef> devices_;
};

}  // namespace

void CheckAnnotations(const ir::Module& module, Diagnostics& diags) {
  AnnotationCheck check(module, diags);
  ForEachAnnotation(module, [&](const Annotation& annotation) { check.Visit(annotation); });
}

void CheckShapesOfTensors(const ir::Module& module, Diagnostics& diags) {
  ForEachAnnotation(module, [&](const Annotation& at) {
    ForEachPart(at.info, [&](StructInfoRef part) {
      const auto* tensor = part->As<ir::TensorInfo>();
      const ir::ValueId* var = tensor == nullptr ? nullptr : tensor->shape_var();
      if (var == nullptr) return;
      const ir::Value& value = module.values[*var];
      const auto* shape = value.info == nullptr ? nullptr : value.info->As<ir::ShapeInfo>();
      const bool open = tensor->ndim == ir::kUnknownRank;  // then the variable has the rank
      if (shape != nullptr && (open || shape->ndim == tensor->ndim)) return;
      std::string what = absl::StrCat("is ", value.info == nullptr ? "" : ToString(value.info));
      if (shape != nullptr) {
        what = absl::StrCat("has rank ", shape->ndim, ", not the tensor's ", tensor->ndim);
      }
      (diags.Error(at.loc, "tensor-shape-annotation")
       << at.what << " '" << at.name << "': '" << value.name << "' is used as a shape, but "
       << what)
          .Note(value.loc, "bound here");
    });
  });
}

}  // namespace lathe::analysis
