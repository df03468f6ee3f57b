// The arguments of a call as parameters see them, positional or by keyword, as Python binds them.
//
//   "extent dtype? *rest"        extent is required, dtype is not, rest takes what is left over
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
  // `e` is the call, `function` its name for messages, `parameters` as above. Too many arguments,
  // unknown and repeated ones and missing ones are diagnosed.
  static absl::StatusOr<CallArguments> Bind(Elaboration& el, const ast::Expr& e,
                                            absl::string_view function,
                                            absl::string_view parameters);

  // Null when it was not given.
  const ast::Expr* Get(absl::string_view parameter) const;
  // The same, but null for None as well.
  const ast::Expr* GetUnlessNone(absl::string_view parameter) const;
  const ast::Expr& operator[](absl::string_view required) const;
  const std::vector<ast::ExprRef>& rest() const { return rest_; }

 private:
  std::vector<std::pair<std::string, ast::ExprRef>> given_;
  std::vector<ast::ExprRef> rest_;
};

bool IsNone(const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_CALL_ARGUMENTS_H_
