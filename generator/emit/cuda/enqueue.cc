#include "generator/emit/cuda/enqueue.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c_address.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_checked_call.h"
#include "generator/emit/stored_element.h"
#include "generator/ir/packed_elements.h"

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

void EnqueueOnes(Model& model, const std::string& to, const std::string& elements, int bits,
                 LineWriter& out) {
  model.needs.headers.insert("\"lathe/cuda_moves.h\"");
  PrintCheckedCall(
      absl::StrCat("lathe_enqueue_ones(", to, ", ", elements, ", ", bits, "u, stream)"), out);
}

CText ReadBack(Model& model, CNames& names, const std::string& name, ir::DType dtype,
               const std::string& from, int64_t index, LineWriter& out) {
  const auto read = [&](const char* address_of, const std::string& to, int64_t at) {
    PrintCheckedCall(absl::StrCat(model.name, "_read(", address_of, to, ", ",
                                  AddressOf(from, absl::StrCat(at)), ", sizeof ", to, ", stream)"),
                     out);
  };
  if (ir::IsPacked(dtype)) {
    // The whole bytes that it lies in, from where eight elements begin.
    const int64_t bytes = (index % 8 * dtype.bits + dtype.bits + 7) / 8;
    const std::string bits = names.Unique(name + "_bits");
    out.Line("uint8_t ", bits, "[", bytes, "] = {0};");
    read("", bits, index / 8 * dtype.bits);
    return ReadElement(model.needs, dtype, {bits, absl::StrCat(index % 8)});
  }
  const bool is_code = CType(dtype) != CScalarType(dtype);
  const std::string stored = is_code ? names.Unique(name + "_bits") : name;
  out.Line(CType(dtype), " ", stored, " = 0;");
  read("&", stored, index);
  return ReadElement(model.needs, dtype, {stored, "", true});
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
