// Lowers R.to_vdevice and R.hint_on_device, which select the memory of tensors.
#ifndef LATHE_LOWER_LOWER_TO_DEVICE_H_
#define LATHE_LOWER_LOWER_TO_DEVICE_H_

#include <optional>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Copies the tensors of the value into the memory of the device. R.hint_on_device copies only those
// that are in another memory. Returns nothing after a report.
std::optional<Form> LowerToDevice(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_TO_DEVICE_H_
