#include "generator/lower/make_kernel.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/each_stmt.h"

namespace lathe::lower {
namespace {

using ir::BufferRef;
using ir::PrimRef;

class ParameterCollector {
 public:
  explicit ParameterCollector(ir::Kernel& kernel) : kernel_(kernel) {}

  absl::Status Params() {
    for (const ir::PrimParam& param : kernel_.func.params) {
      if (param.buffer != nullptr) {
        kernel_.buffers.push_back(param.buffer);
      } else if (param.var->dtype().is_handle()) {
        return absl::UnimplementedError(
            absl::StrCat("parameter '", param.var->As<ir::SymVar>()->name,
                         "' is a bare pointer; buffers and scalars are supported"));
      } else {
        Scalar(param.var);
      }
    }
    for (BufferRef buffer : kernel_.buffers) {
      for (PrimRef dim : buffer->shape) Scalars(dim);
      for (PrimRef stride : buffer->strides) Scalars(stride);
      if (buffer->elem_offset != nullptr) Scalars(buffer->elem_offset);
    }
    return absl::OkStatus();
  }

  absl::Status Scratch() {
    ir::ForEachStmt(kernel_.func.body, [&](ir::StmtRef stmt) {
      if (const auto* block = stmt->As<ir::BlockStmt>()) {
        for (BufferRef buffer : block->allocs) CheckLocal(buffer);
      }
      const auto* alloc = stmt->As<ir::AllocStmt>();
      if (alloc != nullptr && !alloc->constant) CheckLocal(alloc->buffer);
    });
    return status_;
  }

 private:
  void Scalar(PrimRef var) {
    if (seen_.insert(var).second) kernel_.scalars.push_back(var);
  }
  void Scalars(PrimRef e) {
    for (PrimRef var : analysis::VarsIn(e)) Scalar(var);
  }
  void CheckLocal(BufferRef buffer) {
    if (IsSmall(*buffer)) return;
    for (PrimRef dim : buffer->shape) {
      for (PrimRef var : analysis::VarsIn(dim)) {
        if (seen_.contains(var)) continue;
        status_ = absl::UnimplementedError(
            absl::StrCat("the size of buffer '", buffer->name,
                         "' depends on values that the kernel computes; sizes computed from the "
                         "kernel's parameters are supported"));
      }
    }
    kernel_.buffers.push_back(buffer);
  }

  ir::Kernel& kernel_;
  absl::flat_hash_set<PrimRef> seen_;
  absl::Status status_;
};

}  // namespace

bool IsSmall(const ir::Buffer& buffer) {
  const std::optional<int64_t> extent = ir::ExtentOf(buffer);
  int64_t bytes = static_cast<int64_t>(ir::StorageBytes(buffer.dtype, 1));
  if (!extent || __builtin_mul_overflow(bytes, *extent, &bytes)) return false;
  return bytes <= kMaxLocalBytes;
}

absl::StatusOr<ir::Kernel> MakeKernel(std::string name, const ir::PrimFunc& func,
                                      std::string origin) {
  ir::Kernel kernel;
  kernel.name = std::move(name);
  kernel.func = func;
  kernel.origin = std::move(origin);
  ParameterCollector collect(kernel);
  if (const absl::Status status = collect.Params(); !status.ok()) return status;
  if (const absl::Status status = collect.Scratch(); !status.ok()) return status;
  return kernel;
}

}  // namespace lathe::lower
