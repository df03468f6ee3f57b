#include "generator/schedule/vectors/pack_panels.h"

#include <cstring>
#include <memory>

#include "generator/nest/scalar_facts.h"
#include "generator/support/check.h"

namespace lathe::schedule {

std::optional<PanelSource> SourceOfPanels(const ir::TiledSum& sum) {
  PanelSource source;
  const auto start = nest::Number(sum.column_start), stride = nest::Number(sum.column_stride);
  if (!start || !stride) return std::nullopt;
  source.start = *start;
  source.column_stride = *stride;
  source.columns = *nest::Number(sum.column.extent);
  for (size_t i = 0; i < sum.column_k_strides.size(); ++i) {
    const auto k_stride = nest::Number(sum.column_k_strides[i]);
    if (!k_stride) return std::nullopt;
    source.k_extents.push_back(*nest::Number(sum.stage.reduce[i].extent));
    source.k_strides.push_back(*k_stride);
  }
  return source;
}

std::vector<int64_t> PlacesOf(const PanelSource& source) {
  std::vector<int64_t> places = {source.start};
  for (size_t i = 0; i < source.k_extents.size(); ++i) {
    std::vector<int64_t> inner;
    for (int64_t place : places) {
      for (int64_t k = 0; k < source.k_extents[i]; ++k) {
        inner.push_back(place + k * source.k_strides[i]);
      }
    }
    places = std::move(inner);
  }
  return places;
}

ir::Constant PackPanels(const ir::Constant& weights, const PanelSource& source, int64_t width) {
  const std::vector<int64_t> places = PlacesOf(source);
  const int64_t panels = (source.columns + width - 1) / width;
  const int64_t depth = std::ssize(places);
  constexpr int64_t kSize = sizeof(float);
  auto packed = std::make_shared<std::vector<uint8_t>>(
      static_cast<size_t>(panels * depth * width * kSize), uint8_t{0});
  const std::vector<uint8_t>& raw = *weights.bytes;
  for (int64_t column = 0; column < source.columns; ++column) {
    for (int64_t k = 0; k < depth; ++k) {
      const int64_t from = places[static_cast<size_t>(k)] + column * source.column_stride;
      LATHE_CHECK(from >= 0 && (from + 1) * kSize <= std::ssize(raw), "weights that are not there");
      const int64_t to = (column / width * depth + k) * width + column % width;
      std::memcpy(packed->data() + to * kSize, raw.data() + from * kSize, kSize);
    }
  }
  return {weights.dtype, {panels, depth, width}, std::move(packed)};
}

}  // namespace lathe::schedule
