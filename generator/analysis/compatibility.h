// The specification's check_compatibility(S1, S2): is S1 accepted where S2 is expected.
#ifndef LATHE_ANALYSIS_COMPATIBILITY_H_
#define LATHE_ANALYSIS_COMPATIBILITY_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// kYes: compatible. kUnknown: possibly compatible, which deserves a warning. kNo: incompatible.
// `why` (may be null) says what stands in the way when it is not kYes.
//
// Where the specification's clauses collide with its own invariant (compatible infos erase to
// subtypes) or with subtyping, docs/language-decisions.md says what was chosen:
//   6.2  a tensor of unknown rank, where a rank is expected, is possibly compatible;
//   6.3  a tensor without device, where a device is expected, is left to clause 6.8;
//   7.2  any packed function is compatible with one of empty_derive.
ir::Tri CheckCompatibility(const Facts& facts, ir::StructInfoRef s1, ir::StructInfoRef s2,
                           std::string* why = nullptr);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COMPATIBILITY_H_
