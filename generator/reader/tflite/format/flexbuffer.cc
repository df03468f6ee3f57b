#include "generator/reader/tflite/format/flexbuffer.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

enum FlexType : int {
  kFlexInt = 1,
  kFlexUInt = 2,
  kFlexFloat = 3,
  kFlexString = 5,
  kFlexIndirectInt = 6,
  kFlexIndirectUInt = 7,
  kFlexIndirectFloat = 8,
  kFlexMap = 9,
  kFlexBool = 26,
};

class FlexReader {
 public:
  explicit FlexReader(absl::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<ir::AttrMap> Root() {
    constexpr uint64_t kTrailer = 2;
    if (bytes_.size() < kTrailer + 1) return Bad();
    const uint64_t width = static_cast<uint8_t>(bytes_[bytes_.size() - 1]);
    const int packed = static_cast<uint8_t>(bytes_[bytes_.size() - 2]);
    if (!IsWidth(width) || bytes_.size() < kTrailer + width) return Bad();
    if (packed >> 2 != kFlexMap) return absl::InvalidArgumentError("its root is not a map");
    const auto map = Follow(bytes_.size() - kTrailer - width, width);
    return map ? Map(*map, uint64_t{1} << (packed & 3)) : Bad();
  }

 private:
  static absl::Status Bad() {
    return absl::InvalidArgumentError("its FlexBuffer has an offset outside of its bytes");
  }
  static bool IsWidth(uint64_t width) {
    return width == 1 || width == 2 || width == 4 || width == 8;
  }

  std::optional<uint64_t> UInt(uint64_t at, uint64_t width) const {
    if (at > bytes_.size() || bytes_.size() - at < width) return std::nullopt;
    uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, width);
    return value;
  }
  std::optional<int64_t> Int(uint64_t at, uint64_t width) const {
    const auto bits = UInt(at, width);
    if (!bits) return std::nullopt;
    const int unused = static_cast<int>(64 - 8 * width);
    return static_cast<int64_t>(*bits << unused) >> unused;
  }
  std::optional<double> Float(uint64_t at, uint64_t width) const {
    const auto bits = UInt(at, width);
    if (!bits) return std::nullopt;
    if (width == 8) {
      double value = 0;
      std::memcpy(&value, &*bits, sizeof value);
      return value;
    }
    float value = 0;
    std::memcpy(&value, &*bits, sizeof value);
    if (width != 4) return std::nullopt;
    return value;
  }
  // Offsets go back from where they are.
  std::optional<uint64_t> Follow(uint64_t at, uint64_t width) const {
    const auto offset = UInt(at, width);
    if (!offset || *offset > at) return std::nullopt;
    return at - *offset;
  }

  absl::StatusOr<ir::AttrMap> Map(uint64_t at, uint64_t width) const {
    if (at < 3 * width) return Bad();
    const auto count = UInt(at - width, width), key_width = UInt(at - 2 * width, width);
    const auto keys = Follow(at - 3 * width, width);
    if (!count || !key_width || !keys || !IsWidth(*key_width)) return Bad();
    constexpr uint64_t kMaxEntries = 256, kMaxKey = 256;
    if (*count > kMaxEntries) {
      return absl::InvalidArgumentError("its FlexBuffer has more than 256 entries");
    }
    ir::AttrMap map;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto key = Follow(*keys + i * *key_width, *key_width);
      const auto packed = UInt(at + *count * width + i, 1);
      if (!key || !packed) return Bad();
      const size_t end = bytes_.find('\0', *key);
      if (end == bytes_.npos || end - *key > kMaxKey) return Bad();
      LATHE_ASSIGN_OR_RETURN(ir::AttrValue value,
                             Value(at + i * width, width, static_cast<int>(*packed)));
      if (!value.is_none()) map[std::string(bytes_.substr(*key, end - *key))] = std::move(value);
    }
    return map;
  }

  absl::StatusOr<ir::AttrValue> Value(uint64_t at, uint64_t width, int packed) const {
    const int type = packed >> 2;
    const uint64_t inner = uint64_t{1} << (packed & 3);
    std::optional<uint64_t> place = at;
    const bool indirect = type == kFlexIndirectInt || type == kFlexIndirectUInt ||
                          type == kFlexIndirectFloat || type == kFlexString;
    if (indirect) place = Follow(at, width);
    if (!place) return Bad();
    const uint64_t size = indirect ? inner : width;
    std::optional<int64_t> whole;
    switch (type) {
      case kFlexInt:
      case kFlexIndirectInt:
        whole = Int(*place, size);
        break;
      case kFlexUInt:
      case kFlexIndirectUInt:
      case kFlexBool:
        if (const auto value = UInt(*place, size)) whole = static_cast<int64_t>(*value);
        break;
      case kFlexFloat:
      case kFlexIndirectFloat: {
        const auto real = Float(*place, size);
        if (!real) return Bad();
        return ir::AttrValue(*real);
      }
      case kFlexString: {
        const auto length = *place < inner ? std::nullopt : UInt(*place - inner, inner);
        if (!length || *length > bytes_.size() - *place) return Bad();
        return ir::AttrValue(std::string(bytes_.substr(*place, *length)));
      }
      default:
        return ir::AttrValue();
    }
    if (!whole) return Bad();
    return ir::AttrValue(*whole);
  }

  const absl::string_view bytes_;
};

}  // namespace

absl::StatusOr<ir::AttrMap> DecodeFlexMap(absl::string_view bytes) {
  if (bytes.empty()) return ir::AttrMap();
  return FlexReader(bytes).Root();
}

}  // namespace lathe::tflite
