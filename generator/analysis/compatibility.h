// Implements the specification's check_compatibility(S1, S2): whether S1 is accepted where S2 is
// expected.
#ifndef LATHE_ANALYSIS_COMPATIBILITY_H_
#define LATHE_ANALYSIS_COMPATIBILITY_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// kYes: compatible. kUnknown: possibly compatible; callers warn. kNo: incompatible. If the answer
// is not kYes, `why` (may be null) receives the reason.
//
// Where the specification's clauses contradict its invariant (compatible infos erase to subtypes)
// or subtyping, docs/language-decisions.md records the choice:
//   6.2  a tensor of unknown rank, where a rank is expected, is possibly compatible;
//   6.3  a tensor without device, where a device is expected, is left to clause 6.8;
//   7.2  any packed function is compatible with one of empty_derive.
ir::Tri CheckCompatibility(const Facts& facts, ir::StructInfoRef s1, ir::StructInfoRef s2,
                           std::string* why = nullptr);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COMPATIBILITY_H_
