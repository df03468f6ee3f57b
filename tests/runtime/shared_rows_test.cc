// Runs the operations whose input and output share memory, at the distances that ir/access_order.h
// gives and above, and compares the results with those in separate memory.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "generator/ir/access_order.h"
#include "generator/ir/defined_operations.h"
#include "gtest/gtest.h"
#include "runtime-c/helium_depthwise.h"
#include "runtime-c/helium_products.h"
#include "runtime-c/paired_depthwise.h"
#include "runtime-c/paired_products.h"
#include "runtime-c/paired_row.h"
#include "runtime-c/quad_depthwise.h"
#include "runtime-c/quad_products.h"

namespace lathe {
namespace {

constexpr int32_t kConstants = 4096;

// Numbers that are weights, biases, mantissas and shifts as well.
struct Constants {
  std::vector<int32_t> weights, bias, scales, scratch;

  Constants() : weights(kConstants), bias(kConstants), scales(kConstants), scratch(kConstants) {
    std::mt19937 random(7);
    for (int32_t& value : weights) value = static_cast<int32_t>(random() % 100);
    for (int32_t& value : bias) value = static_cast<int32_t>(random() % 2000) - 1000;
  }
};

using Operation = std::function<void(const int8_t* x, int8_t* out)>;

// The distance of the start of the input above that of the output.
int64_t DistanceOf(absl::string_view name, const std::vector<int64_t>& numbers) {
  int64_t written = 0, distance = 0;
  for (const ir::AccessPart& part : ir::AccessOrder(name, numbers)) {
    const auto read = [&] {
      if (part.reads) distance = std::max(distance, written - part.read_start);
    };
    if (part.reads_first) read();
    written = std::max(written, part.written_end);
    if (!part.reads_first) read();
  }
  return distance;
}

void Check(absl::string_view name, const std::vector<int64_t>& numbers, int64_t in, int64_t out,
           const Operation& run) {
  std::mt19937 random(static_cast<unsigned>(in * 31 + out));
  std::vector<int8_t> x(static_cast<size_t>(in));
  for (int8_t& value : x) value = static_cast<int8_t>(random() % 256 - 128);
  std::vector<int8_t> wanted(static_cast<size_t>(out));
  run(x.data(), wanted.data());
  // Equal results would hide wrong reads.
  if (out >= 16) ASSERT_GT(std::set<int8_t>(wanted.begin(), wanted.end()).size(), 2u) << name;
  const int64_t distance = DistanceOf(name, numbers);
  for (int64_t above : {distance, distance + 1, distance + 2, distance + 5}) {
    std::vector<int8_t> memory(static_cast<size_t>(std::max(out, above + in)));
    std::copy(x.begin(), x.end(), memory.begin() + above);
    run(&memory[static_cast<size_t>(above)], memory.data());
    memory.resize(static_cast<size_t>(out));
    ASSERT_EQ(memory, wanted) << name << " of " << ::testing::PrintToString(numbers) << " at "
                              << above;
  }
}

struct Rows {
  int32_t rows, step, count, columns;
};

// Calls `check` for rows that overlap, touch or are apart, with fewer and more columns. Rows that
// are not gathered have whole groups of elements.
void ForRows(bool gathered, const std::function<void(const Rows&)>& check) {
  const std::vector<int32_t> counts =
      gathered ? std::vector<int32_t>{1, 4, 9} : std::vector<int32_t>{16};
  for (int32_t rows = 1; rows <= 11; ++rows) {
    for (int32_t step : {1, 3, 4, 8}) {
      for (int32_t count : counts) {
        for (int32_t columns : {1, 2, 5, 8, 12}) check({rows, step, count, columns});
      }
    }
  }
}

int64_t ElementsOf(const Rows& r) { return int64_t{r.rows - 1} * r.step + r.count; }

TEST(SharedRowsTest, Quads) {
  Constants c;
  std::fill(c.scales.begin(), c.scales.end(), 1 << 30);
  for (size_t i = 1; i < c.scales.size(); i += 2) c.scales[i] = 7;
  for (int32_t together : {1, 2, 4}) {
    for (int32_t gathered : {0, 1}) {
      ForRows(gathered != 0, [&](const Rows& r) {
        Check(ir::kQuadProducts,
              {r.rows, r.step, 1, r.count, r.count, r.columns, together, 1, 0, gathered, 0, -128,
               127},
              ElementsOf(r), int64_t{r.rows} * r.columns, [&](const int8_t* x, int8_t* out) {
                lathe_quad_products_twice_i8(x, c.weights.data(), c.bias.data(), c.scales.data(),
                                             c.scratch.data(), r.rows, r.step, 1, r.count, r.count,
                                             r.columns, together, 1, 0, gathered, 0, -128, 127,
                                             out);
              });
      });
    }
  }
}

// Fills the scales of pairs: of four columns, a factor, four shifts by 8, three factors, each of
// them twice 2^30, less 2^32.
void FillPairedScales(Constants& c) {
  for (size_t i = 0; i < c.scales.size(); ++i) {
    c.scales[i] = i % 5 == 1 ? 0x07070707 : std::numeric_limits<int32_t>::min();
  }
}

TEST(SharedRowsTest, Pairs) {
  Constants c;
  FillPairedScales(c);
  const auto* weights = reinterpret_cast<const int8_t*>(c.weights.data());
  ForRows(true, [&](const Rows& r) {
    for (int32_t alone : {0, 1}) {
      const std::vector<int64_t> numbers = {r.rows, r.step, 1, r.count, r.count, r.columns,
                                            1,      alone,  0, -128,    127};
      Check(ir::kPairedTwice, numbers, ElementsOf(r), int64_t{r.rows} * r.columns,
            [&](const int8_t* x, int8_t* out) {
              lathe_paired_products_twice_i8(x, weights, c.bias.data(), c.scales.data(),
                                             c.scratch.data(), r.rows, r.step, 1, r.count, r.count,
                                             r.columns, 1, alone, 0, -128, 127, out);
            });
    }
  });
}

TEST(SharedRowsTest, RowsOfPairs) {
  Constants c;
  FillPairedScales(c);
  const auto* weights = reinterpret_cast<const int8_t*>(c.weights.data());
  auto* gathered_row = reinterpret_cast<int8_t*>(c.scratch.data());
  for (int32_t gathered : {0, 1}) {
    ForRows(gathered != 0, [&](const Rows& r) {
      Check(ir::kPairedRow,
            {r.rows, r.step, 1, r.count, r.count, r.columns, 1, gathered, 0, -128, 127},
            ElementsOf(r), int64_t{r.rows} * r.columns, [&](const int8_t* x, int8_t* out) {
              lathe_paired_row_twice_i8(x, weights, c.bias.data(), c.scales.data(), gathered_row,
                                        r.rows, r.step, 1, r.count, r.count, r.columns, 1, gathered,
                                        0, -128, 127, out);
            });
    });
  }
}

TEST(SharedRowsTest, Helium) {
  Constants c;
  const auto* weights = reinterpret_cast<const int8_t*>(c.weights.data());
  for (int32_t gathered : {0, 1}) {
    ForRows(gathered != 0, [&](const Rows& r) {
      // Mantissas, then negative shifts.
      std::fill(c.scales.begin(), c.scales.end(), -7);
      std::fill(c.scales.begin(), c.scales.begin() + (r.columns + 3) / 4 * 4, 1 << 30);
      Check(ir::kHeliumProducts,
            {r.rows, r.step, 1, r.count, r.count, r.columns, 1, gathered, 0, -128, 127},
            ElementsOf(r), int64_t{r.rows} * r.columns, [&](const int8_t* x, int8_t* out) {
              lathe_helium_products_twice_i8(x, weights, c.bias.data(), c.scales.data(),
                                             c.scratch.data(), r.rows, r.step, 1, r.count, r.count,
                                             r.columns, 1, gathered, 0, -128, 127, out);
            });
    });
  }
}

}  // namespace
}  // namespace lathe
