#include "generator/interp/data/zip_archive.h"

#include <zlib.h>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"

namespace lathe::interp {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr uint64_t kPlenty = uint64_t{1} << 30;

void Put(uint64_t value, int size, std::string* out) {
  for (int n = 0; n < size; ++n) *out += static_cast<char>(n < 8 ? value >> (8 * n) : 0);
}

struct Fake {
  int method = 8;
  int flags = 0;
  uint64_t size = 0;   // as claimed; 0: the truth
  bool zip64 = false;  // sizes in the extra field, as numpy writes large arrays
  uint32_t checksum_off = 0;
};

// An archive of one deflated member, as other tools write it.
std::string Deflated(const std::string& name, const std::string& bytes, const Fake& fake = {}) {
  std::string packed = bytes;
  if (fake.method == 8) {
    z_stream stream = {};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    packed.resize(deflateBound(&stream, bytes.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
  }
  const uint64_t size = fake.size == 0 ? bytes.size() : fake.size;
  const uint32_t checksum = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
  std::string extra;
  if (fake.zip64) {
    Put(1, 2, &extra);
    Put(16, 2, &extra);
    Put(size, 8, &extra);
    Put(packed.size(), 8, &extra);
  }
  std::string fields;
  Put(static_cast<uint64_t>(fake.flags), 2, &fields);
  Put(static_cast<uint64_t>(fake.method), 2, &fields);
  Put(0, 4, &fields);
  Put(checksum + fake.checksum_off, 4, &fields);
  Put(fake.zip64 ? 0xffffffff : packed.size(), 4, &fields);
  Put(fake.zip64 ? 0xffffffff : size, 4, &fields);
  Put(name.size(), 2, &fields);
  Put(extra.size(), 2, &fields);
  std::string out = "PK\x03\x04";
  Put(20, 2, &out);
  absl::StrAppend(&out, fields, name, extra, packed);
  std::string directory = "PK\x01\x02";
  Put(20, 2, &directory);
  Put(20, 2, &directory);
  absl::StrAppend(&directory, fields);
  Put(0, 10, &directory);
  Put(0, 4, &directory);
  absl::StrAppend(&directory, name, extra);
  const uint64_t start = out.size();
  absl::StrAppend(&out, directory, "PK\x05\x06");
  Put(0, 4, &out);
  Put(1, 2, &out);
  Put(1, 2, &out);
  Put(directory.size(), 4, &out);
  Put(start, 4, &out);
  Put(0, 2, &out);
  return out;
}

TEST(ZipArchive, WrittenArchivesAreRead) {
  const auto archive = WriteZip({{"a.npy", "first"}, {"b.npy", ""}, {"c", std::string(9000, 'x')}});
  ASSERT_THAT(archive, IsOk());
  const auto members = ReadZip(*archive, kPlenty);
  ASSERT_THAT(members, IsOk());
  ASSERT_THAT(*members, SizeIs(3));
  EXPECT_EQ((*members)[0].name, "a.npy");
  EXPECT_EQ((*members)[0].bytes, "first");
  EXPECT_EQ((*members)[1].bytes, "");
  EXPECT_EQ((*members)[2].bytes, std::string(9000, 'x'));
  EXPECT_EQ(*WriteZip(*members), *archive);
}

TEST(ZipArchive, DeflatedMembers) {
  const std::string text(100000, 'y');
  const auto members = ReadZip(Deflated("m", text), kPlenty);
  ASSERT_THAT(members, IsOk());
  EXPECT_EQ((*members)[0].bytes, text);
  Fake zip64;
  zip64.zip64 = true;
  const auto large = ReadZip(Deflated("m", text, zip64), kPlenty);
  ASSERT_THAT(large, IsOk());
  EXPECT_EQ((*large)[0].bytes, text);
}

TEST(ZipArchive, HostileArchivesAreRefused) {
  const std::string bomb(1 << 20, '\0');
  EXPECT_THAT(ReadZip(Deflated("m", bomb), 1000),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("1000 bytes")));
  Fake fake;
  fake.size = uint64_t{1} << 31;
  EXPECT_THAT(ReadZip(Deflated("m", "small", fake), uint64_t{1} << 40),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the declared size of a member is impossible")));
  fake.size = 3;
  EXPECT_FALSE(ReadZip(Deflated("m", "small", fake), kPlenty).ok());
  fake.size = 6;
  EXPECT_FALSE(ReadZip(Deflated("m", "small", fake), kPlenty).ok());
  fake = {};
  fake.checksum_off = 1;
  EXPECT_THAT(ReadZip(Deflated("m", "small", fake), kPlenty),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("checksum")));
  fake = {};
  fake.method = 12;
  EXPECT_THAT(ReadZip(Deflated("m", "small", fake), kPlenty),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("method 12")));
  fake = {};
  fake.flags = 1;
  EXPECT_THAT(ReadZip(Deflated("m", "small", fake), kPlenty),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("encrypted")));
  EXPECT_FALSE(ReadZip("", kPlenty).ok());
  EXPECT_FALSE(ReadZip("PK", kPlenty).ok());
}

// Every cut and every changed byte ends in members or an error.
TEST(ZipArchive, DamagedArchivesEnd) {
  Fake zip64;
  zip64.zip64 = true;
  for (const std::string& archive : {Deflated("m", "some text, some text", zip64),
                                     *WriteZip({{"a", "first"}, {"b", "second"}})}) {
    for (size_t n = 0; n < archive.size(); ++n) {
      EXPECT_FALSE(ReadZip(archive.substr(0, n), kPlenty).ok()) << n;
      for (const char c : {'\0', '\x01', '\x7f', '\xff'}) {
        std::string changed = archive;
        changed[n] = c;
        (void)ReadZip(changed, kPlenty);
      }
    }
  }
}

}  // namespace
}  // namespace lathe::interp
