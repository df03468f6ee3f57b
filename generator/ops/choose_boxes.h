// The choice of boxes that suppress others: the best, then the best of those that do not overlap
// it, and so on.
#ifndef LATHE_OPS_CHOOSE_BOXES_H_
#define LATHE_OPS_CHOOSE_BOXES_H_

#include <functional>
#include <optional>

#include "generator/ops/te.h"

namespace lathe::ops {

// A function of two boxes of a row, by their numbers.
using OfBoxes = std::function<ir::PrimRef(const Indices& row, ir::PrimRef a, ir::PrimRef b)>;

struct BoxChoice {
  Dims rows;                              // there is a choice for each point of these
  Dims all;                               // rows, and how many boxes there are in each
  ir::BufferRef items = nullptr;          // of `all`: the numbers of the boxes, the best first
  ir::BufferRef scores = nullptr;         // theirs
  ir::BufferRef open = nullptr;           // which may be chosen
  ir::PrimRef score_threshold = nullptr;  // only boxes above it are chosen
  ir::PrimRef limit = nullptr;            // the most to choose; null: all
  // May bind what it takes several times.
  std::function<ir::PrimRef(Statements& s, const Indices& row, ir::PrimRef a, ir::PrimRef b)>
      overlap;
  ir::PrimRef overlap_threshold = nullptr;  // boxes that overlap as much are out
  OfBoxes rivals;                           // which boxes suppress each other; null: all
  // Boxes that overlap less lose exp(decay * overlap^2) of their score.
  std::optional<double> decay;
};

// How many were chosen in each row. Then `items` and `scores` start with those, in their order.
ir::BufferRef ChooseBoxes(Te& te, const BoxChoice& choice);

// The numbers of the boxes in the order that `ranks` says.
ir::BufferRef BestFirst(Te& te, ir::BufferRef ranks);

// Intersection over union of two boxes given by the four numbers of two opposite
// corners, in any order.
ir::PrimRef Overlap(Statements& s, ScalarMath& m, const std::function<ir::PrimRef(int)>& a,
                    const std::function<ir::PrimRef(int)>& b);

}  // namespace lathe::ops

#endif  // LATHE_OPS_CHOOSE_BOXES_H_
