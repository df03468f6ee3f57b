// A folder for what a verb makes on its way.
#ifndef LATHE_DRIVER_REPORT_WORK_FOLDER_H_
#define LATHE_DRIVER_REPORT_WORK_FOLDER_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe::driver {

// A folder of this run's own, gone at its end unless the user named one.
class WorkFolder {
 public:
  explicit WorkFolder(absl::string_view named);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool temporary_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_WORK_FOLDER_H_
