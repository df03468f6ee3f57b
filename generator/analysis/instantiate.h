// Instantiates the shape variables that a function info binds, with the infos of arguments or of
// another function's parameters.
#ifndef LATHE_ANALYSIS_INSTANTIATE_H_
#define LATHE_ANALYSIS_INSTANTIATE_H_

#include <vector>

#include "generator/analysis/facts.h"

namespace lathe::analysis {

// Returns `f` with the variables in binding positions of its parameters replaced by their values in
// `actuals`; variables in scope are kept. The numbers of parameters may differ.
ir::FuncInfo Instantiate(const Facts& facts, const ir::FuncInfo& f,
                         const std::vector<ir::StructInfoRef>& actuals);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_INSTANTIATE_H_
