#include "generator/reader/onnx/format/wire.h"

#include <bit>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace lathe::onnx {
namespace {

// Wire formats are little-endian on every host.
uint64_t ReadFixed(absl::string_view bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  }
  return value;
}

float FloatOf(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

}  // namespace

float WireField::AsFloat() const { return FloatOf(bits); }

bool WireCursor::Fail(absl::string_view what) {
  status_ = absl::InvalidArgumentError(
      absl::StrCat(what, " at byte ", size_ - rest_.size(), " of a message of ", size_));
  return false;
}

bool WireCursor::ReadVarint(uint64_t& value) {
  value = 0;
  for (size_t i = 0; i < 10; ++i) {
    if (i >= rest_.size()) return Fail("a number is cut off");
    const auto byte = static_cast<uint8_t>(rest_[i]);
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) == 0) {
      rest_.remove_prefix(i + 1);
      return true;
    }
  }
  return Fail("a number is longer than ten bytes");
}

bool WireCursor::Next(WireField& field) {
  if (rest_.empty() || !status_.ok()) return false;
  uint64_t tag = 0;
  if (!ReadVarint(tag)) return false;
  field.number = static_cast<uint32_t>(tag >> 3);
  if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return Fail("a field has an invalid number");
  field.type = static_cast<WireType>(tag & 7);
  field.bits = 0;
  field.bytes = {};
  switch (field.type) {
    case WireType::kVarint:
      return ReadVarint(field.bits);
    case WireType::kFixed64:
    case WireType::kFixed32: {
      const size_t size = field.type == WireType::kFixed64 ? 8 : 4;
      if (rest_.size() < size) return Fail("a number is cut off");
      field.bits = ReadFixed(rest_, size);
      rest_.remove_prefix(size);
      return true;
    }
    case WireType::kBytes: {
      uint64_t size = 0;
      if (!ReadVarint(size)) return false;
      if (size > rest_.size()) {
        return Fail(absl::StrCat("a field needs ", size, " bytes of the ", rest_.size(),
                                 " remaining bytes"));
      }
      field.bytes = rest_.substr(0, static_cast<size_t>(size));
      rest_.remove_prefix(static_cast<size_t>(size));
      return true;
    }
  }
  return Fail("a field has an unknown wire type");
}

bool AppendVarints(const WireField& field, std::vector<int64_t>& to) {
  if (field.type == WireType::kVarint) {
    to.push_back(field.AsInt());
    return true;
  }
  if (field.type != WireType::kBytes) return false;
  uint64_t value = 0;
  int shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (shift > 63) return false;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    to.push_back(static_cast<int64_t>(value));
    value = 0;
    shift = 0;
  }
  return shift == 0;
}

bool AppendFloats(const WireField& field, std::vector<float>& to) {
  if (field.type == WireType::kFixed32) {
    to.push_back(field.AsFloat());
    return true;
  }
  if (field.type != WireType::kBytes || field.bytes.size() % 4 != 0) return false;
  to.reserve(to.size() + field.bytes.size() / 4);
  for (size_t at = 0; at < field.bytes.size(); at += 4) {
    to.push_back(FloatOf(ReadFixed(field.bytes.substr(at), 4)));
  }
  return true;
}

bool AppendDoubles(const WireField& field, std::vector<double>& to) {
  if (field.type == WireType::kFixed64) {
    to.push_back(std::bit_cast<double>(field.bits));
    return true;
  }
  if (field.type != WireType::kBytes || field.bytes.size() % 8 != 0) return false;
  for (size_t at = 0; at < field.bytes.size(); at += 8) {
    to.push_back(std::bit_cast<double>(ReadFixed(field.bytes.substr(at), 8)));
  }
  return true;
}

}  // namespace lathe::onnx
