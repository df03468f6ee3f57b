#include "generator/emit/cuda/cuda_routine_dialect.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/ports.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/emit/c/print_moves.h"
#include "generator/emit/cuda/device_place.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

bool IsHostDevice(const Model& model, int device) {
  return model.program.devices[static_cast<size_t>(device)].is_host;
}

// Prints the call that enqueues a copy within a GPU.
void EnqueueCopy(const std::string& target, const std::string& source, const std::string& bytes,
                 const std::string& stream, LineWriter& out) {
  PrintCheckedCall(absl::StrCat("(int)cudaMemcpyAsync(", target, ", ", source, ", ", bytes,
                                ", cudaMemcpyDeviceToDevice, ", stream, ")"),
                   out);
}

void EnqueueOnes(const std::string& target, const std::string& bytes, const std::string& stream,
                 LineWriter& out) {
  PrintCheckedCall(
      absl::StrCat("(int)cudaMemsetAsync(", target, ", 0xff, ", bytes, ", ", stream, ")"), out);
}

// Returns the parameters for the capacities of outputs of dynamic size.
std::vector<std::string> CapacityParams(const std::vector<Port>& outputs) {
  std::vector<std::string> params;
  for (const Port& port : outputs) {
    if (!port.capacity.empty()) params.push_back(absl::StrCat("int64_t ", port.capacity));
  }
  return params;
}

}  // namespace

absl::Status CudaRoutineDialect::Fill(MovePrinter& moves, ir::TensorId tensor,
                                      const std::string& target, const std::string& bytes,
                                      LineWriter& out) const {
  Model& model = moves.model();
  const ir::Tensor& filled = model.program.tensors[tensor];
  if (!ir::IsPacked(filled.dtype)) {
    FillBytes(model, moves.current(), filled, target, bytes, out);
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const std::string elements, moves.ElementsOf(tensor));
  model.needs.headers.insert("\"lathe/cuda_moves.h\"");
  PrintCheckedCall(absl::StrCat("lathe_enqueue_ones(", target, ", ", elements, ", ",
                                int{filled.dtype.bits}, "u, ", StreamOf(filled.device), ")"),
                   out);
  return absl::OkStatus();
}

absl::Status CudaRoutineDialect::Return(MovePrinter& moves,
                                        const std::vector<ir::TensorId>& tensors,
                                        LineWriter& out) const {
  Model& model = moves.model();
  FrameText& frame = moves.frame();
  const std::string& arena = model.arena();
  const std::string stream = StreamOf(0);
  model.needs.headers.insert("\"lathe/scalar.h\"");
  if (tensors.size() == 1) {
    model.needs.headers.insert("\"lathe/cuda_moves.h\"");
    const ir::Tensor& tensor = model.program.tensors[tensors[0]];
    LATHE_ASSIGN_OR_RETURN(const std::string from, moves.Spell(tensors[0]));
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, frame.Bytes(tensor.dtype, tensor.shape));
    PrintCheckedCall(absl::StrCat("lathe_enqueue_to_front(", arena, ", top, ", frame.room(), ", ",
                                  from, ", ", bytes, ", ", stream, ")"),
                     out);
    return absl::OkStatus();
  }
  // First packs the tensors after all other data, far enough from the front that the copy to the
  // front does not overlap.
  out.Line("size_t total = 0u;");
  std::vector<std::string> sizes;
  for (ir::TensorId id : tensors) {
    const ir::Tensor& tensor = model.program.tensors[id];
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, frame.Bytes(tensor.dtype, tensor.shape));
    sizes.push_back(absl::StrCat("lathe_aligned(", bytes, ", ", model.target.ram_align, "u)"));
    out.Line("total = lathe_sum(total, ", sizes.back(), ");");
  }
  out.Line("size_t end = lathe_larger(top, total);");
  out.Line("if (lathe_sum(end, total) > ", frame.room(), ") {");
  out.Line("  return LATHE_E_MEMORY;");
  out.Line("}");
  for (size_t i = 0; i < tensors.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(const std::string from, moves.Spell(tensors[i]));
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, moves.BytesOf(tensors[i]));
    EnqueueCopy(absl::StrCat("&", arena, "[end]"), from, bytes, stream, out);
    out.Line("end += ", sizes[i], ";");
  }
  EnqueueCopy(arena, absl::StrCat("&", arena, "[end - total]"), "total", stream, out);
  return absl::OkStatus();
}

CText CudaRoutineDialect::Read(Model& model, CNames& names, const ElementRead& read,
                               LineWriter& out) const {
  const ir::DType dtype = read.tensor.dtype;
  const std::string name = read.variable.empty()
                               ? names.Unique(absl::StrCat(read.tensor.name, "_now")).str()
                               : read.variable;
  const auto copy = [&](const char* address_of, const std::string& to, int64_t at) {
    PrintCheckedCall(
        ReadBack(absl::StrCat(address_of, to, ", ", AddressOf(read.pointer, absl::StrCat(at)),
                              ", sizeof ", to),
                 read.tensor.device),
        out);
  };
  if (ir::IsPacked(dtype)) {
    // The bytes that contain the element, from the start of its group of eight elements.
    const int64_t bytes = (read.index % 8 * dtype.bits + dtype.bits + 7) / 8;
    const std::string bits = names.Unique(name + "_bits");
    out.Line("uint8_t ", bits, "[", bytes, "] = {0};");
    copy("", bits, read.index / 8 * dtype.bits);
    return ReadElement(model.needs, dtype, {bits, absl::StrCat(read.index % 8)});
  }
  const bool is_code = CType(dtype) != CScalarType(dtype);
  const std::string stored = is_code ? names.Unique(name + "_bits").str() : name;
  out.Line(CType(dtype), " ", stored, " = 0;");
  copy("&", stored, read.index);
  return ReadElement(model.needs, dtype, {stored, "", true});
}

void CudaRoutineDialect::CallKernel(const Model& model, const KernelCall& call,
                                    LineWriter& out) const {
  const PrintedKernel& kernel = call.kernel;
  std::vector<std::string> args = call.args;
  for (std::string& arg : EnqueueArgs(model, kernel, call.device)) args.push_back(std::move(arg));
  PrintCheckedCall(absl::StrCat(kernel.name, "(", absl::StrJoin(args, ", "), ")"), out);
}

void CudaRoutineDialect::IncludePacked(CNeeds& needs) const {
  needs.headers.insert({"\"lathe/cuda_take.h\"", "\"lathe/packed_stream.h\""});
}

void CudaRoutineDialect::CallPacked(CNames& names, const PackedCall& call, LineWriter& out) const {
  const std::string parts = names.Unique("parts");
  out.Line("lathe_parts ", parts, ";");
  PrintCheckedCall(
      absl::StrCat("lathe_call_on_stream(", call.callee, ", ", call.args, ", ", call.count, "u, ",
                   call.room, ", &", parts, ", ", StreamOf(call.device), ", &", call.result, ")"),
      out);
}

std::string CudaRoutineDialect::TakeTensor(const std::string& args, int device) const {
  return absl::StrCat("lathe_enqueue_take(", args, ", ", StreamOf(device), ")");
}

std::vector<std::string> CudaDeviceDialect::LastParams(const Model& model,
                                                       const std::vector<Port>& outputs) const {
  std::vector<std::string> params = CapacityParams(outputs);
  if (model.kernels_fail()) params.push_back("int32_t *failed");
  params.push_back("cudaStream_t stream");
  return params;
}

std::vector<std::string> CudaDeviceDialect::LastArgs(const Model& model) const {
  std::vector<std::string> args;
  if (model.kernels_fail()) args.push_back("failed");
  args.push_back("stream");
  return args;
}

void CudaDeviceDialect::Copy(Model&, CurrentDevice&, const TensorCopy& copy,
                             LineWriter& out) const {
  EnqueueCopy(copy.target, copy.source, copy.bytes, "stream", out);
}

std::vector<std::string> CudaDeviceDialect::EnqueueArgs(const Model&, const PrintedKernel& kernel,
                                                        int) const {
  std::vector<std::string> args;
  if (kernel.fails) args.push_back("failed");
  args.push_back("stream");
  return args;
}

void CudaDeviceDialect::FillBytes(const Model&, CurrentDevice&, const ir::Tensor&,
                                  const std::string& target, const std::string& bytes,
                                  LineWriter& out) const {
  EnqueueOnes(target, bytes, "stream", out);
}

std::string CudaDeviceDialect::ReadBack(const std::string& args, int) const {
  return absl::StrCat("lathe_read_back(", args, ", stream)");
}

PoolNames CudaDevicesDialect::NamesOf(const plan::PoolUse& pool) const {
  return {pool.name + "_end", pool.name + "_top", "_" + pool.name};
}

std::vector<std::string> CudaDevicesDialect::ReservedNames(const Model& model) const {
  std::vector<std::string> names;
  for (const plan::PoolUse& pool : model.plan.pools) {
    for (const char* what : {"_size", "_end", "_top"}) names.push_back(pool.name + what);
  }
  names.emplace_back("places");
  return names;
}

std::vector<std::string> CudaDevicesDialect::LastParams(const Model&,
                                                        const std::vector<Port>& outputs) const {
  std::vector<std::string> params = CapacityParams(outputs);
  params.push_back("const lathe_place *places");
  return params;
}

void CudaDevicesDialect::UseDevice(CurrentDevice& current, int device, LineWriter& out) const {
  if (current.known() == device) return;
  current.Set(device);
  PrintCheckedCall(absl::StrCat("lathe_use(&", DevicePlace(device), ")"), out);
}

void CudaDevicesDialect::Wait(const ir::WaitStep& step, LineWriter& out) const {
  PrintCheckedCall(
      absl::StrCat("lathe_wait(&", DevicePlace(step.waits), ", &", DevicePlace(step.on), ")"), out);
}

void CudaDevicesDialect::Copy(Model& model, CurrentDevice& current, const TensorCopy& copy,
                              LineWriter& out) const {
  const int device = copy.to.device;
  if (device != copy.from.device) {
    PrintCheckedCall(
        absl::StrCat("lathe_copy_across(&", DevicePlace(device), ", ", copy.target, ", &",
                     DevicePlace(copy.from.device), ", ", copy.source, ", ", copy.bytes, ")"),
        out);
  } else if (IsHostDevice(model, device)) {
    UseDevice(current, device, out);
    PrintCheckedCall(absl::StrCat(model.name, "_copy_on_host(&", DevicePlace(device), ", ",
                                  copy.target, ", ", copy.source, ", ", copy.bytes, ")"),
                     out);
  } else {
    EnqueueCopy(copy.target, copy.source, copy.bytes, StreamOf(device), out);
  }
}

std::string CudaDevicesDialect::StreamOf(int device) const {
  return DevicePlace(device) + ".stream";
}

std::vector<std::string> CudaDevicesDialect::EnqueueArgs(const Model& model,
                                                         const PrintedKernel& kernel,
                                                         int device) const {
  if (IsHostDevice(model, device)) return {"&" + DevicePlace(device)};
  std::vector<std::string> args;
  if (kernel.fails) args.push_back(DevicePlace(device) + ".failed");
  args.push_back(StreamOf(device));
  return args;
}

void CudaDevicesDialect::FillBytes(const Model& model, CurrentDevice& current,
                                   const ir::Tensor& tensor, const std::string& target,
                                   const std::string& bytes, LineWriter& out) const {
  UseDevice(current, tensor.device, out);
  if (!IsHostDevice(model, tensor.device)) {
    EnqueueOnes(target, bytes, StreamOf(tensor.device), out);
    return;
  }
  PrintCheckedCall(absl::StrCat(model.name, "_ones_on_host(&", DevicePlace(tensor.device), ", ",
                                target, ", ", bytes, ")"),
                   out);
}

std::string CudaDevicesDialect::ReadBack(const std::string& args, int device) const {
  return absl::StrCat("lathe_read(&", DevicePlace(device), ", ", args, ")");
}

}  // namespace lathe::emit
