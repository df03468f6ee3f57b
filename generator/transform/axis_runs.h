// Describes how the axes of a tensor are made of the elements of another one, after permutations
// and reshapes.
//
// A run is a factor of an axis: an axis of size 6 that is reshaped to (2, 3) has two runs. The
// source lists its runs from the outermost to the innermost, and each axis of the result is a list
// of them.
//
//   source (4, 6)                        runs (4)(6), axes [4][6]
//   R.permute_dims, axes [1, 0]          runs (4)(6), axes [6][4]
//   R.reshape to (2, 3, 4)               runs (4)(2)(3), axes [2][3][4]
#ifndef LATHE_TRANSFORM_AXIS_RUNS_H_
#define LATHE_TRANSFORM_AXIS_RUNS_H_

#include <cstdint>
#include <vector>

#include "generator/ir/context.h"

namespace lathe::transform {

class AxisRuns {
 public:
  // The axes of a tensor of `dims`, each of one run. Axes of size 1 have none.
  explicit AxisRuns(const std::vector<ir::PrimRef>& dims);

  // Axis k of the result is axis `axes[k]`.
  void Permute(const std::vector<int>& axes);

  // Splits runs so that the axes have the sizes `dims`. Returns false if some size takes a part of
  // a run that is no factor of it, or an unknown part. The object is unspecified then.
  bool Reshape(ir::Context& context, const std::vector<ir::PrimRef>& dims);

  // The permutation from the source to the result, over as few axes as possible.
  struct Permutation {
    std::vector<ir::PrimRef> from;  // the sizes of the source's axes
    std::vector<int64_t> axes;      // for each axis of the result, one of them
  };
  // Has no axes if the result has the elements of the source in the same order.
  Permutation Merged(ir::Context& context) const;

 private:
  // A run's size is an integer, or an expression of which nothing else is known.
  struct Run {
    ir::PrimRef size;
    int id;  // of a run in the source's order: equal for the same run in both lists
  };

  // Replaces the run by two, in the source and in its axis.
  void Split(ir::Context& context, int id, int64_t outer, int64_t inner);

  std::vector<Run> source_;             // outermost first
  std::vector<std::vector<Run>> axes_;  // of the result
  int next_id_ = 0;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_AXIS_RUNS_H_
