// Prints routines as CUDA: the host enqueues their steps on the streams of GPUs, whose memory holds
// the tensors. The host waits for a stream only where control flow depends on a tensor.
#ifndef LATHE_EMIT_CUDA_CUDA_ROUTINE_DIALECT_H_
#define LATHE_EMIT_CUDA_CUDA_ROUTINE_DIALECT_H_

#include <string>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/c/routine_dialect.h"
#include "generator/emit/cuda/cuda_names.h"

namespace lathe::emit {

// Prints the steps that are the same for one device and for several devices.
class CudaRoutineDialect : public RoutineDialect {
 public:
  const ExternRules& extern_rules() const final { return kCudaExternRules; }

  absl::Status Fill(MovePrinter& moves, ir::TensorId tensor, const std::string& target,
                    const std::string& bytes, LineWriter& out) const final;
  absl::Status Return(MovePrinter& moves, const std::vector<ir::TensorId>& tensors,
                      LineWriter& out) const final;
  CText Read(Model& model, CNames& names, const ElementRead& read, LineWriter& out) const final;

  // The function that enqueues a kernel also clears the bits after packed elements.
  absl::Status BeforeWrite(MovePrinter&, ir::TensorId, LineWriter&) const final {
    return absl::OkStatus();
  }
  void CallKernel(const Model& model, const KernelCall& call, LineWriter& out) const final;

  void IncludePacked(CNeeds& needs) const final;
  void CallPacked(CNames& names, const PackedCall& call, LineWriter& out) const final;
  std::string TakeTensor(const std::string& args, int device) const final;

 protected:
  // Returns the expression for the stream of `device`.
  virtual std::string StreamOf(int device) const = 0;
  // Returns the arguments of the function that enqueues `kernel` which follow the kernel's own.
  virtual std::vector<std::string> EnqueueArgs(const Model& model, const PrintedKernel& kernel,
                                               int device) const = 0;
  // Prints code that sets all bits of `tensor`, whose elements are whole bytes. `target` is its
  // address and `bytes` its size.
  virtual void FillBytes(const Model& model, CurrentDevice& current, const ir::Tensor& tensor,
                         const std::string& target, const std::string& bytes,
                         LineWriter& out) const = 0;
  // Returns the call that copies to the host and waits for the copy. `args` are target, source and
  // size.
  virtual std::string ReadBack(const std::string& args, int device) const = 0;
};

// Prints routines for one GPU. They have its stream as a parameter.
class CudaDeviceDialect final : public CudaRoutineDialect {
 public:
  PoolNames NamesOf(const plan::PoolUse&) const override { return {"frame_size", "top", ""}; }
  std::vector<std::string> ReservedNames(const Model& model) const override {
    return LastArgs(model);
  }
  bool PassesWeights() const override { return true; }
  std::vector<std::string> LastParams(const Model& model,
                                      const std::vector<Port>& outputs) const override;
  std::vector<std::string> LastArgs(const Model& model) const override;
  void UseDevice(CurrentDevice&, int, LineWriter&) const override {}
  void Wait(const ir::WaitStep&, LineWriter&) const override {}  // steps of a stream run in order
  void Copy(Model& model, CurrentDevice& current, const TensorCopy& copy,
            LineWriter& out) const override;

 protected:
  std::string StreamOf(int) const override { return "stream"; }
  std::vector<std::string> EnqueueArgs(const Model& model, const PrintedKernel& kernel,
                                       int device) const override;
  void FillBytes(const Model& model, CurrentDevice& current, const ir::Tensor& tensor,
                 const std::string& target, const std::string& bytes,
                 LineWriter& out) const override;
  std::string ReadBack(const std::string& args, int device) const override;
};

// Prints routines for several devices, one of which may be the host. Routines have a parameter
// `places` (lathe/cuda_places.h): the stream, the memory and the weights of each device.
class CudaDevicesDialect final : public CudaRoutineDialect {
 public:
  PoolNames NamesOf(const plan::PoolUse& pool) const override;
  std::vector<std::string> ReservedNames(const Model& model) const override;
  bool PassesWeights() const override { return false; }
  std::vector<std::string> LastParams(const Model& model,
                                      const std::vector<Port>& outputs) const override;
  std::vector<std::string> LastArgs(const Model&) const override { return {"places"}; }
  void UseDevice(CurrentDevice& current, int device, LineWriter& out) const override;
  void Wait(const ir::WaitStep& step, LineWriter& out) const override;
  void Copy(Model& model, CurrentDevice& current, const TensorCopy& copy,
            LineWriter& out) const override;

 protected:
  std::string StreamOf(int device) const override;
  std::vector<std::string> EnqueueArgs(const Model& model, const PrintedKernel& kernel,
                                       int device) const override;
  void FillBytes(const Model& model, CurrentDevice& current, const ir::Tensor& tensor,
                 const std::string& target, const std::string& bytes,
                 LineWriter& out) const override;
  std::string ReadBack(const std::string& args, int device) const override;
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_ROUTINE_DIALECT_H_
