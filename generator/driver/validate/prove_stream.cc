#include "generator/driver/validate/prove_stream.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/driver/validate/state_values.h"
#include "generator/interp/data/tensor.h"
#include "generator/support/check.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"
#include "generator/transform/stream/first_frames.h"
#include "generator/transform/stream/sequence_network.h"

namespace lathe::driver {
namespace {

using interp::Tensor;
using interp::TensorRef;
using interp::Value;
using transform::StreamedInput;

// Returns a tensor with the last `length` frames of `a`, and then those of `b`, along `axis`.
absl::StatusOr<TensorRef> Joined(const Tensor& a, const Tensor& b, int axis, int64_t length,
                                 const std::shared_ptr<interp::MemoryBudget>& budget) {
  std::vector<int64_t> dims = a.shape;
  const int64_t old_frames = a.shape[axis], new_frames = b.shape[axis];
  dims[axis] = length;
  LATHE_ASSIGN_OR_RETURN(TensorRef joined, interp::NewTensor(a.dtype, dims, budget));
  int64_t rows = 1;
  for (int k = 0; k < axis; ++k) rows *= dims[k];
  const size_t row = joined->bytes() / static_cast<size_t>(rows);
  const size_t frame = row / static_cast<size_t>(length);
  const size_t kept = static_cast<size_t>(length - new_frames) * frame;
  for (int64_t k = 0; k < rows; ++k) {
    uint8_t* to = joined->data() + static_cast<size_t>(k) * row;
    const uint8_t* old_end = a.data() + static_cast<size_t>((k + 1) * old_frames) * frame;
    std::memcpy(to, old_end - kept, kept);
    std::memcpy(to + kept, b.data() + static_cast<size_t>(k * new_frames) * frame, row - kept);
  }
  return joined;
}

std::vector<Value> FieldsOf(const Value& result) {
  const auto* fields = result.AsTuple();
  return fields == nullptr ? std::vector<Value>{result} : *fields;
}

// Returns whether `step` has the newest elements of `window`, which may have more along one axis.
bool IsEnd(const Tensor& step, const Tensor& window) {
  if (step.dtype != window.dtype || step.shape.size() != window.shape.size()) return false;
  int axis = 0;
  for (size_t k = 0; k < step.shape.size(); ++k) {
    if (step.shape[k] != window.shape[k]) axis = static_cast<int>(k);
  }
  for (size_t k = 0; k < step.shape.size(); ++k) {
    if (static_cast<int>(k) != axis && step.shape[k] != window.shape[k]) return false;
  }
  if (step.shape.empty()) return std::memcmp(step.data(), window.data(), step.bytes()) == 0;
  if (step.shape[axis] > window.shape[axis]) return false;
  size_t rows = 1;
  for (int k = 0; k < axis; ++k) rows *= static_cast<size_t>(step.shape[k]);
  const size_t row = step.bytes() / rows, whole = window.bytes() / rows;
  for (size_t k = 0; k < rows; ++k) {
    const uint8_t* newest = window.data() + (k + 1) * whole - row;
    if (std::memcmp(step.data() + k * row, newest, row) != 0) return false;
  }
  return true;
}

class Proof {
 public:
  Proof(ir::Context& context, const StreamedProgram& program, interp::Interpreter& steps,
        const RunOptions& options, const interp::PackedTable& packed)
      : context_(context),
        program_(program),
        steps_(steps),
        options_(options),
        packed_(packed),
        budget_(steps.budget()) {}

  absl::StatusOr<StreamProof> Run() {
    const ir::Module& module = steps_.runtime().module;
    // Streaming may have removed functions before it.
    const auto function = module.Find(Name());
    LATHE_CHECK(function.has_value(), "a streamed function keeps its name");
    const size_t variables = StateCount(module, *function);
    LATHE_ASSIGN_OR_RETURN(StepInputs inputs, StepInputs::Read(steps_, *function, options_));
    LATHE_ASSIGN_OR_RETURN(std::vector<Value> state, FirstState(module, *function, budget_));
    LATHE_RETURN_IF_ERROR(Begin());
    const int64_t count = options_.steps.value_or(StepsToReplace());
    for (int64_t step = 0; step < count; ++step) {
      LATHE_ASSIGN_OR_RETURN(std::vector<Value> args, inputs.Of(step));
      LATHE_RETURN_IF_ERROR(Append(args));
      args.insert(args.end(), state.begin(), state.end());
      LATHE_ASSIGN_OR_RETURN(Value returned, Evaluate(steps_, *function, std::move(args)));
      LATHE_ASSIGN_OR_RETURN(StepResult split, SplitState(std::move(returned), variables, budget_));
      LATHE_ASSIGN_OR_RETURN(const Value window, EvaluateWindow(step + 1));
      const std::vector<Value> got = FieldsOf(split.result), wanted = FieldsOf(window);
      LATHE_CHECK(got.size() == wanted.size(), "a streamed function has the results of the window");
      for (size_t k = 0; k < got.size(); ++k) {
        const Tensor* a = got[k].AsTensor();
        const Tensor* b = wanted[k].AsTensor();
        if (a != nullptr && b != nullptr && IsEnd(*a, *b)) continue;
        return StreamProof{absl::StrCat("stream: result ", k, " of step ", step, " differs from ",
                                        Reference(), "\n"),
                           false};
      }
      state = std::move(split.state);
    }
    return StreamProof{
        absl::StrCat("stream: ", CountOf(count, "step"), " equal to ", Reference(), "\n"), true};
  }

 private:
  std::string Reference() const {
    return program_.streamed.pads ? "the network on the whole sequence"
                                  : "the network on the window";
  }

  int64_t StepsToReplace() const {
    int64_t count = 1;
    for (const StreamedInput& input : program_.options.inputs) {
      const int64_t frames = input.time.length + input.time.step - 1;
      count = std::max(count, frames / input.time.step + 1);
    }
    return count;
  }

  // Sets the window to zeros.
  absl::Status Begin() {
    const ir::Module& module = program_.streamed.window;
    const ir::Function& f = *module.globals[program_.function].function();
    for (size_t k = 0; k < f.params.size(); ++k) {
      LATHE_ASSIGN_OR_RETURN(TensorRef zeros, transform::ZeroWindow(module, f, k, budget_));
      window_.emplace_back(std::move(zeros));
    }
    if (!program_.streamed.pads) Prepare(module);
    return absl::OkStatus();
  }

  // Appends the inputs of a step; those that are not streamed are replaced.
  absl::Status Append(const std::vector<Value>& args) {
    for (size_t k = 0; k < window_.size(); ++k) {
      const auto input =
          std::find_if(program_.options.inputs.begin(), program_.options.inputs.end(),
                       [&](const StreamedInput& each) { return each.param == k; });
      if (input == program_.options.inputs.end()) {
        window_[k] = args[k];
        continue;
      }
      const Tensor& old = *window_[k].AsTensor();
      const int axis = input->time.axis;
      const int64_t more = program_.streamed.pads ? input->time.step : 0;
      LATHE_ASSIGN_OR_RETURN(TensorRef joined, Joined(old, *args[k].AsTensor(), axis,
                                                      old.shape[axis] + more, budget_));
      window_[k] = Value(std::move(joined));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Value> EvaluateWindow(int64_t steps) {
    if (program_.streamed.pads) {
      Diagnostics diags;
      Prepare(transform::SequenceNetwork(context_, program_.streamed.window, program_.function,
                                         program_.options, steps, diags));
      if (diags.has_errors()) return absl::InternalError(diags.all()[0].message);
    }
    return Evaluate(*evaluated_, *reference_.Find(Name()), window_);
  }

  // Sets the module that is compared with.
  void Prepare(ir::Module module) {
    evaluated_.reset();
    reference_ = std::move(module);
    if (program_.options.arithmetic) program_.options.arithmetic(reference_);
    interp::Options settings;
    settings.packed = packed_;
    evaluated_.emplace(context_, reference_, std::move(settings));
  }

  const std::string& Name() const {
    return program_.streamed.window.globals[program_.function].name;
  }

  static absl::StatusOr<Value> Evaluate(interp::Interpreter& interpreter, ir::GlobalId function,
                                        std::vector<Value> args) {
    Diagnostics diags;
    auto value = interpreter.Run(function, std::move(args), diags);
    if (value.ok() || diags.all().empty()) return value;
    return absl::InvalidArgumentError(diags.all()[0].message);
  }

  ir::Context& context_;
  const StreamedProgram& program_;
  interp::Interpreter& steps_;
  const RunOptions& options_;
  const interp::PackedTable& packed_;
  const std::shared_ptr<interp::MemoryBudget> budget_;
  ir::Module reference_;
  std::optional<interp::Interpreter> evaluated_;  // of reference_; it keeps compiled kernels
  std::vector<Value> window_;  // the arguments for the window, or for the whole sequence
};

}  // namespace

absl::StatusOr<StreamProof> ProveStream(ir::Context& context, const StreamedProgram& program,
                                        interp::Interpreter& steps, const RunOptions& options,
                                        const interp::PackedTable& packed) {
  return Proof(context, program, steps, options, packed).Run();
}

}  // namespace lathe::driver
