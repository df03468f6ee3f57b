// Checks the dtypes of operator calls against rule 20: no tensor can have a dtype that annotations
// may not have.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DTYPES_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DTYPES_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Returns whether tensors and scalars may have this dtype; true for Void, which means unknown. The
// rule names Int, UInt, Float and Handle. Handles and vectors are rejected. Newer formats
// (bfloat16, float8_e4m3fn, ..., and int4 and uint4, which are packed) are accepted.
bool IsSupportedDType(ir::DType dtype);

// For help texts.
inline constexpr char kSupportedDTypes[] =
    "scalars of bool, int and uint of 4, 8, 16, 32 or 64 bits, float16, 32 or 64";

// Checks dtype attributes and arguments of operators, and that required ones are present.
void CheckDTypesOfCalls(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DTYPES_H_
