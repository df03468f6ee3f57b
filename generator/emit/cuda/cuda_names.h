// Names of CUDA: those that mean something in its C++ and nothing in C, so that no variable is
// called so, and those of the headers of a bundle.
#ifndef LATHE_EMIT_CUDA_CUDA_NAMES_H_
#define LATHE_EMIT_CUDA_CUDA_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/emit/c/c_names.h"
#include "generator/emit/c/extern_name.h"

namespace lathe::emit {

// Takes them, and what the text around kernels calls its own variables.
void ReserveCudaNames(CNames& names);

// Takes the names of the functions and types that every file of `model` has, and those that it has
// for several devices.
void ReserveFunctionNames(const CName& model, CNames& file_names);
void ReservePlaceNames(const CName& model, CNames& file_names);

// Whether CUDA declares a function of that name for kernels.
bool IsCudaFunction(absl::string_view name);

// The names of external functions. CUDA's own functions, which begin with two underscores, are free
// to be called.
extern const ExternRules kCudaExternRules;

// What functions that kernels call are declared in, as #include has it: those of the program, and
// those from outside.
std::string FunctionsHeader(absl::string_view model);
std::string OutsideHeader(absl::string_view model);

// What the same part of the runtime is called for kernels of a GPU: "half.h" is "cuda_half.h".
std::string DevicePart(absl::string_view header);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_NAMES_H_
