// Reserves identifiers that have a meaning in CUDA C++, checks names of external functions, and
// names the generated headers.
#ifndef LATHE_EMIT_CUDA_CUDA_NAMES_H_
#define LATHE_EMIT_CUDA_CUDA_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/extern_name.h"

namespace lathe::emit {

// Reserves the identifiers of CUDA C++ and the variables of the code printed around kernels.
void ReserveCudaNames(CNames& names);

// Reserves the names of functions and types that the generated files of every model define:
// NAME_create.
void ReserveFunctionNames(const CName& model, CNames& file_names);
// Reserves the names that only models for several devices define.
void ReservePlaceNames(const CName& model, CNames& file_names);

// Returns whether CUDA may declare a device function of that name: a function of its mathematical
// library, or any name with two leading underscores.
bool IsCudaFunction(absl::string_view name);

// The rules for names of external functions. Functions of CUDA, such as its intrinsics with two
// leading underscores, are allowed.
extern const ExternRules kCudaExternRules;

// Returns the operand of #include for the functions of the program that kernels call.
std::string FunctionsHeader(absl::string_view model);
// Returns the operand of #include for the external functions that kernels call.
std::string OutsideHeader(absl::string_view model);

// Returns the device version of a runtime header: "lathe/half.h" becomes "lathe/cuda_half.h". The
// quotes are part of the strings.
std::string DevicePart(absl::string_view header);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_NAMES_H_
