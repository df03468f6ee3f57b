/* SPDX-License-Identifier: 0BSD */
/* cuda_nccl.cpp - implements the functions of R.ccl and R.dist with NCCL, each on the model's
 * stream. The user has to define "lathe.dist.redistribute", which refers to meshes by name. */
#include "cuda_nccl.h"

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <stdint.h>
#include <string.h>

#include "lathe/extern.h"
#include "value.h"

namespace {

struct Workers {
  ncclComm_t all = nullptr;
  ncclComm_t group = nullptr;
};
thread_local Workers workers;

// One call of the model: what it is given, and how it ends.
class Exchange {
 public:
  Exchange(const lathe_host* host, lathe_call* call, const lathe_value* args)
      : host_(host), call_(call), args_(args) {}

  // Whether the arguments are of these kinds, the last the tensor to be written.
  template <size_t kCount>
  bool Takes(const int32_t (&kinds)[kCount], size_t num_args) const {
    if (num_args != kCount) {
      return false;
    }
    for (size_t i = 0; i < kCount; ++i) {
      if (args_[i].kind != kinds[i]) {
        return false;
      }
    }
    return true;
  }

  const lathe_tensor& Tensor(size_t i) const { return args_[i].as.tensor; }
  size_t Bytes(size_t i) const {
    const lathe_tensor& x = Tensor(i);
    return lathe_tensor_bytes(x.dtype, x.shape, x.ndim);
  }
  cudaStream_t Stream() const { return reinterpret_cast<cudaStream_t>(host_->stream(call_)); }

  int Refuse(const char* why) const {
    host_->error(call_, why);
    return LATHE_E_ARGUMENT;
  }
  int Ended(ncclResult_t result) const {
    if (result == ncclSuccess) {
      return LATHE_OK;
    }
    host_->error(call_, ncclGetErrorString(result));
    return LATHE_E_FAILED;
  }

  // The communicator to go by, once lathe_use_nccl was called.
  int Among(bool in_group, ncclComm_t* comm) const {
    *comm = in_group && workers.group != nullptr ? workers.group : workers.all;
    if (*comm != nullptr) {
      return LATHE_OK;
    }
    host_->error(call_, "this thread has no communicator: lathe_use_nccl gives it one");
    return LATHE_E_FAILED;
  }
  // As many workers as the program says.
  int Among(bool in_group, int64_t count, ncclComm_t* comm) const {
    const int status = Among(in_group, comm);
    int has = 0;
    if (status != LATHE_OK) {
      return status;
    }
    const ncclResult_t result = ncclCommCount(*comm, &has);
    if (result != ncclSuccess) {
      return Ended(result);
    }
    return has == count ? LATHE_OK
                        : Refuse("the communicator has other workers than the program says");
  }

 private:
  const lathe_host* host_;
  lathe_call* call_;
  const lathe_value* args_;
};

// An axis of a tensor in parts, one for each worker: args are the tensor, the number of workers,
// the axis, and where this worker's part goes. A part is `rows` runs.
struct Shards {
  ncclComm_t comm = nullptr;
  int rank = 0;
  size_t workers = 0;
  size_t rows = 1;
  size_t run = 0;  // bytes of one; 0 where there is nothing to do

  // `takes`: what is said where the arguments are others.
  int Read(const Exchange& e, const lathe_value* args, size_t num_args, const char* takes) {
    if (!e.Takes({LATHE_TENSOR, LATHE_INT, LATHE_INT, LATHE_TENSOR}, num_args) ||
        !Divides(e.Tensor(0), args[2].as.i, args[1].as.i)) {
      return e.Refuse(takes);
    }
    const int status = e.Among(false, args[1].as.i, &comm);
    workers = static_cast<size_t>(args[1].as.i);
    run = rows == 0 ? 0 : e.Bytes(3) / rows;
    if (status != LATHE_OK || run == 0) {
      return status;
    }
    return e.Ended(ncclCommUserRank(comm, &rank));
  }

 private:
  bool Divides(const lathe_tensor& x, int64_t axis, int64_t count) {
    axis = axis < 0 ? axis + x.ndim : axis;
    if (axis < 0 || axis >= x.ndim || count < 1 || x.shape[axis] % count != 0) {
      return false;
    }
    for (int64_t i = 0; i < axis; ++i) {
      rows *= static_cast<size_t>(x.shape[i]);
    }
    return true;
  }
};

bool ReductionOf(const lathe_value& name, ncclRedOp_t* op) {
  static const struct {
    const char* name;
    ncclRedOp_t op;
  } rows[] = {
      {"sum", ncclSum}, {"prod", ncclProd}, {"min", ncclMin}, {"max", ncclMax}, {"avg", ncclAvg}};
  for (const auto& row : rows) {
    if (strcmp(row.name, name.as.string.text) == 0) {
      *op = row.op;
      return true;
    }
  }
  return false;
}

// What NCCL adds up; a bool is a byte of 0 or 1, whose sum would be neither.
bool NumbersOf(lathe_dtype dtype, ncclRedOp_t op, ncclDataType_t* type) {
  static const struct {
    uint8_t code, bits;
    ncclDataType_t type;
  } rows[] = {{LATHE_DT_INT, 8, ncclInt8},       {LATHE_DT_UINT, 8, ncclUint8},
              {LATHE_DT_INT, 32, ncclInt32},     {LATHE_DT_UINT, 32, ncclUint32},
              {LATHE_DT_INT, 64, ncclInt64},     {LATHE_DT_UINT, 64, ncclUint64},
              {LATHE_DT_FLOAT, 16, ncclFloat16}, {LATHE_DT_FLOAT, 32, ncclFloat32},
              {LATHE_DT_FLOAT, 64, ncclFloat64}, {LATHE_DT_BFLOAT, 16, ncclBfloat16}};
  if (dtype.code == LATHE_DT_BOOL && op != ncclSum && op != ncclAvg) {
    *type = ncclUint8;
    return true;
  }
  for (const auto& row : rows) {
    if (row.code == dtype.code && row.bits == dtype.bits) {
      *type = row.type;
      return true;
    }
  }
  return false;
}

}  // namespace

void lathe_use_nccl(struct ncclComm* all, struct ncclComm* group) {
  workers.all = all;
  workers.group = group;
}

extern "C" {

int lathe_ccl_allreduce(const lathe_host* host, lathe_call* call, const lathe_value* args,
                        size_t num_args, lathe_value*) {
  const Exchange e(host, call, args);
  ncclRedOp_t op = ncclSum;
  ncclDataType_t type = ncclUint8;
  ncclComm_t comm = nullptr;
  if (!e.Takes({LATHE_TENSOR, LATHE_STRING, LATHE_BOOL, LATHE_TENSOR}, num_args) ||
      e.Bytes(0) != e.Bytes(3)) {
    return e.Refuse("lathe.ccl.allreduce takes a tensor, 'sum' or the like, and in_group");
  }
  if (!ReductionOf(args[1], &op) || !NumbersOf(e.Tensor(0).dtype, op, &type)) {
    return e.Refuse("NCCL has no such reduction of elements of this dtype");
  }
  const int status = e.Among(args[2].as.i != 0, &comm);
  if (status != LATHE_OK || e.Bytes(0) == 0) {
    return status;
  }
  const lathe_dtype dtype = e.Tensor(0).dtype;
  const size_t count = e.Bytes(0) / (dtype.code == LATHE_DT_BOOL ? 1u : dtype.bits / 8u);
  return e.Ended(
      ncclAllReduce(e.Tensor(0).data, e.Tensor(3).data, count, type, op, comm, e.Stream()));
}

int lathe_ccl_allgather(const lathe_host* host, lathe_call* call, const lathe_value* args,
                        size_t num_args, lathe_value*) {
  const Exchange e(host, call, args);
  ncclComm_t comm = nullptr;
  if (!e.Takes({LATHE_TENSOR, LATHE_INT, LATHE_BOOL, LATHE_TENSOR}, num_args)) {
    return e.Refuse("lathe.ccl.allgather takes a tensor, the number of workers, and in_group");
  }
  const int status = e.Among(args[2].as.i != 0, args[1].as.i, &comm);
  if (status != LATHE_OK || e.Bytes(0) == 0) {
    return status;
  }
  return e.Ended(
      ncclAllGather(e.Tensor(0).data, e.Tensor(3).data, e.Bytes(0), ncclUint8, comm, e.Stream()));
}

int lathe_ccl_broadcast_from_worker0(const lathe_host* host, lathe_call* call,
                                     const lathe_value* args, size_t num_args, lathe_value*) {
  const Exchange e(host, call, args);
  ncclComm_t comm = nullptr;
  if (!e.Takes({LATHE_TENSOR, LATHE_TENSOR}, num_args) || e.Bytes(0) != e.Bytes(1)) {
    return e.Refuse("lathe.ccl.broadcast_from_worker0 takes a tensor");
  }
  const int status = e.Among(false, &comm);
  if (status != LATHE_OK || e.Bytes(0) == 0) {
    return status;
  }
  return e.Ended(ncclBroadcast(e.Tensor(0).data, e.Tensor(1).data, e.Bytes(0), ncclUint8, 0, comm,
                               e.Stream()));
}

int lathe_ccl_scatter_from_worker0(const lathe_host* host, lathe_call* call,
                                   const lathe_value* args, size_t num_args, lathe_value*) {
  const Exchange e(host, call, args);
  Shards shards;
  const int status = shards.Read(e, args, num_args,
                                 "lathe.ccl.scatter_from_worker0 takes a tensor, the number of "
                                 "workers, and an axis which that "
                                 "divides");
  if (status != LATHE_OK || shards.run == 0) {
    return status;
  }
  ncclResult_t result = ncclGroupStart();
  if (result != ncclSuccess) {
    return e.Ended(result);
  }
  const uint8_t* from = static_cast<const uint8_t*>(e.Tensor(0).data);
  uint8_t* to = static_cast<uint8_t*>(e.Tensor(3).data);
  for (size_t row = 0; row < shards.rows && result == ncclSuccess; ++row) {
    for (size_t w = 0; w < shards.workers && shards.rank == 0 && result == ncclSuccess; ++w) {
      result = ncclSend(from, shards.run, ncclUint8, static_cast<int>(w), shards.comm, e.Stream());
      from += shards.run;
    }
    if (result == ncclSuccess) {
      result = ncclRecv(to, shards.run, ncclUint8, 0, shards.comm, e.Stream());
      to += shards.run;
    }
  }
  const ncclResult_t end = ncclGroupEnd();
  return e.Ended(result != ncclSuccess ? result : end);
}

int lathe_dist_redistribute_replica_to_shard(const lathe_host* host, lathe_call* call,
                                             const lathe_value* args, size_t num_args,
                                             lathe_value*) {
  const Exchange e(host, call, args);
  Shards shards;
  const int status = shards.Read(e, args, num_args,
                                 "lathe.dist.redistribute_replica_to_shard takes a tensor, the "
                                 "number of workers, and an axis which that "
                                 "divides");
  if (status != LATHE_OK || shards.run == 0) {
    return status;
  }
  const uint8_t* from = static_cast<const uint8_t*>(e.Tensor(0).data);
  return static_cast<int>(cudaMemcpy2DAsync(
      e.Tensor(3).data, shards.run, from + static_cast<size_t>(shards.rank) * shards.run,
      shards.workers * shards.run, shards.run, shards.rows, cudaMemcpyDeviceToDevice, e.Stream()));
}

}  // extern "C"
