// Tracks which of several devices the lines of a routine are for.
#ifndef LATHE_EMIT_C_CURRENT_DEVICE_H_
#define LATHE_EMIT_C_CURRENT_DEVICE_H_

namespace lathe::emit {

// The device that is current where the next line stands, as far as is known.
class CurrentDevice {
 public:
  int known() const { return known_; }  // -1: any
  void Set(int known) { known_ = known; }
  void Forget() { known_ = -1; }

 private:
  int known_ = -1;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_CURRENT_DEVICE_H_
