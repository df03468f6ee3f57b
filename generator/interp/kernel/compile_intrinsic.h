// Compiles intrinsics in scalar expressions to instructions of the interpreter.
#ifndef LATHE_INTERP_KERNEL_COMPILE_INTRINSIC_H_
#define LATHE_INTERP_KERNEL_COMPILE_INTRINSIC_H_

#include <optional>
#include <vector>

#include "generator/interp/kernel/code_builder.h"
#include "generator/ir/device/memory_address.h"

namespace lathe::interp {

// Returns the lanes of the intrinsic or call `n`, whose result has dtype `t`.
Lanes CompileIntrinsic(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t);

// Compiles an intrinsic that is computed lane by lane from its operands; nullopt for other names.
std::optional<Lanes> CompileScalarIntrinsic(CodeBuilder& b, absl::string_view name,
                                            const std::vector<ir::PrimRef>& args, ir::DType t);

// Returns the register with the address of an element. CompileAddress takes a load as the element,
// and returns the value of any other `place`, which is a pointer.
Reg CompileAddress(CodeBuilder& b, ir::PrimRef place);
Reg CompilePlace(CodeBuilder& b, const ir::MemoryAddress& place);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_INTRINSIC_H_
