// Prints attribute values as TVMScript: dictionaries of R.func_attr, keyword arguments, loop
// annotations.
#ifndef LATHE_IR_PRINT_PRINT_ATTR_H_
#define LATHE_IR_PRINT_PRINT_ATTR_H_

#include <functional>
#include <string>

#include "generator/ir/attrs.h"
#include "generator/ir/print/print_scalar.h"

namespace lathe::ir {

// Prints structural information, which only graphs have in attributes: R.Tensor((n,)).
using InfoPrinter = std::function<std::string(StructInfoRef)>;

// Scalars are printed with their types (T.int32(4)) to distinguish them from plain numbers.
std::string PrintAttr(const AttrValue& value, PrintNames& names, const ScalarStyle& style,
                      const InfoPrinter& print_info = nullptr);

// {"key": value, ...}
std::string PrintAttrs(const AttrMap& attrs, PrintNames& names, const ScalarStyle& style,
                       const InfoPrinter& print_info = nullptr);

// I.vdevice("cuda", 0, "global")
std::string PrintDevice(const VDevice& device);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_ATTR_H_
