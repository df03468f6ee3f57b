// Prints structural information as an annotation: R.Tensor((n, 4), dtype="float32").
#ifndef LATHE_IR_PRINT_PRINT_STRUCT_INFO_H_
#define LATHE_IR_PRINT_PRINT_STRUCT_INFO_H_

#include <string>

#include "generator/ir/print/graph_text.h"

namespace lathe::ir {

std::string PrintStructInfo(StructInfoRef info, const GraphText& text);

// Prints a device reference: "cuda:1:global", with the index among the module's devices of that
// kind; in full, I.vdevice(...), if the module does not declare it.
std::string PrintDeviceName(VDeviceRef device, const Module& module);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_STRUCT_INFO_H_
