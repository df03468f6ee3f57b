// PrimFuncs: from the syntax tree of a @T.prim_func to ir::PrimFunc.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_PRIM_FUNC_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_PRIM_FUNC_H_

#include "generator/ir/tir.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// Tells `el` what the PrimFunc returns, before any body is read.
void DeclarePrimResult(Elaboration& el, ir::GlobalId id, const ast::FunctionDef& def);

// Reads the whole function. Problems are in the diagnostics; what it returns then is whole enough
// to stand in the module. Unless the decorator says private=True, the function is exported under
// its name. `module_scheduled` is the s_tir= of the module's decorator.
ir::PrimFunc ElaboratePrimFunc(Elaboration& el, const ast::FunctionDef& def,
                               bool module_scheduled = false);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_PRIM_FUNC_H_
