// Where a program has several devices: which of them the lines of a routine are for.
#ifndef LATHE_EMIT_CUDA_CURRENT_DEVICE_H_
#define LATHE_EMIT_CUDA_CURRENT_DEVICE_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// A lathe_place of the run.
inline std::string PlaceOf(int device) { return absl::StrCat("places[", device, "]"); }

// The one that is CUDA's current device where the next line stands, as far as is known.
class CurrentDevice {
 public:
  explicit CurrentDevice(const Model& model) : model_(model) {}

  // From here on it is this one: kernels are enqueued for no other. No line where there is only
  // one.
  void Use(int device, LineWriter& out) {
    if (!model_.has_devices() || known_ == device) return;
    known_ = device;
    PrintCheckedCall(absl::StrCat("lathe_use(&", PlaceOf(device), ")"), out);
  }
  int known() const { return known_; }
  void Set(int known) { known_ = known; }
  void Forget() { known_ = -1; }

 private:
  const Model& model_;
  int known_ = -1;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CURRENT_DEVICE_H_
