#include "generator/schedule/vectors/pack_integer_panels.h"

#include <cstring>
#include <memory>
#include <numeric>

#include "generator/interp/data/tensor.h"
#include "generator/support/check.h"

namespace lathe::schedule {

ir::Constant PackIntegerPanels(const ir::Constant& weights, const PanelSource& source,
                               int64_t width) {
  const std::vector<int64_t> places = PlacesOf(source);
  const int64_t panels = (source.columns + width - 1) / width, depth = std::ssize(places);
  const bool halves = weights.dtype.bits < 8;
  const auto count = static_cast<uint64_t>(panels * depth * width);
  auto packed = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(weights.dtype, count));
  uint64_t elements = 1;
  for (const int64_t size : weights.shape) elements *= static_cast<uint64_t>(size);
  for (int64_t column = 0; column < source.columns; ++column) {
    const int64_t within = column % width;
    const int64_t place = halves ? within % (width / 2) * 2 + within / (width / 2) : within;
    for (int64_t k = 0; k < depth; ++k) {
      const int64_t from = places[static_cast<size_t>(k)] + column * source.column_stride;
      LATHE_CHECK(from >= 0 && static_cast<uint64_t>(from) < elements,
                  "weights that are not there");
      const int64_t to = (column / width * depth + k) * width + place;
      interp::WriteElement(
          packed->data(), weights.dtype, static_cast<uint64_t>(to),
          interp::ReadElement(weights.bytes->data(), weights.dtype, static_cast<uint64_t>(from)));
    }
  }
  std::vector<int64_t> shape = {panels, depth, width};
  if (halves) shape = {panels, depth, width / 2, 2};
  return {weights.dtype, std::move(shape), std::move(packed)};
}

int64_t ScaleBlockOf(const std::vector<int64_t>& starts, int64_t innermost) {
  const int64_t depth = std::ssize(starts);
  // The last run may be shorter than a block.
  int64_t block = 0;
  for (int64_t k = 1; k < depth; ++k) {
    if (starts[static_cast<size_t>(k)] != starts[static_cast<size_t>(k - 1)]) {
      block = std::gcd(block, k);
    }
  }
  if (block == 0) return depth;
  return innermost == depth ? block : std::gcd(block, innermost);
}

ir::Constant PackScalePanels(const ir::Constant& scales, const ScaleSource& source, int64_t block,
                             int64_t width) {
  const int64_t depth = std::ssize(source.starts), blocks = (depth + block - 1) / block;
  const int64_t panels = (source.columns + width - 1) / width;
  std::vector<float> packed(static_cast<size_t>(panels * blocks * width), 0.0F);
  constexpr int64_t kSize = sizeof(float);
  for (int64_t column = 0; column < source.columns; ++column) {
    for (int64_t b = 0; b < blocks; ++b) {
      const int64_t from =
          source.starts[static_cast<size_t>(b * block)] + column * source.column_stride;
      LATHE_CHECK(from >= 0 && (from + 1) * kSize <= std::ssize(*scales.bytes),
                  "scales that are not there");
      const int64_t to = (column / width * blocks + b) * width + column % width;
      std::memcpy(&packed[static_cast<size_t>(to)], scales.bytes->data() + from * kSize, kSize);
    }
  }
  auto bytes = std::make_shared<std::vector<uint8_t>>(packed.size() * sizeof(float));
  std::memcpy(bytes->data(), packed.data(), bytes->size());
  return {scales.dtype, {panels, blocks, width}, std::move(bytes)};
}

}  // namespace lathe::schedule
