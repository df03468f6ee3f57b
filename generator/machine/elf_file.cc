#include "generator/machine/elf_file.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"

namespace lathe::machine {
namespace {

absl::Status NoObject() {
  return absl::InvalidArgumentError("the compiler's output is not an ELF object");
}

// Reads numbers at file offsets in the file's byte order; returns 0 and sets `bad` past the end.
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
  // A field with different offsets in 32-bit and 64-bit files, 4 or 8 bytes wide.
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

struct Header {
  uint64_t type = 0, flags = 0, address = 0, offset = 0, size = 0, link = 0, info = 0, entry = 0;
};

// Constants of the format: section types and flags, symbol kinds.
constexpr uint64_t kSymbols = 2, kRela = 4, kNoBits = 8, kRel = 9;
constexpr uint64_t kWrite = 1, kAlloc = 2, kExec = 4;
constexpr uint64_t kMaxSections = 100'000, kReserved = 0xff00, kAbsoluteIndex = 0xfff1;

Cpu CpuOf(uint64_t machine) {
  switch (machine) {
    case 40:
      return Cpu::kArm;
    case 62:
      return Cpu::kX86_64;
    case 83:
      return Cpu::kAvr;
    case 243:
      return Cpu::kRiscV;
    default:
      return Cpu::kOther;
  }
}

SymbolKind KindOf(uint64_t type) {
  switch (type) {
    case 0:
      return SymbolKind::kNone;
    case 1:
      return SymbolKind::kObject;
    case 2:
      return SymbolKind::kFunction;
    case 3:
      return SymbolKind::kSection;
    default:
      return SymbolKind::kOther;
  }
}

void ReadSymbols(Reader& reader, const Header& table, const Header& names, bool wide,
                 ElfFile& file) {
  for (uint64_t at = 0; at + table.entry <= table.size && !reader.bad; at += table.entry) {
    const uint64_t from = table.offset + at;
    const uint64_t info = reader.At(from + (wide ? 4 : 12), 1);
    const uint64_t section = reader.At(from + (wide ? 6 : 14), 2);
    Symbol symbol;
    symbol.name = reader.Text(names.offset + reader.At(from, 4));
    symbol.kind = KindOf(info & 15);
    symbol.local = info >> 4 == 0;
    symbol.value = reader.Word(from, 4, 8);
    symbol.size = reader.Word(from, 8, 16);
    if (section == kAbsoluteIndex) {
      symbol.section = kAbsolute;
    } else if (section > 0 && section < kReserved && section < file.sections.size()) {
      symbol.section = static_cast<int>(section);
    }
    file.symbols.push_back(std::move(symbol));
  }
}

void ReadRelocations(Reader& reader, const Header& table, bool wide, ElfFile& file) {
  if (table.info >= file.sections.size()) return;
  for (uint64_t at = 0; at + table.entry <= table.size && !reader.bad; at += table.entry) {
    const uint64_t from = table.offset + at;
    const uint64_t info = reader.Word(from, 4, 8);
    Relocation relocation;
    relocation.section = static_cast<int>(table.info);
    relocation.offset = reader.Word(from, 0, 0);
    relocation.symbol = static_cast<int>(wide ? info >> 32 : info >> 8);
    if (table.type == kRela) {
      const uint64_t addend = reader.Word(from, 8, 16);
      relocation.addend =
          wide ? static_cast<int64_t>(addend) : static_cast<int32_t>(static_cast<uint32_t>(addend));
    }
    file.relocations.push_back(relocation);
  }
}

}  // namespace

absl::StatusOr<ElfFile> ReadElfFile(absl::string_view bytes) {
  if (!absl::StartsWith(bytes, "\177ELF") || bytes.size() < 64) return NoObject();
  ElfFile file;
  file.wide = bytes[4] == 2;
  Reader reader(bytes, file.wide, bytes[5] == 2);
  file.is_object = reader.At(16, 2) == 1;
  file.cpu = CpuOf(reader.At(18, 2));
  file.flags = reader.At(file.wide ? 48 : 36, 4);
  const uint64_t table = reader.Word(0, 32, 40);
  const uint64_t each = reader.At(file.wide ? 58 : 46, 2);
  const uint64_t count = reader.At(file.wide ? 60 : 48, 2);
  if (count > kMaxSections) return NoObject();
  std::vector<Header> headers;
  for (uint64_t i = 0; i < count && !reader.bad; ++i) {
    const uint64_t at = table + i * each;
    Header h;
    h.type = reader.At(at + 4, 4);
    h.flags = reader.Word(at, 8, 8);
    h.address = reader.Word(at, 12, 16);
    h.offset = reader.Word(at, 16, 24);
    h.size = reader.Word(at, 20, 32);
    h.link = reader.At(at + (file.wide ? 40 : 24), 4);
    h.info = reader.At(at + (file.wide ? 44 : 28), 4);
    h.entry = reader.Word(at, 36, 56);
    headers.push_back(h);
    Section s;
    s.address = h.address;
    s.size = h.size;
    s.allocated = (h.flags & kAlloc) != 0;
    s.executable = (h.flags & kExec) != 0;
    s.writable = (h.flags & kWrite) != 0;
    s.has_bytes = h.type != kNoBits;
    if (s.has_bytes && h.offset <= bytes.size() && h.size <= bytes.size() - h.offset) {
      s.bytes = bytes.substr(h.offset, h.size);
    } else if (s.has_bytes && s.allocated) {
      return NoObject();
    }
    file.sections.push_back(s);
  }
  for (const Header& h : headers) {
    if (h.entry == 0) continue;
    if (h.type == kSymbols && h.link < headers.size()) {
      ReadSymbols(reader, h, headers[h.link], file.wide, file);
    } else if (h.type == kRela || h.type == kRel) {
      ReadRelocations(reader, h, file.wide, file);
    }
  }
  for (const Relocation& r : file.relocations) {
    if (r.symbol < 0 || static_cast<size_t>(r.symbol) >= file.symbols.size()) reader.bad = true;
  }
  if (reader.bad) return NoObject();
  return file;
}

}  // namespace lathe::machine
