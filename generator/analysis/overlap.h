// Whether a value can have two infos at once: what decides if a cast can ever succeed.
#ifndef LATHE_ANALYSIS_OVERLAP_H_
#define LATHE_ANALYSIS_OVERLAP_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// False only when no value has both; `why` (may be null) then says what they disagree on.
//
// Derivation rule 11.3.3 warns where neither S <: Sv nor Sv <: S "as this indicates a cast that
// will always fail". Taken to the letter it would warn of casts that can well succeed, say from
// R.Tensor(ndim=2) to R.Tensor("float32"); this is the question it means to ask.
bool MayOverlap(const Facts& facts, ir::StructInfoRef a, ir::StructInfoRef b,
                std::string* why = nullptr);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_OVERLAP_H_
