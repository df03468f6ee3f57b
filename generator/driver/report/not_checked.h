// Names the part of a file that was not checked because of its errors.
#ifndef LATHE_DRIVER_REPORT_NOT_CHECKED_H_
#define LATHE_DRIVER_REPORT_NOT_CHECKED_H_

#include <string>
#include <vector>

namespace lathe::driver {

struct NotChecked {
  std::string file;                    // empty if everything was checked
  std::vector<std::string> functions;  // functions that contain errors; empty for the whole file
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_NOT_CHECKED_H_
