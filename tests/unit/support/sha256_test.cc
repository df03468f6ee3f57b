#include "generator/support/sha256.h"

#include <string>

#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe {
namespace {

// The examples of FIPS 180-4.
TEST(Sha256Test, Standard) {
  EXPECT_EQ(Sha256Of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Every split of the bytes gives the same sum, at each size around a block.
TEST(Sha256Test, Parts) {
  for (const size_t size : {54, 55, 56, 57, 63, 64, 65, 119, 120, 128}) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(7 * i + size);
    for (size_t cut = 0; cut <= size; ++cut) {
      Sha256 sum;
      sum.Add(bytes.substr(0, cut));
      sum.Add(bytes.substr(cut));
      EXPECT_EQ(sum.Hex(), Sha256Of(bytes)) << size << " " << cut;
    }
  }
}

TEST(Sha256Test, Files) {
  const std::string path = ::testing::TempDir() + "/sha256_test.bin";
  const std::string bytes((size_t{1} << 20) + 17, 'x');
  ASSERT_TRUE(WriteFile(path, bytes).ok());
  EXPECT_EQ(*Sha256OfFile(path), Sha256Of(bytes));
  EXPECT_THAT(std::string(Sha256OfFile(path + ".absent").status().message()),
              ::testing::HasSubstr("No such file"));
}

}  // namespace
}  // namespace lathe
