// Emits non-maximum suppression: repeatedly chooses the best box that does not overlap a chosen
// one.
#ifndef LATHE_OPS_CHOOSE_BOXES_H_
#define LATHE_OPS_CHOOSE_BOXES_H_

#include <functional>
#include <optional>

#include "generator/ops/te/te.h"

namespace lathe::ops {

// A function of two boxes of a row, given by index.
using BoxFunction = std::function<ir::PrimRef(const Indices& row, ir::PrimRef a, ir::PrimRef b)>;

struct BoxChoice {
  Dims rows;                              // one choice per point of these dimensions
  Dims all;                               // rows, then the number of boxes per row
  ir::BufferRef items = nullptr;          // of shape `all`: indices of boxes, best first
  ir::BufferRef scores = nullptr;         // the scores of `items`
  ir::BufferRef open = nullptr;           // true: may be chosen
  ir::PrimRef score_threshold = nullptr;  // only boxes above it are chosen
  ir::PrimRef limit = nullptr;            // maximum number of choices; null: all
  // Returns the overlap of two boxes. May bind operands that it uses several times.
  std::function<ir::PrimRef(Statements& s, const Indices& row, ir::PrimRef a, ir::PrimRef b)>
      overlap;
  ir::PrimRef overlap_threshold = nullptr;  // boxes that overlap at least this much are suppressed
  BoxFunction rivals;  // true: the boxes may suppress each other; null: all may
  // Boxes below the threshold lose score: it is multiplied by exp(decay * overlap^2).
  std::optional<double> decay;
};

// Returns the number of chosen boxes in each row. Afterwards `items` and `scores` start with the
// chosen boxes, in order.
ir::BufferRef ChooseBoxes(Te& te, const BoxChoice& choice);

// Returns the indices of the boxes in the order of `ranks`.
ir::BufferRef SortByRank(Te& te, ir::BufferRef ranks);

// Intersection over union of two boxes given by the four numbers of two opposite
// corners, in any order.
ir::PrimRef Overlap(Statements& s, ScalarMath& m, const std::function<ir::PrimRef(int)>& a,
                    const std::function<ir::PrimRef(int)>& b);

}  // namespace lathe::ops

#endif  // LATHE_OPS_CHOOSE_BOXES_H_
