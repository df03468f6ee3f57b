// Derives the info of an R.match_cast: rule 11.3 of the language specification.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_MATCH_CAST_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_MATCH_CAST_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Sets the info of the variable of `binding`, an ir::MatchCast, to the variable's annotation, or
// without one to the info of the cast. Defines the new shape variables of the cast. Warns if the
// cast fails in every run. Reports an annotation that the info of the cast contradicts.
void DeriveMatchCast(Derivation& d, ir::Binding& binding);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_MATCH_CAST_H_
