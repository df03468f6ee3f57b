#include "generator/ops/call_tir_signature.h"

#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/map_operands.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/call_tir.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Deeper expressions are not compared.
constexpr int kMaxDepth = 200;

class SignatureMatch {
 public:
  SignatureMatch(InferContext& c, const Call& call, const std::string& name)
      : c_(c), call_(call), name_(name) {}

  // Binds all variables first, so that the order of parameters does not matter.
  void Bind(const ir::PrimParam& param, StructInfoRef given) {
    if (param.buffer == nullptr) {
      const auto* prim = given->As<ir::PrimInfo>();
      if (prim != nullptr) BindVar(param.var, prim->value);
      return;
    }
    const auto* tensor = given->As<TensorInfo>();
    if (tensor == nullptr || tensor->dims() == nullptr) return;
    const std::vector<PrimRef>& formal = param.buffer->shape;
    for (size_t i = 0; i < formal.size() && i < tensor->dims()->size(); ++i) {
      BindVar(formal[i], (*tensor->dims())[i]);
    }
  }

  absl::Status Check(const ir::PrimParam& param, StructInfoRef given, const std::string& what) {
    if (given->As<ir::ObjectInfo>() != nullptr) return absl::OkStatus();
    if (param.buffer != nullptr) {
      if (const auto* tensor = given->As<TensorInfo>()) return CheckTensor(param, *tensor, what);
      return Mismatch(param, absl::StrCat(what, " must be a tensor, got ", Show(c_, given)));
    }
    if (param.var->dtype().is_handle()) return absl::OkStatus();  // a bare pointer
    const auto* prim = given->As<ir::PrimInfo>();
    if (prim == nullptr) {
      return Mismatch(param, absl::StrCat(what, " must be a scalar, got ", Show(c_, given)));
    }
    if (prim->dtype != param.var->dtype()) {
      return Mismatch(param, absl::StrCat(what, " must be a ", ToString(param.var->dtype()),
                                          " scalar, got ", Show(c_, given)));
    }
    return absl::OkStatus();
  }

 private:
  void BindVar(PrimRef formal, PrimRef actual) {
    if (actual != nullptr && formal->As<ir::SymVar>() != nullptr) bound_.emplace(formal, actual);
  }

  absl::Status CheckTensor(const ir::PrimParam& param, const TensorInfo& given,
                           const std::string& what) {
    const ir::Buffer& buffer = *param.buffer;
    const int rank = static_cast<int>(buffer.shape.size());
    if (given.ndim != ir::kUnknownRank && given.ndim != rank) {
      return Mismatch(param, absl::StrCat(what, " must have ", CountOf(rank, "dimension"), ", got ",
                                          given.ndim));
    }
    if (!given.dtype.is_void() && given.dtype != buffer.dtype) {
      return Mismatch(param, absl::StrCat(what, " must be of ", ToString(buffer.dtype), ", got ",
                                          ToString(given.dtype)));
    }
    if (given.dims() == nullptr) return absl::OkStatus();
    for (int i = 0; i < rank; ++i) {
      const std::optional<PrimRef> wanted = Substitute(buffer.shape[i], 0);
      PrimRef got = (*given.dims())[i];
      if (wanted.has_value() && c_.ProveEqual(*wanted, got) == ir::Tri::kNo) {
        return Mismatch(param,
                        absl::StrCat("dimension ", i, " of ", what, " must be ",
                                     ToString(c_.Simplify(*wanted)), ", got ", ToString(got)));
      }
    }
    return absl::OkStatus();
  }

  // `e` with the caller's values; nullopt when a variable is unbound.
  std::optional<PrimRef> Substitute(PrimRef e, int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    if (e->As<ir::SymVar>() != nullptr) {
      const auto it = bound_.find(e);
      if (it == bound_.end()) return std::nullopt;
      return c_.ir().MakeCast(e->dtype(), it->second);
    }
    bool complete = true;
    PrimRef result = ir::MapOperands(c_.ir(), e, [&](PrimRef operand) {
      const std::optional<PrimRef> inner = Substitute(operand, depth + 1);
      complete &= inner.has_value();
      return inner.value_or(operand);
    });
    if (!complete) return std::nullopt;
    return result;
  }

  absl::Status Mismatch(const ir::PrimParam& param, const std::string& why) {
    return (c_.Error("call-tir-signature")
            << SurfaceName(call_) << " of '" << name_ << "': " << why)
        .Note(param.loc, "parameter declared here");
  }

  InferContext& c_;
  const Call& call_;
  const std::string& name_;
  absl::flat_hash_map<PrimRef, PrimRef> bound_;
};

}  // namespace

absl::StatusOr<std::vector<StructInfoRef>> CallTirArgs(InferContext& c, const Call& call) {
  StructInfoRef args = c.InfoOf(call.args[1]);
  if (const auto* tuple = args->As<ir::TupleInfo>()) return tuple->fields;
  if (args->As<TensorInfo>() != nullptr || args->As<ir::PrimInfo>() != nullptr) {
    return std::vector<StructInfoRef>{args};
  }
  return c.Error("call-tir-args") << "the arguments of " << SurfaceName(call)
                                  << " must be a tuple of tensors, but " << c.Show(call.args[1])
                                  << " has type " << Show(c, args);
}

absl::Status CheckSignature(InferContext& c, const Call& call, ir::GlobalId callee,
                            const ir::PrimFunc& func, const std::vector<StructInfoRef>& args,
                            const std::vector<StructInfoRef>& outputs,
                            const std::vector<int64_t>& inplace_indices) {
  const ir::Global& global = c.module().globals[callee];
  std::vector<StructInfoRef> scalars;
  if (call.args.size() > 2) {
    LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* extra, ShapeArg(c, call, 2));
    if (!extra->values.has_value()) return absl::OkStatus();
    for (PrimRef value : *extra->values) scalars.push_back(c.ir().Prim(value->dtype(), value));
  }
  const auto slots = CallTirSlots(func, args.size(), scalars.size(), inplace_indices);
  if (!slots.has_value()) {
    size_t fresh = 0;
    for (int64_t index : inplace_indices) fresh += index < 0;
    return (c.Error("call-tir-signature")
            << SurfaceName(call) << " of '" << global.name << "' passes "
            << CountOf(args.size(), "argument")
            << (scalars.empty() ? "" : absl::StrCat(", ", scalars.size(), " scalars")) << " and "
            << CountOf(fresh, "output") << ", but it has "
            << CountOf(func.params.size(), "parameter"))
        .Note(global.loc, "defined here");
  }
  SignatureMatch match(c, call, global.name);
  const auto given = [&](const CallTirSlot& slot) {
    switch (slot.from) {
      case CallTirSlot::From::kArg:
        return args[slot.index];
      case CallTirSlot::From::kTirVar:
        return scalars[slot.index];
      case CallTirSlot::From::kOutput:
        break;
    }
    return outputs[slot.index];
  };
  for (size_t i = 0; i < slots->size(); ++i) match.Bind(func.params[i], given((*slots)[i]));
  for (size_t i = 0; i < slots->size(); ++i) {
    const CallTirSlot& slot = (*slots)[i];
    const bool output = slot.from == CallTirSlot::From::kOutput;
    const std::string what = absl::StrCat(output                                    ? "output "
                                          : slot.from == CallTirSlot::From::kTirVar ? "scalar "
                                                                                    : "argument ",
                                          slot.index);
    LATHE_RETURN_IF_ERROR(match.Check(func.params[i], given(slot), what));
  }
  return absl::OkStatus();
}

}  // namespace lathe::ops
