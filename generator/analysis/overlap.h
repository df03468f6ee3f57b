// Decides whether a value can have two infos at once, hence whether a cast can succeed.
#ifndef LATHE_ANALYSIS_OVERLAP_H_
#define LATHE_ANALYSIS_OVERLAP_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// Returns false only if no value has both; `why` (may be null) then receives the difference.
//
// Derivation rule 11.3.3 warns where neither S <: Sv nor Sv <: S "as this indicates a cast that
// will always fail". Taken literally it would warn about casts that can succeed, such as
// R.Tensor(ndim=2) to R.Tensor("float32"); this function tests the intended condition.
bool MayOverlap(const Facts& facts, ir::StructInfoRef a, ir::StructInfoRef b,
                std::string* why = nullptr);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_OVERLAP_H_
