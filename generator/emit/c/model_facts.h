// What is found out of a model, for its kernels and then its routines to be printed.
#ifndef LATHE_EMIT_C_MODEL_FACTS_H_
#define LATHE_EMIT_C_MODEL_FACTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/c/model_names.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Names the functions that users call, before anything else is named: `endings` are those of what
// else begins with such a name.
void NameEntries(Model& model, absl::Span<const std::string> endings);

// Which routines are called: needed for the sizes that kernels are called with.
void FindCalled(Model& model);

// Functions from outside, which routines reach one, and which keep values.
absl::Status FindExterns(Model& model);

// Inputs that kernels write into, through every call, once it is known of kernels what they write.
// Constants are never written, since they are the same in each run: such calls are reported.
absl::Status MarkWritten(Model& model, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MODEL_FACTS_H_
