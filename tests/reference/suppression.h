// Non-maximum suppression by definition: a box is kept if no better kept box overlaps it.
#ifndef LATHE_TESTS_REFERENCE_SUPPRESSION_H_
#define LATHE_TESTS_REFERENCE_SUPPRESSION_H_

#include "tests/reference/array.h"

namespace lathe::reference {

struct SuppressionNumbers {
  int64_t most = -1;  // to keep
  int64_t top = -1;   // that take part
  int64_t corners = 2, score = 1, id = 0;
  double overlap = 0.5;
  bool force = false;  // whatever the classes are
};
struct Kept {
  Array boxes;    // [N, boxes, numbers]: by score, -1 where one is out
  Array front;    // the same, moved up
  Array indices;  // [N, boxes]
  Array counts;   // [N, 1]
};
// data is [N, boxes, numbers], valid [N] says how many boxes of each there are.
Kept SuppressBoxes(const Array& data, const Array& valid, const Array& indices,
                   const SuppressionNumbers& n);

struct Selected {
  Array indices;  // [N * classes * boxes, 3]: batch, class, box
  double count;
};
// boxes is [N, boxes, 4], scores [N, classes, boxes].
Selected SuppressByClass(const Array& boxes, const Array& scores, int64_t most, double overlap,
                         double threshold);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_SUPPRESSION_H_
