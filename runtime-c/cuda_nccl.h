/* SPDX-License-Identifier: 0BSD */
/* cuda_nccl.h - exchanges between workers (R.ccl, R.dist) by NVIDIA's NCCL, for models for GPUs
 * that have some. A worker is a rank of a communicator, and runs the model on a GPU of its own. */
#ifndef LATHE_CUDA_NCCL_H
#define LATHE_CUDA_NCCL_H

#ifdef __cplusplus
extern "C" {
#endif

struct ncclComm; /* an ncclComm_t points to one */

/* With whom models that the calling thread runs from here on exchange: the communicator of all
 * workers, and that of the group that this one is in, NULL where all are one group. They stay
 * yours, and have to be there until what was enqueued has ended. */
void lathe_use_nccl(struct ncclComm* all, struct ncclComm* group);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_CUDA_NCCL_H */
