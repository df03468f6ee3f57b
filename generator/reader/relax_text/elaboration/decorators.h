// Reads the decorators of functions and classes: @R.function(pure=False), @T.prim_func,
// @I.ir_module.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_DECORATORS_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_DECORATORS_H_

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

enum class Definition {
  kNone,      // no decorators
  kModule,    // @I.ir_module
  kRelax,     // @R.function
  kPrimFunc,  // @T.prim_func
  kHost,      // any other decorator: @I.pyfunc, @R.macro, @T.inline, @R.rewriter
};

struct Decoration {
  Definition definition = Definition::kNone;
  const ast::Expr* decorator = nullptr;  // null for kNone
};
// Returns the first of `decorators` that is @I.ir_module, @R.function or @T.prim_func. If there is
// none, returns kHost with the first decorator, or kNone if `decorators` is empty.
Decoration FindDecoration(const Elaboration& el, ast::ExprList decorators);

// HasDecoratorOption returns true if the decorator has the keyword argument `name`. DecoratorFlag
// returns the value of that argument, or `otherwise` if it is absent. A value other than True or
// False is diagnosed.
bool HasDecoratorOption(const Decoration& decoration, absl::string_view name);
bool DecoratorFlag(Elaboration& el, const Decoration& decoration, absl::string_view name,
                   bool otherwise);

// Diagnoses positional arguments of the decorator, and options that its kind of definition does not
// have.
void CheckDecoratorOptions(Elaboration& el, const Decoration& decoration);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_DECORATORS_H_
