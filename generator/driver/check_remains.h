// After errors in a program's text: the checks that what is left of it still allows, so that all
// mistakes that have nothing to do with each other are told at once.
#ifndef LATHE_DRIVER_CHECK_REMAINS_H_
#define LATHE_DRIVER_CHECK_REMAINS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "generator/ir/context.h"
#include "generator/reader/relax_text/elaboration/remains.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/pass.h"

namespace lathe::driver {

// Runs `checks` on `remains`. Adds to `diags` what they find but for what may only follow from the
// errors before. Gives the functions that were not checked to the end.
std::vector<std::string> CheckRemains(ir::Context& context, Remains& remains,
                                      absl::Span<const Pass> checks, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CHECK_REMAINS_H_
