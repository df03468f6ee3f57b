// Elaborates devices: the virtual devices of the module, I.vdevice("cuda", 0, "global"), and the
// physical devices R.device(1, 0) and R.cuda(0).
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_DEVICE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_DEVICE_H_

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Returns true if `e` is a call of I.vdevice.
bool IsVDeviceCall(const Elaboration& el, const ast::Expr& e);
// Returns the virtual device that the call `e` of I.vdevice describes.
absl::StatusOr<ir::VDeviceRef> ElaborateVDevice(Frame& frame, const ast::Expr& e);

// Returns true if `e` is a call of R.device or of a device kind such as R.cuda.
bool IsDeviceCall(const Elaboration& el, const ast::Expr& e);
// Returns an AttrObject "device" with the fields device_type (a DLPack number) and index. `e` must
// satisfy IsDeviceCall.
absl::StatusOr<ir::AttrValue> ElaborateDevice(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_DEVICE_H_
