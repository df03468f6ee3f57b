// What routines do with whole tensors of a GPU: lines that enqueue it on their stream, or wait for
// the stream where the routine itself has to know what a tensor holds. Where the program has
// several devices, each has a stream, among `places` (lathe/cuda_places.h).
#ifndef LATHE_EMIT_CUDA_ENQUEUE_H_
#define LATHE_EMIT_CUDA_ENQUEUE_H_

#include <string>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/c/ports.h"
#include "generator/emit/c/print_c_expr.h"
#include "generator/emit/cuda/current_device.h"
#include "generator/ir/program.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The parameters of a routine behind all others: what outputs of any size have room for, and, which
// it hands on, where kernels say that they failed, and the stream; or the places. None in C.
std::vector<std::string> StreamParams(const Model& model, const std::vector<Port>& outputs);
std::vector<std::string> StreamArgs(const Model& model);

// What a step on a device is given: its stream; and a kernel, where it says that it failed.
std::string StreamOf(const Model& model, int device);
std::vector<std::string> KernelStreamArgs(const Model& model, const PrintedKernel& kernel,
                                          int device);

void EnqueueCopy(const Model& model, CurrentDevice& current, const ir::Tensor& to,
                 const ir::Tensor& from, const std::string& to_place, const std::string& from_place,
                 const std::string& bytes, LineWriter& out);
void EnqueueOnes(const Model& model, CurrentDevice& current, const ir::Tensor& tensor,
                 const std::string& to, const std::string& bytes, LineWriter& out);
// Within a GPU, between places that are no tensors.
void EnqueueCopy(const std::string& to, const std::string& from, const std::string& bytes,
                 const std::string& stream, LineWriter& out);
// Of elements that share bytes.
void EnqueuePackedOnes(Model& model, const ir::Tensor& tensor, const std::string& to,
                       const std::string& elements, LineWriter& out);
// An element of a tensor: the variable `name`, or made of what it is in memory.
CText ReadBack(Model& model, CNames& names, const std::string& name, const ir::Tensor& tensor,
               const std::string& from, int64_t index, LineWriter& out);

// Whether a run looks at data, so that it has to wait for the stream.
bool ReadsBack(const ir::Program& program);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_ENQUEUE_H_
