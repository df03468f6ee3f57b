#include "generator/interp/data/npy_format.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::TypeCode;
using ::testing::HasSubstr;

const auto kBudget = std::make_shared<MemoryBudget>();

std::string File(const std::string& header, const std::string& data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  if (version > 1) out += std::string(2, '\0');
  return absl::StrCat(out, header, data);
}

std::string Elements(const Tensor& t) {
  std::string text;
  for (uint64_t n = 0; n < t.num_elements(); ++n) absl::StrAppend(&text, ToString(t.At(n)), " ");
  return text;
}

TEST(NpyFormat, MatchesNumpy) {
  const TensorRef t = *NewTensor(DType::Float(32), {2}, kBudget);
  t->Set(0, FromDouble(t->dtype, 1.5));
  t->Set(1, FromDouble(t->dtype, -2));
  const std::string bytes = WriteNpy(*t);
  // As numpy 1.24 writes np.save(f, np.array([1.5, -2], 'float32')).
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  ASSERT_EQ(bytes.size(), 128u + 8);
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(bytes.substr(10, header.size()), header);
  EXPECT_EQ(bytes.substr(10 + header.size(), 118 - header.size()),
            std::string(117 - header.size(), ' ') + "\n");
  EXPECT_EQ(bytes.substr(128), std::string("\0\0\xc0\x3f\0\0\0\xc0", 8));
}

TEST(NpyFormat, EveryDtypeSurvives) {
  const DType all[] = {DType::Bool(),
                       DType::Int(4),
                       DType::Int(8),
                       DType::Int(16),
                       DType::Int(32),
                       DType::Int(64),
                       DType::UInt(4),
                       DType::UInt(8),
                       DType::UInt(16),
                       DType::UInt(32),
                       DType::UInt(64),
                       DType::Float(16),
                       DType::Float(32),
                       DType::Float(64),
                       DType::Make(TypeCode::kBFloat, 16, 1),
                       DType::Make(TypeCode::kFloat8E4M3Fn, 8, 1),
                       DType::Make(TypeCode::kFloat8E5M2, 8, 1),
                       DType::Make(TypeCode::kFloat6E3M2Fn, 6, 1),
                       DType::Make(TypeCode::kFloat4E2M1Fn, 4, 1)};
  for (DType t : all) {
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{}, std::vector<int64_t>{3, 5}, std::vector<int64_t>{0, 4}}) {
      const TensorRef tensor = *NewTensor(t, shape, kBudget);
      for (uint64_t n = 0; n < tensor->num_elements(); ++n) {
        const Bits pattern = n * 0x9e3779b97f4a7c15;
        tensor->Set(n, t.is_bool()  ? pattern & 1
                       : t.is_int() ? WrapSigned(pattern, t.bits)
                                    : WrapUnsigned(pattern, t.bits));
      }
      const auto back = ReadNpy(WriteNpy(*tensor), kBudget);
      ASSERT_THAT(back, IsOk()) << ToString(t);
      EXPECT_EQ((*back)->dtype, t);
      EXPECT_EQ((*back)->shape, shape);
      for (uint64_t n = 0; n < tensor->num_elements(); ++n) {
        EXPECT_EQ((*back)->At(n).bits, tensor->At(n).bits) << ToString(t) << " " << n;
      }
    }
  }
}

TEST(NpyFormat, FortranOrderAndBigEndian) {
  const auto fortran = ReadNpy(File("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
                                    "\x01\x04\x02\x05\x03\x06"),
                               kBudget);
  ASSERT_THAT(fortran, IsOk());
  EXPECT_EQ(Elements(**fortran), "1 2 3 4 5 6 ");
  const auto big = ReadNpy(File("{'shape': (2,), 'fortran_order': False, 'descr': '>i2'}",
                                std::string("\x01\0\xff\xfe", 4), 2),
                           kBudget);
  ASSERT_THAT(big, IsOk());
  EXPECT_EQ(Elements(**big), "256 -2 ");
}

TEST(NpyFormat, RawBytesNeedToBeKnown) {
  const std::string file =
      File("{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f");
  EXPECT_THAT(ReadNpy(file, kBudget),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'<V2'")));
  const auto known = ReadNpy(file, kBudget, DType::Make(TypeCode::kBFloat, 16, 1));
  ASSERT_THAT(known, IsOk());
  EXPECT_EQ(Elements(**known), "1 ");
  const std::string tiny =
      File("{'descr': '<f1', 'fortran_order': False, 'shape': (1,), }", "\x3c");
  EXPECT_THAT(ReadNpy(tiny, kBudget),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'<f1'")));
  const auto e5m2 = ReadNpy(tiny, kBudget, DType::Make(TypeCode::kFloat8E5M2, 8, 1));
  ASSERT_THAT(e5m2, IsOk());
  EXPECT_EQ(Elements(**e5m2), "1 ");
}

TEST(NpyFormat, DamagedFilesAreRefused) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  const std::string data(8, 'x');
  const std::string bad[] = {
      "",
      "\x93NUM",
      std::string("\x93NUMPY\x01", 7),
      std::string("\x93NUMPY\x07\x00\x00\x00", 10),
      std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12),
      File(good, "short"),
      File(good, data + "more"),
      File("{'descr': '<f4'}", data),
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", data),
      File("{'descr': 'O', 'fortran_order': False, 'shape': (1,), }", data),
      File("{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }", data),
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", data),
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""),
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", ""),
      File("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", data),
      File("{'descr': 'float8', 'fortran_order': False, 'shape': (2,), }", data),
      File("{" + std::string(1000, '{'), data),
  };
  for (const std::string& file : bad) {
    EXPECT_FALSE(ReadNpy(file, kBudget).ok()) << file;
  }
  // Every cut and every changed byte of a good file ends in a value or an error.
  const std::string file = File(good, data);
  for (size_t n = 0; n < file.size(); ++n) {
    EXPECT_FALSE(ReadNpy(file.substr(0, n), kBudget).ok());
    for (const char c : {'\0', '\xff', '(', '9'}) {
      std::string changed = file;
      changed[n] = c;
      (void)ReadNpy(changed, kBudget);
    }
  }
}

}  // namespace
}  // namespace lathe::interp
