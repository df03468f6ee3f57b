// Cases of unfit_onnx_inputs_test.cc: operators whose shapes, axes, sizes and indices are inputs,
// with valid and invalid values.
#ifndef LATHE_TESTS_UNIT_DRIVER_UNFIT_ONNX_CASES_H_
#define LATHE_TESTS_UNIT_DRIVER_UNFIT_ONNX_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/onnx_writer.h"

namespace lathe::unfit {

using testing::OnnxAttribute;
using testing::OnnxDim;
using testing::OnnxModel;
using List = std::vector<int64_t>;
using Numbers = std::vector<double>;

inline constexpr int kFloat = 1, kInt64 = 7, kBool = 9;

struct Input {
  List shape;
  int type = kFloat;
  Numbers fits;
  std::vector<Numbers> clashes = {};   // each in place of `fits`
  std::vector<OnnxDim> declared = {};  // of the model, where that is not `shape`
};

struct Case {
  std::string name;
  std::string op;
  std::vector<Input> inputs;
  std::vector<OnnxAttribute> attributes;
  std::vector<OnnxDim> result;
  int result_type;
  std::string values;  // of the result if all sizes fit; empty: no such case
  std::string status = "LATHE_E_SHAPE";
  List sizes = {};  // of the result, where it declares names
};

inline const Numbers kSix = {1, 2, 3, 4, 5, 6};
inline const Input kX = {{2, 3}, kFloat, kSix};
inline Input Ints(Numbers fits, std::vector<Numbers> clashes) {
  return {{static_cast<int64_t>(fits.size())}, kInt64, std::move(fits), std::move(clashes)};
}
inline Input Int(double fits, const Numbers& clashes) {
  Input input{{}, kInt64, {fits}};
  for (const double one : clashes) input.clashes.push_back({one});
  return input;
}

inline std::vector<Case> Cases() {
  const double far = 9e18;
  return {
      {"unique_rows",
       "Unique",
       {{{2, 2, 2}, kFloat, {1, 2, 1, 2, 3, 4, 3, 4}, {{1, 2, 1, 2, 3, 4, 3, 5}}, {"a", "b", "c"}}},
       {{"axis", int64_t{1}}},
       {"a", int64_t{1}, "c"},
       kFloat,
       "(2, 1, 2): 1 2 3 4",
       "LATHE_E_SHAPE",
       {2, 1, 2}},
      {"reshape",
       "Reshape",
       {kX, Ints({3, 2}, {{2, 3}, {6, 1}, {-1, -1}, {3, 3}, {far, 2}})},
       {},
       {3, 2},
       kFloat,
       "(3, 2): 1 2 3 4 5 6"},
      {"reshape_open",
       "Reshape",
       {kX, Ints({-1, 2}, {{-1, 3}, {0, 2}, {-2, 2}})},
       {},
       {3, 2},
       kFloat,
       "(3, 2): 1 2 3 4 5 6"},
      {"reshape_rank", "Reshape", {kX, Ints({6}, {{5}})}, {}, {6}, kFloat, "(6,): 1 2 3 4 5 6"},
      {"squeeze",
       "Squeeze",
       {{{2, 1, 3}, kFloat, kSix}, Ints({1}, {{0}, {2}, {3}, {-1}, {-4}})},
       {},
       {2, 3},
       kFloat,
       "(2, 3): 1 2 3 4 5 6"},
      {"unsqueeze",
       "Unsqueeze",
       {kX, Ints({0, -1}, {{0, 1}, {0, 0}, {4, 0}, {-5, 3}})},
       {},
       {1, 2, 3, 1},
       kFloat,
       "(1, 2, 3, 1): 1 2 3 4 5 6"},
      {"expand",
       "Expand",
       {{{1, 3}, kFloat, {1, 2, 3}}, Ints({2, 1}, {{3, 1}, {2, 2}, {1, 1}, {-1, 3}})},
       {},
       {2, 3},
       kFloat,
       "(2, 3): 1 2 3 1 2 3"},
      {"slice",
       "Slice",
       {kX, Ints({1}, {{0}, {2}, {-3}}), Ints({3}, {{2}, {1}}), Ints({1}, {{0}, {2}, {-3}}),
        Ints({1}, {{0}, {2}, {-1}})},
       {},
       {2, 2},
       kFloat,
       "(2, 2): 2 3 5 6"},
      {"slice_back",
       "Slice",
       {kX, Ints({-1}, {{0}}), Ints({-far}, {{1}}), Ints({1}, {{0}}), Ints({-2}, {{-1}, {-far}})},
       {},
       {2, 2},
       kFloat,
       "(2, 2): 3 1 6 4"},
      {"tile",
       "Tile",
       {kX, Ints({1, 2}, {{2, 1}, {1, 3}, {1, 0}, {-1, 2}, {far, far}})},
       {},
       {2, 6},
       kFloat,
       "(2, 6): 1 2 3 1 2 3 4 5 6 4 5 6"},
      {"pad",
       "Pad",
       {kX, Ints({0, 1, 0, 0}, {{0, 0, 0, 0}, {1, 1, 0, 0}, {0, far, 0, 0}, {0, 2, 0, 0}})},
       {},
       {2, 4},
       kFloat,
       "(2, 4): 0 1 2 3 0 4 5 6"},
      {"pad_edge",
       "Pad",
       {kX, Ints({0, -1, 0, 2}, {{0, 0, 0, 2}, {1, 1, -1, 1}})},
       {{"mode", "edge"}},
       {2, 4},
       kFloat,
       "(2, 4): 2 3 3 3 5 6 6 6"},
      {"range",
       "Range",
       {Int(1, {4, -1}), Int(7, {8, 5}), Int(2, {1, 0, -1})},
       {},
       {3},
       kInt64,
       "(3,): 1 3 5"},
      {"constant",
       "ConstantOfShape",
       {Ints({2, 2}, {{2, 3}, {-1, 2}, {4, 1}})},
       {},
       {2, 2},
       kFloat,
       "(2, 2): 0 0 0 0"},
      {"split",
       "Split",
       {kX, Ints({1, 2}, {{2, 1}, {1, 1}, {-1, 4}})},
       {{"axis", int64_t{1}}},
       {2, 1},
       kFloat,
       "(2, 1): 1 4; (2, 2): 2 3 5 6"},
      {"top_k",
       "TopK",
       {kX, Ints({2}, {{1}, {3}, {-1}, {far}})},
       {},
       {2, 2},
       kFloat,
       "(2, 2): 3 2 6 5"},
      {"one_hot",
       "OneHot",
       {Ints({1, -1}, {}), Int(3, {2, 4, -3}), {{2}, kFloat, {0, 1}}},
       {},
       {2, 3},
       kFloat,
       "(2, 3): 0 1 0 0 0 1"},
      {"gather",
       "Gather",
       {{{3}, kFloat, {5, 6, 7}}, Ints({-1, 0}, {{3, 0}, {0, -4}, {far, 0}})},
       {},
       {2},
       kFloat,
       "(2,): 7 5",
       "LATHE_E_INDEX"},
      {"gather_elements",
       "GatherElements",
       {{{3}, kFloat, {5, 6, 7}}, Ints({-1, 0}, {{3, 0}, {0, -4}})},
       {},
       {2},
       kFloat,
       "(2,): 7 5",
       "LATHE_E_INDEX"},
      {"gather_nd",
       "GatherND",
       {kX, {{1, 2}, kInt64, {1, -1}, {{2, 0}, {0, 3}}}},
       {},
       {1},
       kFloat,
       "(1,): 6",
       "LATHE_E_INDEX"},
      {"reverse",
       "ReverseSequence",
       {{{3, 1}, kFloat, {1, 2, 3}}, Ints({2}, {{4}})},
       {},
       {3, 1},
       kFloat,
       "(3, 1): 2 1 3",
       "LATHE_E_INDEX"},
      {"non_zero",
       "NonZero",
       {{{4}, kFloat, {0, 1, 0, 2}, {{0, 0, 0, 2}, {1, 1, 1, 1}}}},
       {},
       {1, 2},
       kInt64,
       "(1, 2): 1 3"},
      {"compress",
       "Compress",
       {{{3}, kFloat, {5, 6, 7}}, {{3}, kBool, {1, 0, 1}, {{1, 1, 1}, {1, 0, 0}}}},
       {},
       {2},
       kFloat,
       "(2,): 5 7"},
      {"unique",
       "Unique",
       {{{4}, kFloat, {2, 1, 2, 1}, {{1, 1, 1, 1}, {1, 2, 3, 1}}}},
       {},
       {2},
       kFloat,
       "(2,): 1 2"},
      {"reduce",
       "ReduceSum",
       {kX, Ints({1}, {{0}, {2}, {-3}, {far}})},
       {{"keepdims", int64_t{0}}},
       {2},
       kFloat,
       "(2,): 6 15"},
      {"cumsum", "CumSum", {kX, Int(-1, {2, -3})}, {}, {2, 3}, kFloat, "(2, 3): 1 3 6 4 9 15"},
      {"resize_sizes",
       "Resize",
       {{{2}, kFloat, {1, 2}}, {{0}, kFloat, {}}, {{0}, kFloat, {}}, Ints({4}, {{3}, {8}, {-4}})},
       {},
       {4},
       kFloat,
       "(4,): 1 1 2 2"},
      {"resize_scales",
       "Resize",
       {{{2}, kFloat, {1, 2}}, {{0}, kFloat, {}}, {{1}, kFloat, {2}, {{1.4}, {3}, {-1}}}},
       {},
       {4},
       kFloat,
       "(4,): 1 1 2 2"},
      {"window", "HannWindow", {Int(4, {3, -1})}, {}, {4}, kFloat, "(4,): 0 0.5 1 0.5"},
      {"unpool",
       "MaxUnpool",
       {{{1, 1, 2}, kFloat, {5, 6}}, {{1, 1, 2}, kInt64, {1, 2}, {{1, 4}, {-1, 2}}}},
       {{"kernel_shape", List{2}}, {"strides", List{2}}},
       {1, 1, 4},
       kFloat,
       "(1, 1, 4): 0 5 6 0",
       "LATHE_E_INDEX"},
      {"loss",
       "NegativeLogLikelihoodLoss",
       {kX, Ints({0, 2}, {{0, 3}, {-1, 0}})},
       {{"reduction", "none"}},
       {2},
       kFloat,
       "(2,): -1 -6",
       "LATHE_E_INDEX"},
      // Symbolic sizes that are incompatible at run time.
      {"mask",
       "PRelu",
       {{{3}, kFloat, {-1, -2, -3}, {}, {"n"}}, {{2}, kFloat, {1, 2}, {}, {"m"}}},
       {},
       {"n"},
       kFloat,
       "",
       "LATHE_E_SHAPE",
       {3}},
      {"one_of_two",
       "PRelu",
       {{{3}, kFloat, {-1, -2, -3}, {}, {"n"}}, {{1}, kFloat, {2}, {}, {"m"}}},
       {},
       {"n"},
       kFloat,
       "(3,): -2 -4 -6",
       "",
       {3}},
      {"parts_of_too_much",
       "Split",
       {{{5}, kFloat, {1, 2, 3, 4, 5}, {}, {"n"}}, Ints({2, 3}, {{2, 2}, {1, 3}})},
       {},
       {2},
       kFloat,
       "(2,): 1 2; (3,): 3 4 5"},
      {"reversed_batches",
       "ReverseSequence",
       {{{3, 2}, kFloat, kSix, {}, {3, "n"}}, {{1}, kInt64, {2}, {}, {"m"}}},
       {},
       {3, "n"},
       kFloat,
       "",
       "LATHE_E_SHAPE",
       {3, 2}},
  };
}

}  // namespace lathe::unfit

#endif  // LATHE_TESTS_UNIT_DRIVER_UNFIT_ONNX_CASES_H_
