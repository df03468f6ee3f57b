// What stands above a function or class: @R.function(pure=False), @T.prim_func, @I.ir_module.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_DECORATORS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_DECORATORS_H_

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

enum class Definition {
  kNone,      // no decorator of the language
  kModule,    // @I.ir_module
  kRelax,     // @R.function
  kPrimFunc,  // @T.prim_func
  kHost,      // one of those that run Python: @I.pyfunc, @R.macro, @T.inline, @R.rewriter
};

struct Decoration {
  Definition definition = Definition::kNone;
  const ast::Expr* decorator = nullptr;  // null for kNone
};
Decoration FindDecoration(const Elaboration& el, ast::ExprList decorators);

// The option `name` of the decorator: `otherwise` when it does not say. Something else than True
// or False is diagnosed.
bool HasDecoratorOption(const Decoration& decoration, absl::string_view name);
bool DecoratorFlag(Elaboration& el, const Decoration& decoration, absl::string_view name,
                   bool otherwise);

// Diagnoses options that the decorator does not have.
void CheckDecoratorOptions(Elaboration& el, const Decoration& decoration);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_DECORATORS_H_
