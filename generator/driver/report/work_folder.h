// Provides a folder for intermediate files of a verb.
#ifndef LATHE_DRIVER_REPORT_WORK_FOLDER_H_
#define LATHE_DRIVER_REPORT_WORK_FOLDER_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/driver/report/remove_on_signal.h"

namespace lathe::driver {

// Holds the path `named`, whose folder it neither creates nor removes. If `named` is empty, creates
// a temporary folder; the destructor, or a signal that ends the process, removes it. The path is
// empty if the folder cannot be created.
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
