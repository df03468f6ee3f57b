// Renders the comparison of two models as one HTML page without external parts and scripts.
#ifndef LATHE_DRIVER_VIEW_DIFF_PAGE_H_
#define LATHE_DRIVER_VIEW_DIFF_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/compare/compare_models.h"
#include "generator/driver/view/diff_text.h"

namespace lathe::driver {

absl::StatusOr<std::string> DiffPage(const DiffTitle& a, const DiffTitle& b,
                                     const ModelsDiff& diff);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_DIFF_PAGE_H_
