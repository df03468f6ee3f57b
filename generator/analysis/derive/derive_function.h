// Derives the infos of functions: derivation rules 11.1, 11.2.1 and 15.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_FUNCTION_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_FUNCTION_H_

#include <string>

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Derives the info of `f` from its annotations. Without a return annotation it is a guess.
Derived DeriveSignature(Derivation& d, const ir::Function& f);

// Checks the body of `f`, stores the function's info in f.info and returns it.
Derived DeriveFunction(Derivation& d, ir::Function& f, const std::string& name);

// Derives the info of the function literal that `binding` binds. The literal may be recursive.
Derived DeriveLocalFunction(Derivation& d, ir::Binding& binding);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_FUNCTION_H_
