// What Python binds above the module of a file: K = 4. Numbers, and arithmetic of them, mean
// themselves wherever the module names them; of anything else only the name is known, so that its
// use is refused by name.
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
  const ast::Expr* number = nullptr;  // as it would be written out; null: it is none
  bool declares_var = false;          // n = T.int64()
  std::string what;                   // of what is no number: "a list"
  TextSpan span;                      // where it is bound
};

class HostValues {
 public:
  // `name` becomes what `value` stands for; a name that is bound twice is no number any more.
  const HostValue& Assign(SyntaxTree& tree, const ast::Expr& name, const ast::Expr& value,
                          bool declares_var);
  // `name` becomes something that is not known.
  void Hide(absl::string_view name, absl::string_view what, TextSpan span);

  const HostValue* Find(absl::string_view name) const;
  // What `name` stands for at `use`: Python has bound it by then. Null when it means nothing.
  const HostValue* Find(absl::string_view name, const TextSpan& use) const;
  // Whether there are numbers or shape variables among them.
  bool names_sizes() const { return names_sizes_; }
  // In the order of the file.
  const std::vector<absl::string_view>& names() const { return names_; }

 private:
  HostValue& Add(absl::string_view name, TextSpan span);

  bool names_sizes_ = false;
  std::vector<absl::string_view> names_;
  absl::flat_hash_map<absl::string_view, HostValue> values_;
};

// A HostValue's number: whole ones are int64 at most.
std::variant<int64_t, double> NumberOf(const ast::Expr& number);

// The same, not yet of any dtype.
ScalarValue NumberValue(const ast::Expr& number);

// `number` as if it stood at `span`.
const ast::Expr* NumberAt(SyntaxTree& tree, const ast::Expr& number, const TextSpan& span);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_HOST_VALUES_H_
