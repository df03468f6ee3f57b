// Checks the intact parts of a program whose text has errors, so that independent mistakes are
// reported in one run.
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

// Runs `checks` on `remains` and adds their diagnostics to `diags`, except those that may be
// consequences of the errors before. Returns the functions that were only partly checked.
std::vector<std::string> CheckRemains(ir::Context& context, Remains& remains,
                                      absl::Span<const Pass> checks, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CHECK_REMAINS_H_
