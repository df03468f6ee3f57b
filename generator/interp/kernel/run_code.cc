#include "generator/interp/kernel/run_code.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/thread_group.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

std::string DescribeArg(const PrimArg& arg) {
  return Match(
      arg, [](const Scalar& s) { return absl::StrCat("a scalar of dtype ", ToString(s.dtype)); },
      [](const Pointer&) -> std::string { return "a pointer"; },
      [](const TensorRef& t) {
        return absl::StrCat("a tensor of shape ", ShapeToString(t->shape), " and dtype ",
                            ToString(t->dtype));
      },
      [](const std::string&) -> std::string { return "a string"; });
}

std::string DescribeParam(const ParamInfo& param) {
  if (param.buffer != nullptr) {
    return absl::StrCat("a tensor of ", CountOf(param.buffer->shape.size(), "dimension"),
                        " and dtype ", ToString(param.dtype.element()));
  }
  return param.pointer ? std::string("a pointer or a tensor")
                       : absl::StrCat("a scalar of dtype ", ToString(param.dtype));
}

bool Fits(const ParamInfo& param, const PrimArg& arg) {
  if (!param.pointer) {
    // Integers of different dtypes are compatible: dimensions of shapes are int64, parameters may
    // be int32.
    const auto* scalar = std::get_if<Scalar>(&arg);
    return scalar != nullptr && (scalar->dtype == param.dtype ||
                                 (!scalar->dtype.is_floating() && !param.dtype.is_floating()));
  }
  if (std::holds_alternative<Pointer>(arg)) return true;
  const auto* tensor = std::get_if<TensorRef>(&arg);
  if (tensor == nullptr) return false;
  if (param.buffer == nullptr) return true;
  return (*tensor)->shape.size() == param.buffer->shape.size() && (*tensor)->dtype == param.dtype;
}

absl::Status CheckArgs(const Code& code, const std::vector<PrimArg>& args, const RunEnv& env) {
  if (args.size() != code.params.size()) {
    return env.diags->Error(env.called_at, "run-wrong-arguments")
           << "'" << code.name << "' takes " << CountOf(code.params.size(), "argument") << ", got "
           << args.size();
  }
  for (size_t n = 0; n < args.size(); ++n) {
    const ParamInfo& param = code.params[n];
    if (Fits(param, args[n])) continue;
    return env.diags->Error(env.called_at, "run-buffer-mismatch")
           << "parameter " << n + 1 << " ('" << param.name << "') of '" << code.name << "' must be "
           << DescribeParam(param) << ", got " << DescribeArg(args[n]);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Scalar> RunCode(const Code& code, const std::vector<PrimArg>& args,
                               const RunEnv& env) {
  LATHE_RETURN_IF_ERROR(CheckArgs(code, args, env));
  Machine machine{&code, &args, env.budget, env.steps_left, env.calls, env.diags, env.called_at};
  Thread t = StartThread(&machine);
  RunSteps(t, code.instrs.data());
  if (t.state == Thread::State::kFailed) {
    return absl::InvalidArgumentError(absl::StrCat("'", code.name, "' failed"));
  }
  if (code.result == kNone) return Scalar{ir::DType::Int(32), 0};
  return Scalar{code.result_dtype.element(), t.regs[code.result]};
}

}  // namespace lathe::interp
