// What the templates of a model's header and source read.
#ifndef LATHE_EMIT_MODEL_VIEW_H_
#define LATHE_EMIT_MODEL_VIEW_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/template.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/target/target.h"

namespace lathe::emit {

absl::StatusOr<TemplateValue::Dict> ModelView(ir::Context& context, const ir::Module& module,
                                              const ir::Program& program, const plan::Plan& plan,
                                              const Target& target, const std::string& name);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_MODEL_VIEW_H_
