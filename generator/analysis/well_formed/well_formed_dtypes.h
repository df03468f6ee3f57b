// Rule 20, for the dtypes that calls are given: no tensor can have what annotations may not say.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DTYPES_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DTYPES_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// What a tensor or a scalar of a program may be of, and Void where nothing is known. The rule
// speaks of Int, UInt, Float and Handle; the formats that came later (bfloat16, float8_e4m3fn, ...,
// and int4 and uint4, which are packed) are let pass as scalars.
bool IsSupportedDType(ir::DType dtype);

// "scalars of ...": for the help of messages.
inline constexpr char kSupportedDTypes[] =
    "scalars of bool, int and uint of 4, 8, 16, 32 or 64 bits, float16, 32 or 64";

// The dtypes among the attributes and arguments of operators, and those that are missing.
void CheckDTypesOfCalls(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_DTYPES_H_
