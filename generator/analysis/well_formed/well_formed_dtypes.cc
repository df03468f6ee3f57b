#include "generator/analysis/well_formed/well_formed_dtypes.h"

#include "generator/analysis/show_operand.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"

namespace lathe::analysis {
namespace {

using ir::DType;

class DTypeCheck {
 public:
  DTypeCheck(const ir::Module& module, Diagnostics& diags) : module_(module), diags_(diags) {}

  void In(const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call != nullptr && call->op() != nullptr) Visit(binding.loc, *call);
  }

 private:
  void Visit(const Location& loc, const ir::Call& call) {
    for (const ir::OpParam& param : call.op()->params) {
      if (param.kind != ir::ParamKind::kDType) continue;
      if (!param.attr) {
        const size_t i = static_cast<size_t>(param.position);
        const auto* given = i < call.args.size() ? call.args[i].As<ir::DTypeImm>() : nullptr;
        if (given != nullptr) CheckDType(loc, call, param, given->dtype);
        continue;
      }
      const auto found = call.attrs.find(param.name);
      const DType* given = found == call.attrs.end() ? nullptr : found->second.As<DType>();
      CheckDType(loc, call, param, given == nullptr ? DType::Void() : *given);
    }
  }

  void CheckDType(const Location& loc, const ir::Call& call, const ir::OpParam& param,
                  DType dtype) {
    if (dtype.is_void() && !param.optional) {
      diags_.Error(loc, "op-attribute")
          << "'" << param.name << "' of " << ShowCallee(module_, call) << " must be a dtype";
    } else if (!IsSupportedDType(dtype)) {
      (diags_.Error(loc, "dtype-not-supported")
       << "'" << param.name << "' of " << ShowCallee(module_, call) << ": dtype " << ToString(dtype)
       << " is not supported")
          .Help(kSupportedDTypes);
    }
  }

  const ir::Module& module_;
  Diagnostics& diags_;
};

}  // namespace

bool IsSupportedDType(DType dtype) {
  if (dtype.is_void()) return true;
  if (!dtype.is_scalar() || dtype.is_handle()) return false;
  const int bits = dtype.bits;
  if (dtype.is_integer()) {
    return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }
  if (dtype.code == ir::TypeCode::kFloat) return bits == 16 || bits == 32 || bits == 64;
  return true;
}

void CheckDTypesOfCalls(const ir::Module& module, Diagnostics& diags) {
  DTypeCheck check(module, diags);
  ForEachFunction(module, [&](const ir::Function& f) {
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& b) { check.In(b); });
  });
}

}  // namespace lathe::analysis
