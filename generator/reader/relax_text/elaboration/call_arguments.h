// Binds the positional and keyword arguments of a call to parameters, by the rules of Python.
//
//   "extent dtype? *rest"        extent is required, dtype is not, rest collects the remaining ones
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_CALL_ARGUMENTS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_CALL_ARGUMENTS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/syntax/ast.h"

namespace lathe::relax_text {

class CallArguments {
 public:
  // Binds the arguments of the call `e`. `function` is its name in messages; `parameters` lists the
  // parameters as above. Reports surplus, unknown, repeated and missing arguments.
  static absl::StatusOr<CallArguments> Bind(Elaboration& el, const ast::Expr& e,
                                            absl::string_view function,
                                            absl::string_view parameters);

  // Returns the argument for `parameter`, or null if it was not given.
  const ast::Expr* Get(absl::string_view parameter) const;
  // Returns the argument for `parameter`, or null if it was not given or is None.
  const ast::Expr* GetUnlessNone(absl::string_view parameter) const;
  // Returns the argument for the required parameter `required`.
  const ast::Expr& operator[](absl::string_view required) const;
  // Returns the positional arguments after the last named parameter.
  const std::vector<ast::ExprRef>& rest() const { return rest_; }

 private:
  std::vector<std::pair<std::string, ast::ExprRef>> given_;
  std::vector<ast::ExprRef> rest_;
};

// Returns true if `e` is the literal None.
bool IsNone(const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_CALL_ARGUMENTS_H_
