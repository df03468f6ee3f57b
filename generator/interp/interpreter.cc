#include "generator/interp/interpreter.h"

#include "generator/interp/execution.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

// Assigns the device of the parameter to an argument without a device.
Value Placed(const Value& value, ir::StructInfoRef info) {
  const auto* wanted = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  const Tensor* tensor = value.AsTensor();
  if (wanted == nullptr || tensor == nullptr || wanted->vdevice == nullptr ||
      tensor->device != nullptr) {
    return value;
  }
  Tensor placed = *tensor;
  placed.device = wanted->vdevice;
  return Value(std::make_shared<const Tensor>(std::move(placed)));
}

}  // namespace

Interpreter::Interpreter(ir::Context& ir, const ir::Module& module, Options options)
    : runtime_(ir, module, std::move(options)) {}

absl::StatusOr<Value> Interpreter::Run(ir::GlobalId function, std::vector<Value> args,
                                       Diagnostics& diags) {
  runtime_.diags = &diags;
  runtime_.ResetSteps();
  const ir::Global& global = runtime_.module.globals[function];
  if (const ir::Function* f = global.function()) {
    for (size_t n = 0; n < args.size() && n < f->params.size(); ++n) {
      args[n] = Placed(args[n], runtime_.module.values[f->params[n]].annotation);
    }
  }
  Execution execution(runtime_);
  return execution.Run(function, std::move(args));
}

}  // namespace lathe::interp
