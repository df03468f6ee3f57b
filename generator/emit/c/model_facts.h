// Analyzes a model before its kernels and routines are printed. Each function stores its results in
// the Model.
#ifndef LATHE_EMIT_C_MODEL_FACTS_H_
#define LATHE_EMIT_C_MODEL_FACTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/c/model_names.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Chooses the names of the exported functions (Model::entries). Must run before the names of
// kernels, constants and other routines are chosen. `endings` are the suffixes of other global
// names that start with the prefix of a function, `of_functions` of those that start with its name:
// NAME_inputs belongs to NAME_run, NAME_run_part starts with it.
void NameEntries(Model& model, absl::Span<const std::string> endings,
                 absl::Span<const std::string> of_functions = {});

// Finds the routines that other routines or they themselves call (Model::called). ScalarRanges()
// needs the result.
void FindCalled(Model& model);

// Finds the external functions, the routines that call one directly or indirectly, and the routines
// that keep values (Model::externs, extern_symbols, calls_out, keeps, makes_objects). Fails if an
// external function has no valid C name.
absl::Status FindExterns(Model& model);

// Finds the inputs that a step may write, also through calls (Model::written). Requires the printed
// kernels, which record the buffers that they write. Reports each step that writes a constant, and
// fails if there is one.
absl::Status MarkWritten(Model& model, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MODEL_FACTS_H_
