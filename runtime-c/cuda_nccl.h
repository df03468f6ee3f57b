/* SPDX-License-Identifier: 0BSD */
/* cuda_nccl.h - communication between workers (R.ccl, R.dist) by NVIDIA's NCCL, for GPU models
 * that use it. A worker is a rank of a communicator, and runs the model on its own GPU. */
#ifndef LATHE_CUDA_NCCL_H
#define LATHE_CUDA_NCCL_H

#ifdef __cplusplus
extern "C" {
#endif

struct ncclComm; /* an ncclComm_t points to one */

/* Sets the communicators for the models that the calling thread runs from now on: that of all
 * workers, and that of this worker's group, NULL if all are one group. The caller owns them and
 * must keep them until the enqueued work has ended. */
void lathe_use_nccl(struct ncclComm* all, struct ncclComm* group);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_CUDA_NCCL_H */
