// Tracks which device is current while a routine for several devices is printed.
#ifndef LATHE_EMIT_C_CURRENT_DEVICE_H_
#define LATHE_EMIT_C_CURRENT_DEVICE_H_

namespace lathe::emit {

// The device that is current at the next printed line.
class CurrentDevice {
 public:
  int known() const { return known_; }  // -1: unknown
  void Set(int known) { known_ = known; }
  void Forget() { known_ = -1; }

 private:
  int known_ = -1;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_CURRENT_DEVICE_H_
