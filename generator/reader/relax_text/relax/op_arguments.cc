#include "generator/reader/relax_text/relax/op_arguments.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/support/closest_name.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

class Binder {
 public:
  Binder(Elaboration& el, const ir::Op& op) : el_(el), op_(op) {
    bound_.given.resize(op.params.size(), nullptr);
    written_.resize(op.params.size(), nullptr);
  }

  absl::StatusOr<OpArguments> Bind(const ast::Call& call) {
    for (size_t i = 0; i < call.args.size(); ++i) {
      LATHE_RETURN_IF_ERROR(Positional(*call.args[i], call.args.size()));
    }
    for (const ast::Keyword& keyword : call.keywords) LATHE_RETURN_IF_ERROR(Named(keyword));
    // An optional argument that is None counts as omitted. The exception is an integer attribute
    // with a default value, such as an axis with default 0: there None means no axis.
    for (size_t i = 0; i < written_.size(); ++i) {
      const ir::OpParam& param = op_.params[i];
      const bool none = written_[i] != nullptr && IsNone(*written_[i]);
      const bool meant = param.attr && param.kind == ir::ParamKind::kInt && param.has_default;
      if (!none || !param.optional || meant) bound_.given[i] = written_[i];
    }
    return std::move(bound_);
  }

 private:
  absl::Status Positional(const ast::Expr& e, size_t count) {
    while (next_ < op_.params.size() && op_.params[next_].keyword_only) ++next_;
    if (next_ < op_.params.size()) {
      if (op_.params[next_].variadic) {
        bound_.rest.push_back(&e);
      } else {
        written_[next_++] = &e;
      }
      return absl::OkStatus();
    }
    if (op_.sinfo_args != ir::SInfoArgs::kNone && bound_.out == nullptr) {
      bound_.out = &e;
      return absl::OkStatus();
    }
    size_t takes = 0;
    for (const ir::OpParam& param : op_.params) takes += param.keyword_only ? 0 : 1;
    return el_.Error(e, "wrong-arguments")
           << SurfaceOf(op_) << " takes " << CountOf(takes, "argument") << ", got " << count;
  }

  // Returns the field for a keyword that is not a parameter, or null for an unknown keyword.
  ast::ExprRef* OutNamed(absl::string_view name) {
    // TVM passes add types to calls of any operator: R.builtin.alloc_tensor(..., ty_args=...).
    if (name == "sinfo_args" || name == "ty_args") return &bound_.out;
    if (name == "out_sinfo" || name == "out_ty") {
      return op_.sinfo_args == ir::SInfoArgs::kNone ? nullptr : &bound_.out;
    }
    if (op_.sinfo_args != ir::SInfoArgs::kOut) return nullptr;
    if (name == "dtype" || name == "output_dtype") return &bound_.out_dtype;
    if (name == "shape" || name == "output_shape") return &bound_.out_shape;
    return nullptr;
  }

  absl::Status Named(const ast::Keyword& keyword) {
    ast::ExprRef* place = nullptr;
    for (size_t i = 0; i < op_.params.size(); ++i) {
      if (op_.params[i].name == keyword.name && !op_.params[i].variadic) place = &written_[i];
    }
    if (place == nullptr) place = OutNamed(keyword.name);
    if (place == nullptr) return Unknown(keyword);
    if (*place != nullptr) {
      return el_.diags().Error(keyword.name_span, "wrong-arguments")
             << SurfaceOf(op_) << " gets '" << keyword.name << "' more than once";
    }
    *place = keyword.value;
    return absl::OkStatus();
  }

  absl::Status Unknown(const ast::Keyword& keyword) {
    std::vector<absl::string_view> known;
    for (const ir::OpParam& param : op_.params) known.push_back(param.name);
    if (op_.sinfo_args == ir::SInfoArgs::kOut) known.insert(known.end(), {"out_sinfo", "out_ty"});
    if (op_.sinfo_args == ir::SInfoArgs::kList) {
      known.insert(known.end(), {"sinfo_args", "ty_args"});
    }
    return el_.diags().Error(keyword.name_span, "wrong-arguments")
           << SurfaceOf(op_) << " has no parameter '" << keyword.name << "'"
           << DidYouMean(keyword.name, known);
  }

  Elaboration& el_;
  const ir::Op& op_;
  OpArguments bound_;
  std::vector<ast::ExprRef> written_;
  size_t next_ = 0;
};

}  // namespace

absl::StatusOr<OpArguments> BindOpArguments(Elaboration& el, const ast::Call& call,
                                            const ir::Op& op) {
  return Binder(el, op).Bind(call);
}

std::string SurfaceOf(const ir::Op& op) {
  return absl::StrCat("R.", absl::StripPrefix(op.name, "relax."));
}

}  // namespace lathe::relax_text
