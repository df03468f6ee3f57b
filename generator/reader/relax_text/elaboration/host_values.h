// Records the names that Python statements above the module bind: K = 4. Numbers and arithmetic on
// them are evaluated and can be used in the module. Of any other value, only the name is recorded,
// so that a use of it can be diagnosed by name.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_HOST_VALUES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_HOST_VALUES_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/syntax_tree.h"

namespace lathe::relax_text {

struct HostValue {
  const ast::Expr* number = nullptr;  // the number as a literal; null: not a number
  bool declares_var = false;          // n = T.int64()
  std::string what;                   // description of a value that is not a number: "a list"
  TextSpan span;                      // where it is bound
};

class HostValues {
 public:
  // Binds `name` to `value`. A name that is bound twice is no longer a number.
  const HostValue& Assign(SyntaxTree& tree, const ast::Expr& name, const ast::Expr& value,
                          bool declares_var);
  // Binds `name` to an unknown value, which messages describe as `what`.
  void Hide(absl::string_view name, absl::string_view what, TextSpan span);

  const HostValue* Find(absl::string_view name) const;
  // Returns the value of `name` if it is bound before `use` in the text; otherwise null.
  const HostValue* Find(absl::string_view name, const TextSpan& use) const;
  // Returns true if any name is bound to a number or a shape variable.
  bool names_sizes() const { return names_sizes_; }
  // Returns the names in source order.
  const std::vector<absl::string_view>& names() const { return names_; }

 private:
  HostValue& Add(absl::string_view name, TextSpan span);

  bool names_sizes_ = false;
  std::vector<absl::string_view> names_;
  absl::flat_hash_map<absl::string_view, HostValue> values_;
};

// Returns the number of a HostValue. Integers fit in int64.
std::variant<int64_t, double> NumberOf(const ast::Expr& number);

// Returns the number of a HostValue as a scalar value that has no dtype yet.
ScalarValue NumberValue(const ast::Expr& number);

// Returns a copy of `number` with the span `span`.
const ast::Expr* NumberAt(SyntaxTree& tree, const ast::Expr& number, const TextSpan& span);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_HOST_VALUES_H_
