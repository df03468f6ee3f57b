// Computes the mean and variance of a tensor over some of its axes, for normalizations.
#ifndef LATHE_OPS_TE_STATISTICS_H_
#define LATHE_OPS_TE_STATISTICS_H_

#include <vector>

#include "generator/ops/te/te.h"

namespace lathe::ops {

// Uses the first input of a kernel. Half precision is summed in float32.
class Statistics {
 public:
  // The statistics are over `axes`. With `groups` > 0, axis `channel` is divided into this number
  // of groups of consecutive channels, and the statistics are also over the channels of a group.
  Statistics(Te& te, const std::vector<int>& axes, int channel = -1, int64_t groups = 0);

  ir::DType dtype() const { return dtype_; }
  ir::BufferRef Mean();
  ir::BufferRef Variance(ir::BufferRef mean);  // divided by the count
  ir::BufferRef MeanSquare();
  // Returns the indices of the statistics of the element `in`.
  Indices Of(const Indices& in) const;
  // Returns the element, cast to dtype().
  ir::PrimRef Element(const Indices& in);

 private:
  Indices In(const Indices& at, const Indices& r) const;
  ir::BufferRef Average(const char* name,
                        const std::function<ir::PrimRef(const Indices& at, const Indices& in)>& f);

  Te& te_;
  ir::BufferRef x_;
  ir::DType dtype_;
  std::vector<bool> reduced_;
  int channel_ = -1;  // the axis that is divided into groups; -1: none
  ir::PrimRef group_size_ = nullptr;
  Dims dims_, over_;
};

// Returns the normalized value: (x - mean) / sqrt(variance + epsilon).
ir::PrimRef Normalized(ScalarMath& m, ir::PrimRef x, ir::PrimRef mean, ir::PrimRef variance,
                       double epsilon);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_STATISTICS_H_
