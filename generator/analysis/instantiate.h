// A function's own shape variables, given what they are where it meets arguments or another
// function's parameters.
#ifndef LATHE_ANALYSIS_INSTANTIATE_H_
#define LATHE_ANALYSIS_INSTANTIATE_H_

#include <vector>

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// `f` with the variables in binding positions of its parameters replaced by what stands there in
// `actuals`; variables that are in scope stay. The numbers of parameters may differ.
ir::FuncInfo Instantiate(const Facts& facts, const ir::FuncInfo& f,
                         const std::vector<ir::StructInfoRef>& actuals);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_INSTANTIATE_H_
