#include "generator/emit/cuda/enqueue.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/c_address.h"
#include "generator/emit/c/c_types.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/emit/c/stored_element.h"
#include "generator/ir/packed_elements.h"

namespace lathe::emit {
namespace {

bool IsHost(const Model& model, int device) {
  return model.has_devices() && model.program.devices[static_cast<size_t>(device)].is_host;
}

}  // namespace

std::vector<std::string> StreamParams(const Model& model, const std::vector<Port>& outputs) {
  if (!model.enqueues) return {};
  std::vector<std::string> params;
  for (const Port& port : outputs) {
    if (!port.capacity.empty()) params.push_back(absl::StrCat("int64_t ", port.capacity));
  }
  if (model.has_devices()) {
    params.push_back("const lathe_place *places");
    return params;
  }
  if (model.kernels_fail) params.push_back("int32_t *failed");
  params.push_back("cudaStream_t stream");
  return params;
}

std::vector<std::string> StreamArgs(const Model& model) {
  if (!model.enqueues) return {};
  if (model.has_devices()) return {"places"};
  std::vector<std::string> args;
  if (model.kernels_fail) args.push_back("failed");
  args.push_back("stream");
  return args;
}

std::string StreamOf(const Model& model, int device) {
  return model.has_devices() ? PlaceOf(device) + ".stream" : "stream";
}

std::vector<std::string> KernelStreamArgs(const Model& model, const PrintedKernel& kernel,
                                          int device) {
  if (!model.enqueues) return {};
  if (IsHost(model, device)) return {"&" + PlaceOf(device)};
  std::vector<std::string> args;
  if (kernel.fails) args.push_back(model.has_devices() ? PlaceOf(device) + ".failed" : "failed");
  args.push_back(StreamOf(model, device));
  return args;
}

void EnqueueCopy(const std::string& to, const std::string& from, const std::string& bytes,
                 const std::string& stream, LineWriter& out) {
  PrintCheckedCall(absl::StrCat("(int)cudaMemcpyAsync(", to, ", ", from, ", ", bytes,
                                ", cudaMemcpyDeviceToDevice, ", stream, ")"),
                   out);
}

void EnqueueCopy(const Model& model, CurrentDevice& current, const ir::Tensor& to,
                 const ir::Tensor& from, const std::string& to_place, const std::string& from_place,
                 const std::string& bytes, LineWriter& out) {
  if (model.has_devices() && to.device != from.device) {
    PrintCheckedCall(absl::StrCat("lathe_copy_across(&", PlaceOf(to.device), ", ", to_place, ", &",
                                  PlaceOf(from.device), ", ", from_place, ", ", bytes, ")"),
                     out);
  } else if (IsHost(model, to.device)) {
    current.Use(to.device, out);
    PrintCheckedCall(absl::StrCat(model.name, "_copy_on_host(&", PlaceOf(to.device), ", ", to_place,
                                  ", ", from_place, ", ", bytes, ")"),
                     out);
  } else {
    EnqueueCopy(to_place, from_place, bytes, StreamOf(model, to.device), out);
  }
}

void EnqueueOnes(const Model& model, CurrentDevice& current, const ir::Tensor& tensor,
                 const std::string& to, const std::string& bytes, LineWriter& out) {
  current.Use(tensor.device, out);
  PrintCheckedCall(IsHost(model, tensor.device)
                       ? absl::StrCat(model.name, "_ones_on_host(&", PlaceOf(tensor.device), ", ",
                                      to, ", ", bytes, ")")
                       : absl::StrCat("(int)cudaMemsetAsync(", to, ", 0xff, ", bytes, ", ",
                                      StreamOf(model, tensor.device), ")"),
                   out);
}

void EnqueuePackedOnes(Model& model, const ir::Tensor& tensor, const std::string& to,
                       const std::string& elements, LineWriter& out) {
  model.needs.headers.insert("\"lathe/cuda_moves.h\"");
  PrintCheckedCall(absl::StrCat("lathe_enqueue_ones(", to, ", ", elements, ", ",
                                int{tensor.dtype.bits}, "u, ", StreamOf(model, tensor.device), ")"),
                   out);
}

CText ReadBack(Model& model, CNames& names, const std::string& name, const ir::Tensor& tensor,
               const std::string& from, int64_t index, LineWriter& out) {
  const ir::DType dtype = tensor.dtype;
  const auto read = [&](const char* address_of, const std::string& to, int64_t at) {
    const std::string all =
        absl::StrCat(address_of, to, ", ", AddressOf(from, absl::StrCat(at)), ", sizeof ", to);
    PrintCheckedCall(model.has_devices()
                         ? absl::StrCat("lathe_read(&", PlaceOf(tensor.device), ", ", all, ")")
                         : absl::StrCat("lathe_read_back(", all, ", stream)"),
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
  const std::string stored = is_code ? names.Unique(name + "_bits").str() : name;
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
