// The names of one PrimFunc: what each means where we stand.
#ifndef LATHE_READER_RELAX_TEXT_TIR_TIR_SCOPE_H_
#define LATHE_READER_RELAX_TEXT_TIR_TIR_SCOPE_H_

#include <functional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"

namespace lathe::relax_text {

class TirScope : public ScalarScope {
 public:
  explicit TirScope(Elaboration& el) : el_(el) { Push(); }

  void Push() { frames_.emplace_back(); }
  void Pop() { frames_.pop_back(); }

  // In the innermost frame, in the place of what the name meant there. The text that `name` views
  // must outlive this.
  void Bind(absl::string_view name, ScalarValue value, TextSpan span);
  // The name is bound by something that failed: using it says nothing more.
  void BindFailed(absl::string_view name, TextSpan span);

  struct Entry {
    ScalarValue value;
    TextSpan span;
    bool failed = false;
  };
  const Entry* Find(absl::string_view name) const;
  // Only what the innermost frame binds.
  const Entry* FindInnermost(absl::string_view name) const;

  // Names in quoted dimensions that mean nothing yet become variables of the type that `type_of`
  // gives; null: they are problems like elsewhere.
  void set_quoted_type(std::function<ir::DType(absl::string_view name)> type_of) {
    quoted_type_ = std::move(type_of);
  }
  // Names of parameters and of declarations in the body, which hide the module's type variables
  // from the start. When annotations are postponed, dimensions may mention such names without
  // quotes.
  void set_own_names(absl::flat_hash_set<absl::string_view> names, bool postponed) {
    own_names_ = std::move(names);
    postponed_ = postponed;
  }
  void set_in_quotes(bool in_quotes) { in_quotes_ = in_quotes; }

  absl::StatusOr<ir::PrimRef> Resolve(const ast::Expr& e) override;
  absl::StatusOr<ScalarValue> ResolveValue(const ast::Expr& e) override;
  bool Binds(absl::string_view name) const override { return Find(name) != nullptr; }

 private:
  Elaboration& el_;
  std::vector<absl::flat_hash_map<absl::string_view, Entry>> frames_;
  std::function<ir::DType(absl::string_view name)> quoted_type_;
  bool in_quotes_ = false;
  absl::flat_hash_set<absl::string_view> own_names_;
  bool postponed_ = false;
  // The module's TypeVars that this function uses, each with a variable of its own.
  absl::flat_hash_map<absl::string_view, ir::PrimRef> type_vars_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_TIR_SCOPE_H_
