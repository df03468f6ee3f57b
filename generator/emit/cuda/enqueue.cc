#include "generator/emit/cuda/enqueue.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_checked_call.h"

namespace lathe::emit {

std::vector<std::string> StreamParams(const Model& model, const std::vector<Port>& outputs) {
  if (!model.enqueues) return {};
  std::vector<std::string> params;
  for (const Port& port : outputs) {
    if (!port.capacity.empty()) params.push_back(absl::StrCat("int64_t ", port.capacity));
  }
  if (model.kernels_fail) params.push_back("int32_t *failed");
  params.push_back("cudaStream_t stream");
  return params;
}

std::vector<std::string> StreamArgs(const Model& model) {
  if (!model.enqueues) return {};
  std::vector<std::string> args;
  if (model.kernels_fail) args.push_back("failed");
  args.push_back("stream");
  return args;
}

void EnqueueCopy(const std::string& to, const std::string& from, const std::string& bytes,
                 LineWriter& out) {
  PrintCheckedCall(absl::StrCat("(int)cudaMemcpyAsync(", to, ", ", from, ", ", bytes,
                                ", cudaMemcpyDeviceToDevice, stream)"),
                   out);
}

void EnqueueOnes(const std::string& to, const std::string& bytes, LineWriter& out) {
  PrintCheckedCall(absl::StrCat("(int)cudaMemsetAsync(", to, ", 0xff, ", bytes, ", stream)"), out);
}

void ReadBack(const Model& model, const std::string& name, ir::DType dtype, const std::string& from,
              LineWriter& out) {
  out.Line(CType(dtype), " ", name, " = 0;");
  PrintCheckedCall(
      absl::StrCat(model.name, "_read(&", name, ", ", from, ", sizeof ", name, ", stream)"), out);
}

bool ReadsBack(const ir::Program& program) {
  bool reads = false;
  const auto looks = [](const ir::Part& part) {
    return std::holds_alternative<ir::TensorId>(part);
  };
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* branch = std::get_if<ir::BranchStep>(&step.node);
      const auto* check = std::get_if<ir::AssertStep>(&step.node);
      reads = reads || std::holds_alternative<ir::ReadStep>(step.node) ||
              (branch != nullptr && looks(branch->cond)) ||
              (check != nullptr && looks(check->cond));
    });
  }
  return reads;
}

}  // namespace lathe::emit
