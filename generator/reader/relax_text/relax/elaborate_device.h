// Devices: I.vdevice("cuda", 0, "global") of the module, R.device(1, 0) and R.cuda(0) of the
// machine.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_DEVICE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_DEVICE_H_

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

bool IsVDeviceCall(const Elaboration& el, const ast::Expr& e);
absl::StatusOr<ir::VDeviceRef> ElaborateVDevice(Frame& frame, const ast::Expr& e);

bool IsDeviceCall(const Elaboration& el, const ast::Expr& e);
// An object "device" with device_type and index.
absl::StatusOr<ir::AttrValue> ElaborateDevice(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_DEVICE_H_
