#include "generator/support/object_file.h"

#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "generator/support/status.h"

namespace lathe {
namespace {

absl::Status NoObject() {
  return absl::InvalidArgumentError("the compiler's output is not an ELF object");
}

// Numbers at places in the file, in its byte order; 0 and `bad` where it ends before.
class Reader {
 public:
  Reader(absl::string_view bytes, bool wide, bool big) : bytes_(bytes), wide_(wide), big_(big) {}

  uint64_t At(uint64_t offset, unsigned size) {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      bad = true;
      return 0;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) {
      const unsigned char byte =
          static_cast<unsigned char>(bytes_[offset + (big_ ? i : size - 1 - i)]);
      value = value << 8 | byte;
    }
    return value;
  }
  // A field at one place in 32-bit files and at another, of eight bytes, in 64-bit ones.
  uint64_t Word(uint64_t base, unsigned narrow, unsigned wide) {
    return wide_ ? At(base + wide, 8) : At(base + narrow, 4);
  }
  std::string Text(uint64_t offset) const {
    if (offset >= bytes_.size()) return "";
    return std::string(bytes_.substr(offset, bytes_.find('\0', offset) - offset));
  }

  bool bad = false;

 private:
  const absl::string_view bytes_;
  const bool wide_, big_;
};

struct Section {
  uint64_t type = 0, flags = 0, offset = 0, size = 0, link = 0, entry = 0;
};

// Of the format: types and flags of sections, and the type of symbols that are functions.
constexpr uint64_t kSymbols = 2, kNoBits = 8, kWrite = 1, kAlloc = 2, kExec = 4, kFunction = 2;
constexpr uint64_t kMostSections = 100'000;

}  // namespace

absl::StatusOr<ObjectSizes> ReadObjectSizes(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, "\177ELF") || bytes.size() < 64) return NoObject();
  const bool wide = bytes[4] == 2;
  Reader reader(bytes, wide, bytes[5] == 2);
  const uint64_t table = reader.Word(0, 32, 40);
  const uint64_t each = reader.At(wide ? 58 : 46, 2), count = reader.At(wide ? 60 : 48, 2);
  if (count > kMostSections) return NoObject();
  std::vector<Section> sections;
  for (uint64_t i = 0; i < count && !reader.bad; ++i) {
    const uint64_t at = table + i * each;
    Section s;
    s.type = reader.At(at + 4, 4);
    s.flags = reader.Word(at, 8, 8);
    s.offset = reader.Word(at, 16, 24);
    s.size = reader.Word(at, 20, 32);
    s.link = reader.At(at + (wide ? 40 : 24), 4);
    s.entry = reader.Word(at, 36, 56);
    sections.push_back(s);
  }
  ObjectSizes sizes;
  for (const Section& s : sections) {
    const int64_t size = static_cast<int64_t>(s.size);
    if ((s.flags & kAlloc) != 0) {
      int64_t& kind = (s.flags & kExec) != 0    ? sizes.text
                      : (s.flags & kWrite) == 0 ? sizes.rodata
                      : s.type == kNoBits       ? sizes.bss
                                                : sizes.data;
      kind += size;
    }
    if (s.type != kSymbols || s.entry == 0 || s.link >= sections.size()) continue;
    for (uint64_t at = 0; at + s.entry <= s.size && !reader.bad; at += s.entry) {
      const uint64_t symbol = s.offset + at;
      if ((reader.At(symbol + (wide ? 4 : 12), 1) & 15) != kFunction) continue;
      const uint64_t name = reader.At(symbol, 4);
      sizes.functions[reader.Text(sections[s.link].offset + name)] +=
          static_cast<int64_t>(reader.Word(symbol, 8, 16));
    }
  }
  if (reader.bad) return NoObject();
  return sizes;
}

}  // namespace lathe
