// The part of a file that its errors kept from being checked.
#ifndef LATHE_DRIVER_REPORT_NOT_CHECKED_H_
#define LATHE_DRIVER_REPORT_NOT_CHECKED_H_

#include <string>
#include <vector>

namespace lathe::driver {

struct NotChecked {
  std::string file;                    // empty: everything was checked
  std::vector<std::string> functions;  // that depend on the errors; empty: the whole file
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_NOT_CHECKED_H_
