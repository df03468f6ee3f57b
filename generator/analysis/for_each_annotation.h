// Every place of a module where structural information is written.
#ifndef LATHE_ANALYSIS_FOR_EACH_ANNOTATION_H_
#define LATHE_ANALYSIS_FOR_EACH_ANNOTATION_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "generator/ir/module.h"

namespace lathe::analysis {

struct Annotation {
  ir::StructInfoRef info;
  const Location& loc;
  const char* what;  // "annotation of", "result of", "cast to", "type argument of"
  absl::string_view name;
};

// Parameters and bindings, results of functions, casts, the infos of results that calls are given,
// and those of extern functions.
void ForEachAnnotation(const ir::Module& module, absl::FunctionRef<void(const Annotation&)> visit);

// `info` and what it is made of, outermost first, each part once.
void ForEachPart(ir::StructInfoRef info, absl::FunctionRef<void(ir::StructInfoRef)> visit);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_FOR_EACH_ANNOTATION_H_
