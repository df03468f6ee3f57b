// Derives the info of an R.match_cast: derivation rule 11.3.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_MATCH_CAST_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_MATCH_CAST_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// `binding` holds an ir::MatchCast. Its new shape variables enter the scope.
void DeriveMatchCast(Derivation& d, ir::Binding& binding);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_MATCH_CAST_H_
