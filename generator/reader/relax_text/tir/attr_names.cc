#include "generator/reader/relax_text/tir/attr_names.h"

#include "absl/strings/strip.h"
#include "generator/support/status.h"

namespace lathe::relax_text {

std::string CanonicalAttrKey(absl::string_view key) {
  if (absl::ConsumePrefix(&key, "tirx.")) return absl::StrCat("tir.", key);
  return std::string(key);
}

absl::StatusOr<ir::AttrMap> ElaborateAttrMap(StmtElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(e));
  const auto* dict = value.As<std::shared_ptr<const ir::AttrMap>>();
  if (dict == nullptr) {
    return s.el().Error(e, "wrong-kind-of-value")
           << "expected a dictionary, got " << Describe(value);
  }
  ir::AttrMap out;
  for (const auto& [key, attr] : **dict) {
    if (!out.emplace(CanonicalAttrKey(key), attr).second) {
      return s.el().Error(e, "duplicate-attribute")
             << "the attribute '" << key << "' is specified in two spellings";
    }
  }
  return out;
}

}  // namespace lathe::relax_text
