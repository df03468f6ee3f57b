// Visits all structural information that is written in a module.
#ifndef LATHE_ANALYSIS_FOR_EACH_ANNOTATION_H_
#define LATHE_ANALYSIS_FOR_EACH_ANNOTATION_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "generator/ir/module.h"

namespace lathe::analysis {

struct Annotation {
  ir::StructInfoRef info;
  const Location& loc;
  const char* what;  // "annotation of", "result of", "cast for", ...
  absl::string_view name;
};

// Visits annotations of parameters, bindings and results, infos of casts, sinfo_args of calls, and
// infos of extern functions.
void ForEachAnnotation(const ir::Module& module, absl::FunctionRef<void(const Annotation&)> visit);

// Visits `info` and its parts, outermost first, each once.
void ForEachPart(ir::StructInfoRef info, absl::FunctionRef<void(ir::StructInfoRef)> visit);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_FOR_EACH_ANNOTATION_H_
