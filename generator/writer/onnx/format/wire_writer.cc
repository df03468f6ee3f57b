#include "generator/writer/onnx/format/wire_writer.h"

#include <cstring>

#include "generator/reader/onnx/format/wire.h"

namespace lathe::onnx {
namespace {

void PutVarint(uint64_t value, std::string& to) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

void PutTag(uint32_t field, WireType type, std::string& to) {
  PutVarint(uint64_t{field} << 3 | static_cast<uint64_t>(type), to);
}

}  // namespace

void WireWriter::AppendInt(uint32_t field, int64_t value) {
  PutTag(field, WireType::kVarint, bytes_);
  PutVarint(static_cast<uint64_t>(value), bytes_);
}

void WireWriter::AppendFloat(uint32_t field, float value) {
  PutTag(field, WireType::kFixed32, bytes_);
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  for (int shift = 0; shift < 32; shift += 8) bytes_.push_back(static_cast<char>(bits >> shift));
}

void WireWriter::AppendBytes(uint32_t field, absl::string_view bytes) {
  PutTag(field, WireType::kBytes, bytes_);
  PutVarint(bytes.size(), bytes_);
  bytes_.append(bytes.data(), bytes.size());
}

void WireWriter::AppendInts(uint32_t field, const std::vector<int64_t>& values) {
  std::string packed;
  for (int64_t value : values) PutVarint(static_cast<uint64_t>(value), packed);
  AppendBytes(field, packed);
}

}  // namespace lathe::onnx
