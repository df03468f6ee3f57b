// Decides the specification's S1 <: S2: a value with info S1 is accepted where S2 is expected.
#ifndef LATHE_ANALYSIS_SUBTYPING_H_
#define LATHE_ANALYSIS_SUBTYPING_H_

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// kYes: holds. kUnknown: depends on shape arithmetic that is neither proved nor refuted. kNo: does
// not hold. If the answer is not kYes, `why` (may be null) receives the reason.
//
// "Definitely not equal in at least one case" is interpreted as: equal for no values of their
// variables. n and m are possibly equal.
//
// The variables bound by a function info are instantiated with the arguments, so (Tensor((n,))) ->
// Tensor((n,)) is a subtype of (Tensor((3,))) -> Tensor((3,)), and of itself with n renamed.
ir::Tri IsSubtype(const Facts& facts, ir::StructInfoRef sub, ir::StructInfoRef super,
                  std::string* why = nullptr);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SUBTYPING_H_
