#include "tests/fuzz/mutate_wire.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "generator/reader/onnx/format/wire.h"

namespace lathe::fuzz {
namespace {

using onnx::WireType;

// Messages in messages that are looked into.
constexpr int kMaxLevels = 12;

struct Field {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t bits = 0;
  std::string bytes;
};

void AddVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

// Nothing where it is no message.
bool Parse(absl::string_view message, std::vector<Field>& fields) {
  onnx::WireCursor cursor(message);
  onnx::WireField field;
  while (cursor.Next(field)) {
    fields.push_back({field.number, field.type, field.bits, std::string(field.bytes)});
  }
  return cursor.status().ok() && !fields.empty();
}

std::string Written(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    AddVarint(uint64_t{field.number} << 3 | static_cast<uint64_t>(field.type), out);
    if (field.type == WireType::kVarint) {
      AddVarint(field.bits, out);
    } else if (field.type == WireType::kBytes) {
      AddVarint(field.bytes.size(), out);
      out += field.bytes;
    } else {
      const int size = field.type == WireType::kFixed64 ? 8 : 4;
      for (int i = 0; i < size; ++i) out += static_cast<char>(field.bits >> (8 * i) & 0xff);
    }
  }
  return out;
}

class WireMutation {
 public:
  WireMutation(absl::string_view donor, std::minstd_rand& random)
      : donor_(donor), random_(random) {}

  std::string Changed(absl::string_view message, int level) {
    std::vector<Field> fields;
    if (level > kMaxLevels || !Parse(message, fields)) return ChangedBytes(message);
    const size_t at = Below(fields.size());
    switch (Below(12)) {
      case 0:
        fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(Below(fields.size())),
                      Field(fields[at]));
        break;
      case 2:
        std::swap(fields[at], fields[Below(fields.size())]);
        break;
      case 3:
        fields[at].number = static_cast<uint32_t>(1 + Below(26));
        break;
      default:
        Change(fields[at], level);
    }
    return Written(fields);
  }

 private:
  size_t Below(size_t count) { return count == 0 ? 0 : random_() % count; }

  void Change(Field& field, int level) {
    if (field.type == WireType::kBytes) {
      field.bytes =
          Below(10) == 0 ? BytesOf(donor_, field.number, 0) : Changed(field.bytes, level + 1);
      return;
    }
    constexpr int64_t kEdges[] = {0,         1,         2,         3,  7,         16,
                                  -1,        -2,        INT32_MAX, 10, INT64_MIN, 64,
                                  INT64_MAX, 1LL << 32, 1LL << 40, 255};
    const size_t edge = Below(2 * std::size(kEdges));
    field.bits =
        edge < std::size(kEdges) ? static_cast<uint64_t>(kEdges[edge]) : field.bits + Below(5) - 2;
  }

  // Of a field of that number somewhere in the donor.
  std::string BytesOf(absl::string_view message, uint32_t number, int level) {
    std::vector<Field> fields;
    if (level > kMaxLevels || !Parse(message, fields)) return std::string(message);
    for (int tries = 0; tries < 8; ++tries) {
      const Field& field = fields[Below(fields.size())];
      if (field.type != WireType::kBytes) continue;
      if (field.number == number && Below(3) != 0) return field.bytes;
      return BytesOf(field.bytes, number, level + 1);
    }
    return "";
  }

  std::string ChangedBytes(absl::string_view bytes) {
    std::string out(bytes);
    if (out.empty() || Below(6) == 0) return BytesOf(donor_, 1, 0);
    char& byte = out[Below(out.size())];
    switch (Below(3)) {
      case 0:
        byte = static_cast<char>(random_());
        break;
      case 1:
        out.resize(Below(out.size()));
        break;
      default:
        byte = static_cast<char>(byte ^ 1 << Below(8));
    }
    return out;
  }

  absl::string_view donor_;
  std::minstd_rand& random_;
};

}  // namespace

std::string MutateWire(absl::string_view message, absl::string_view donor,
                       std::minstd_rand& random) {
  return WireMutation(donor, random).Changed(message, 0);
}

}  // namespace lathe::fuzz
