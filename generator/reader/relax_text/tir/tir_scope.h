// Implements the scopes of one PrimFunc and resolves its names.
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

  // Binds `name` in the innermost frame, replacing its binding there. The text that `name` views
  // must outlive this.
  void Bind(absl::string_view name, ScalarValue value, TextSpan span);
  // Declares `name` as failed, so that its uses cause no further messages.
  void BindFailed(absl::string_view name, TextSpan span);

  struct Entry {
    ScalarValue value;
    TextSpan span;
    bool failed = false;
  };
  // Returns the innermost binding of `name`, or null if there is none.
  const Entry* Find(absl::string_view name) const;
  // Returns the binding of `name` in the innermost frame, or null if there is none.
  const Entry* FindInnermost(absl::string_view name) const;

  // Sets the type of new names in quoted dimensions. Such a name becomes a variable of type
  // type_of(name). If `type_of` is null, unbound names are errors.
  void set_quoted_type(std::function<ir::DType(absl::string_view name)> type_of) {
    quoted_type_ = std::move(type_of);
  }
  // Sets the names of the parameters and of the variables that the body declares. They shadow the
  // type variables of the module from the start. If `postponed`, dimensions may use these names
  // without quotes before their declaration.
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
  // The variables of this function for the module's TypeVars that it uses.
  absl::flat_hash_map<absl::string_view, ir::PrimRef> type_vars_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_TIR_SCOPE_H_
