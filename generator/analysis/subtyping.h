// The specification's S1 <: S2: a value with S1 is accepted where S2 is asked for.
#ifndef LATHE_ANALYSIS_SUBTYPING_H_
#define LATHE_ANALYSIS_SUBTYPING_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// kYes: definitely holds. kUnknown: possibly, it hangs on shape arithmetic that nothing proves.
// kNo: does not hold. `why` (may be null) says what stands in the way when it is not kYes.
//
// Two expressions that are "definitely not equal in at least one case" are read as: equal for no
// values of their variables. n and m are possibly equal.
//
// A function info's own variables stand for whatever the arguments are, so that
// (Tensor((n,))) -> Tensor((n,)) is a subtype of (Tensor((3,))) -> Tensor((3,)), and of itself with
// another name for n.
ir::Tri IsSubtype(const Facts& facts, ir::StructInfoRef sub, ir::StructInfoRef super,
                  std::string* why = nullptr);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SUBTYPING_H_
