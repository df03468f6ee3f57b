// Creates a folder for intermediate files of a verb.
#ifndef LATHE_DRIVER_REPORT_WORK_FOLDER_H_
#define LATHE_DRIVER_REPORT_WORK_FOLDER_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/driver/report/remove_on_signal.h"

namespace lathe::driver {

// The folder `named`, or a temporary folder that the destructor, or a signal that ends the process,
// removes if `named` is empty.
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
  std::optional<RemoveOnSignal> on_signal_;
};

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_WORK_FOLDER_H_
