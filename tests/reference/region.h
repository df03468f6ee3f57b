// Operators on regions and boxes of images: roi_align, roi_pool, multibox_transform_loc,
// get_valid_counts.
#ifndef LATHE_TESTS_REFERENCE_REGION_H_
#define LATHE_TESTS_REFERENCE_REGION_H_

#include <string>
#include <vector>

#include "tests/reference/array.h"

namespace lathe::reference {

struct RegionNumbers {
  int64_t height = 1, width = 1;  // of the small image that each region becomes
  double scale = 1;               // from the units of the regions to elements
  int64_t samples = -1;           // along each axis of a bin; -1: as many as the bin has elements
  bool aligned = false;           // without it a region has at least one element along each axis
  bool average = true;            // else the largest sample
};

// x is [N, C, H, W]; a region is (n, left, top, right, bottom).
Array RoiAlign(const Array& x, const Array& regions, const RegionNumbers& n);
Array RoiPool(const Array& x, const Array& regions, const RegionNumbers& n);

struct BoxNumbers {
  bool clip = false, background = true;
  double threshold = 0;
  std::vector<double> variances = {1, 1, 1, 1};
};
struct Boxes {
  Array boxes;   // [N, boxes, 4]: top, left, bottom, right
  Array scores;  // [N, classes, boxes]
};
// classes is [N, classes, boxes], places [N, boxes * 4] as shifts of the middle across and down and
// logarithms of width and height, anchors [1, boxes, 4] as left, top, right, bottom.
Boxes MultiboxTransform(const Array& classes, const Array& places, const Array& anchors,
                        const BoxNumbers& n);

struct Valid {
  Array counts, boxes, indices;
};
// Of [N, boxes, numbers], those boxes whose score is above the threshold and whose class is not
// negative, to the front; -1 in the places after them. Without a class column `id` is negative.
Valid ValidBoxes(const Array& data, double threshold, int64_t id, int64_t score);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_REGION_H_
