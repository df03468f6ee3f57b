#include "generator/interp/data/zip_archive.h"

#include <zlib.h>

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryEntry = 0x02014b50;
constexpr uint32_t kDirectoryEnd = 0x06054b50;
constexpr uint32_t kDirectoryEnd64 = 0x06064b50;
constexpr uint32_t kDirectoryLocator64 = 0x07064b50;
constexpr size_t kMaxMembers = size_t{1} << 16;

absl::Status MalformedZip(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("malformed zip archive: ", what));
}

// Reads little-endian numbers at offsets that may be out of bounds.
class Bytes {
 public:
  explicit Bytes(absl::string_view data) : data_(data) {}
  bool Has(uint64_t at, uint64_t size) const {
    return at <= data_.size() && size <= data_.size() - at;
  }
  // Out of bounds reads give zero; callers compare the result with the expected value.
  uint64_t Number(uint64_t at, int size) const {
    if (!Has(at, static_cast<uint64_t>(size))) return 0;
    uint64_t value = 0;
    for (int n = size; n-- > 0;) value = value << 8 | static_cast<uint8_t>(data_[at + n]);
    return value;
  }
  uint32_t U16(uint64_t at) const { return static_cast<uint32_t>(Number(at, 2)); }
  uint32_t U32(uint64_t at) const { return static_cast<uint32_t>(Number(at, 4)); }
  uint64_t U64(uint64_t at) const { return Number(at, 8); }
  absl::string_view Part(uint64_t at, uint64_t size) const { return data_.substr(at, size); }
  uint64_t size() const { return data_.size(); }

 private:
  absl::string_view data_;
};

struct Entry {
  std::string name;
  uint32_t method = 0;
  uint32_t checksum = 0;
  uint64_t packed = 0;
  uint64_t size = 0;
  uint64_t header = 0;
};

struct Directory {
  uint64_t offset = 0;
  uint64_t entries = 0;
  uint64_t base = 0;  // where the archive begins
};

absl::StatusOr<Directory> FindDirectory(const Bytes& zip) {
  constexpr uint64_t kEndSize = 22;
  // The end record is last, before a comment of at most 64 KiB.
  if (zip.size() < kEndSize) return MalformedZip("it is too short");
  const uint64_t lowest = zip.size() - std::min<uint64_t>(zip.size(), kEndSize + 0xffff);
  for (uint64_t at = zip.size() - kEndSize + 1; at-- > lowest;) {
    if (zip.U32(at) != kDirectoryEnd || zip.U16(at + 20) != zip.size() - at - kEndSize) continue;
    Directory d{zip.U32(at + 16), zip.U16(at + 10), 0};
    // The directory ends here. What is missing from its offset stands before the archive.
    const uint64_t end = d.offset + zip.U32(at + 12);
    if (end < at && zip.U32(d.offset) != kDirectoryEntry) d.base = at - end;
    if (at >= 20 && zip.U32(at - 20) == kDirectoryLocator64) {
      const uint64_t end64 = zip.U64(at - 20 + 8);
      if (zip.Has(end64, 56) && zip.U32(end64) == kDirectoryEnd64) {
        d = {zip.U64(end64 + 48), zip.U64(end64 + 32), 0};
      }
    }
    return d;
  }
  return MalformedZip("it has no directory");
}

// Sizes over 32 bits are in an extra field.
void ReadExtra(const Bytes& zip, uint64_t at, uint64_t size, Entry* e) {
  const uint64_t end = at + size;
  while (at + 4 <= end) {
    const uint32_t id = zip.U16(at);
    const uint64_t length = zip.U16(at + 2);
    if (at + 4 + length > end) return;
    if (id == 1) {
      uint64_t next = at + 4;
      for (uint64_t* field : {&e->size, &e->packed, &e->header}) {
        if (*field != 0xffffffff || next + 8 > at + 4 + length) continue;
        *field = zip.U64(next);
        next += 8;
      }
    }
    at += 4 + length;
  }
}

absl::StatusOr<std::string> Inflate(absl::string_view packed, uint64_t size) {
  // Deflate compresses by at most a factor of 1032, so a false size cannot cause a large
  // allocation.
  if (size / 1032 > packed.size())
    return MalformedZip("the declared size of a member is impossible");
  std::string out(size, '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return MalformedZip("a member cannot be inflated");
  size_t in = 0;
  size_t made = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    // zlib counts in 32 bits.
    constexpr size_t kStep = size_t{1} << 30;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in));
    stream.avail_in = static_cast<uInt>(std::min(packed.size() - in, kStep));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    stream.avail_out = static_cast<uInt>(std::min(out.size() - made, kStep));
    const uInt given = stream.avail_in;
    const uInt room = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    in += given - stream.avail_in;
    made += room - stream.avail_out;
    if (status == Z_OK && given == stream.avail_in && room == stream.avail_out) break;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || made != size) {
    return MalformedZip("a member is damaged or does not have the declared size");
  }
  return out;
}

uint32_t Checksum(absl::string_view bytes) {
  uLong sum = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const size_t step = std::min<size_t>(bytes.size(), size_t{1} << 30);
    sum = crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(step));
    bytes.remove_prefix(step);
  }
  return static_cast<uint32_t>(sum);
}

absl::StatusOr<std::string> UnpackEntry(const Bytes& zip, const Entry& e) {
  if (!zip.Has(e.header, 30) || zip.U32(e.header) != kLocalHeader) {
    return MalformedZip("a member is not at the offset in the directory");
  }
  const uint64_t data = e.header + 30 + zip.U16(e.header + 26) + zip.U16(e.header + 28);
  if (!zip.Has(data, e.packed)) return MalformedZip("a member reaches past the end");
  const absl::string_view packed = zip.Part(data, e.packed);
  std::string bytes;
  if (e.method == 0) {
    if (e.packed != e.size) return MalformedZip("a stored member has two sizes");
    bytes = std::string(packed);
  } else if (e.method == 8) {
    LATHE_ASSIGN_OR_RETURN(bytes, Inflate(packed, e.size));
  } else {
    return absl::UnimplementedError(absl::StrCat("member '", absl::CHexEscape(e.name),
                                                 "' uses compression method ", e.method,
                                                 "; supported: stored and deflated"));
  }
  if (Checksum(bytes) != e.checksum) return MalformedZip("the checksum of a member is wrong");
  return bytes;
}

void Put(uint64_t value, int size, std::string* out) {
  for (int n = 0; n < size; ++n) *out += static_cast<char>(value >> (8 * n));
}

// The fields that the local header and the directory share.
void PutEntry(const ZipMember& m, std::string* out) {
  Put(20, 2, out);      // version needed
  Put(0x0800, 2, out);  // names are UTF-8
  Put(0, 2, out);       // stored
  Put(0, 2, out);       // midnight
  Put(0x0021, 2, out);  // of 1 January 1980
  Put(Checksum(m.bytes), 4, out);
  Put(m.bytes.size(), 4, out);
  Put(m.bytes.size(), 4, out);
  Put(m.name.size(), 2, out);
  Put(0, 2, out);  // no extra field
}

}  // namespace

absl::StatusOr<std::vector<ZipMember>> ReadZip(absl::string_view archive, uint64_t max_bytes,
                                               const std::set<std::string>* only) {
  LATHE_ASSIGN_OR_RETURN(const Directory directory, FindDirectory(Bytes(archive)));
  const Bytes zip(archive.substr(directory.base));
  if (directory.entries > kMaxMembers) {
    return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxMembers, " members"));
  }
  std::vector<ZipMember> members;
  uint64_t at = directory.offset;
  uint64_t total = 0;
  for (uint64_t n = 0; n < directory.entries; ++n) {
    if (!zip.Has(at, 46) || zip.U32(at) != kDirectoryEntry)
      return MalformedZip("its directory ends");
    Entry e;
    e.method = zip.U16(at + 10);
    e.checksum = zip.U32(at + 16);
    e.packed = zip.U32(at + 20);
    e.size = zip.U32(at + 24);
    e.header = zip.U32(at + 42);
    const uint64_t name = zip.U16(at + 28);
    const uint64_t extra = zip.U16(at + 30);
    if (!zip.Has(at + 46, name + extra)) return MalformedZip("its directory ends");
    if ((zip.U16(at + 8) & 1) != 0) return absl::UnimplementedError("its members are encrypted");
    e.name = std::string(zip.Part(at + 46, name));
    ReadExtra(zip, at + 46 + name, extra, &e);
    at += 46 + name + extra + zip.U16(at + 32);
    if (only != nullptr && only->count(e.name) == 0) continue;
    if (e.size > max_bytes - total) {
      return absl::ResourceExhaustedError(
          absl::StrCat("its members have more than ", max_bytes, " bytes"));
    }
    total += e.size;
    LATHE_ASSIGN_OR_RETURN(std::string bytes, UnpackEntry(zip, e));
    members.push_back({std::move(e.name), std::move(bytes)});
  }
  return members;
}

absl::StatusOr<std::string> WriteZip(const std::vector<ZipMember>& members) {
  std::string out;
  std::string directory;
  for (const ZipMember& m : members) {
    const uint64_t header = out.size();
    if (header + m.bytes.size() > 0xf0000000 || members.size() >= 0xffff) {
      return absl::ResourceExhaustedError("an archive larger than 4 GiB cannot be written");
    }
    Put(kLocalHeader, 4, &out);
    PutEntry(m, &out);
    out += m.name;
    out += m.bytes;
    Put(kDirectoryEntry, 4, &directory);
    Put(20, 2, &directory);  // version made by
    PutEntry(m, &directory);
    Put(0, 2, &directory);  // no comment
    Put(0, 2, &directory);  // the first disk
    Put(0, 2, &directory);  // no attributes
    Put(0, 4, &directory);
    Put(header, 4, &directory);
    directory += m.name;
  }
  const uint64_t start = out.size();
  out += directory;
  Put(kDirectoryEnd, 4, &out);
  Put(0, 4, &out);  // one disk
  Put(members.size(), 2, &out);
  Put(members.size(), 2, &out);
  Put(directory.size(), 4, &out);
  Put(start, 4, &out);
  Put(0, 2, &out);  // no comment
  return out;
}

}  // namespace lathe::interp
