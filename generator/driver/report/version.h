// Returns the version of lathe.
#ifndef LATHE_DRIVER_REPORT_VERSION_H_
#define LATHE_DRIVER_REPORT_VERSION_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe::driver {

absl::string_view Version();  // "0.1.0"
absl::string_view Commit();   // "1f2e3d4c5b6a"; empty if the build does not set it

// Return "lathe 0.1.0 (1f2e3d4c5b6a)\n", and the same as one JSON object.
std::string VersionLine();
std::string VersionJson();

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_VERSION_H_
