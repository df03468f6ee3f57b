// Elaborates a @T.prim_func from the syntax tree to an ir::PrimFunc.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_PRIM_FUNC_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_PRIM_FUNC_H_

#include "generator/ir/tir.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// Records the result dtype of `def` in `el`, if it is annotated. Must be called for all PrimFuncs
// before any body is read.
void DeclarePrimResult(Elaboration& el, ir::GlobalId id, const ast::FunctionDef& def);

// Elaborates `def`. Errors are reported in the diagnostics; the result is then incomplete, but can
// be added to the module. Unless the decorator has private=True, the function is exported under its
// name or that in its attribute global_symbol. `module_scheduled` is the s_tir= option of the
// module's decorator.
ir::PrimFunc ElaboratePrimFunc(Elaboration& el, const ast::FunctionDef& def,
                               bool module_scheduled = false);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_PRIM_FUNC_H_
