#include "generator/reader/import/dl_tensor.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/check.h"

namespace lathe {
namespace {

// Bounds that no file reaches; they keep sizes from overflowing.
constexpr uint64_t kMaxFileBytes = uint64_t{4} << 30;
constexpr int kMaxDims = 64;

constexpr uint64_t kMagic = 0xDD5E40F096B4A13F;

constexpr ir::TypeCode kSmallFloats[] = {
    ir::TypeCode::kFloat8E3M4,     ir::TypeCode::kFloat8E4M3,     ir::TypeCode::kFloat8E4M3B11Fnuz,
    ir::TypeCode::kFloat8E4M3Fn,   ir::TypeCode::kFloat8E4M3Fnuz, ir::TypeCode::kFloat8E5M2,
    ir::TypeCode::kFloat8E5M2Fnuz, ir::TypeCode::kFloat8E8M0Fnu,  ir::TypeCode::kFloat6E2M3Fn,
    ir::TypeCode::kFloat6E3M2Fn,   ir::TypeCode::kFloat4E2M1Fn};
constexpr int kFirstSmallFloat = 7;

// The types of DLPack, by their number.
std::optional<ir::DType> DTypeOf(int code, int bits, int lanes) {
  if (lanes != 1 || bits < 1 || bits > 64) return std::nullopt;
  switch (code) {
    case 0:
      return ir::DType::Int(bits);
    case 1:
      return bits == 1 ? ir::DType::Bool() : ir::DType::UInt(bits);
    case 2:
      return ir::DType::Float(bits);
    case 4:
      return ir::DType::Make(ir::TypeCode::kBFloat, bits, 1);
    case 6:
      return ir::DType::Bool();
    default:
      if (code < kFirstSmallFloat ||
          code >= kFirstSmallFloat + static_cast<int>(std::size(kSmallFloats))) {
        return std::nullopt;
      }
      return ir::DType::Make(kSmallFloats[code - kFirstSmallFloat], bits, 1);
  }
}

// The inverse of DTypeOf.
int CodeOf(ir::DType dtype) {
  switch (dtype.code) {
    case ir::TypeCode::kInt:
      return 0;
    case ir::TypeCode::kUInt:
    case ir::TypeCode::kBool:
      return 1;
    case ir::TypeCode::kFloat:
      return 2;
    case ir::TypeCode::kBFloat:
      return 4;
    default:
      break;
  }
  const auto* found = std::find(std::begin(kSmallFloats), std::end(kSmallFloats), dtype.code);
  LATHE_CHECK(found != std::end(kSmallFloats), "a constant has a dtype without a code");
  return kFirstSmallFloat + static_cast<int>(found - std::begin(kSmallFloats));
}

template <typename T>
void Put(T value, std::string& out) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xFF));
  }
}

class Bytes {
 public:
  explicit Bytes(absl::string_view rest) : rest_(rest) {}

  template <typename T>
  T Take() {
    if (rest_.size() < sizeof(T)) {
      short_ = true;
      return T();
    }
    uint64_t value = 0;
    for (size_t i = sizeof(T); i-- > 0;) value = value << 8 | static_cast<uint8_t>(rest_[i]);
    rest_.remove_prefix(sizeof(T));
    return static_cast<T>(value);
  }
  absl::string_view rest() const { return rest_; }
  bool is_short() const { return short_; }

 private:
  absl::string_view rest_;
  bool short_ = false;
};

}  // namespace

absl::StatusOr<ir::Constant> ReadDLTensor(absl::string_view blob) {
  Bytes bytes(blob);
  const auto fail = [](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("malformed tensor: ", what));
  };
  if (bytes.Take<uint64_t>() != kMagic) return fail("wrong magic number");
  bytes.Take<uint64_t>();  // reserved
  bytes.Take<uint64_t>();  // the device
  const auto ndim = bytes.Take<int32_t>();
  const auto code = bytes.Take<uint8_t>();
  const auto bits = bytes.Take<uint8_t>();
  const auto lanes = bytes.Take<uint16_t>();
  if (bytes.is_short() || ndim < 0 || ndim > kMaxDims) return fail("its rank is out of range");
  const std::optional<ir::DType> dtype = DTypeOf(code, bits, lanes);
  if (!dtype) return fail(absl::StrCat("its dtype has the number ", code, " and ", bits, " bits"));

  ir::Constant constant;
  constant.dtype = *dtype;
  uint64_t count = 1;
  for (int i = 0; i < ndim; ++i) {
    const auto dim = bytes.Take<int64_t>();
    // Each dimension and the product of all that are not empty are bounded by the file's size.
    if (dim < 0 || dim > static_cast<int64_t>(kMaxFileBytes)) return fail("a dimension is wrong");
    constant.shape.push_back(dim);
    count *= static_cast<uint64_t>(dim);
    if (count > kMaxFileBytes * 8) return fail("it is larger than its file");
  }
  const auto size = bytes.Take<int64_t>();
  const absl::string_view data = bytes.rest();
  if (bytes.is_short() || size < 0 || data.size() < static_cast<uint64_t>(size)) {
    return fail("its data is missing");
  }
  // TVM gives every element whole bytes; here those under a byte are packed.
  const int stored = (dtype->bits + 7) / 8;
  if (static_cast<uint64_t>(size) != count * static_cast<uint64_t>(stored)) {
    return fail("its data has another size than its shape");
  }
  auto content = std::make_shared<std::vector<uint8_t>>();
  if (dtype->bits >= 8 || dtype->is_bool()) {
    content->assign(data.begin(), data.begin() + size);
  } else {
    content->resize(ir::StorageBytes(*dtype, count));
    for (uint64_t i = 0; i < count; ++i) {
      for (int b = 0; b < dtype->bits; ++b) {
        const uint64_t bit = i * dtype->bits + static_cast<uint64_t>(b);
        if ((data[i] >> b & 1) != 0) (*content)[bit / 8] |= static_cast<uint8_t>(1 << (bit % 8));
      }
    }
  }
  constant.bytes = std::move(content);
  return constant;
}

std::string WriteDLTensor(const ir::Constant& tensor) {
  std::string out;
  Put(kMagic, out);
  Put(uint64_t{0}, out);
  Put(int32_t{1}, out);  // the CPU
  Put(int32_t{0}, out);
  Put(static_cast<int32_t>(tensor.shape.size()), out);
  Put(static_cast<uint8_t>(CodeOf(tensor.dtype)), out);
  const int bits = tensor.dtype.is_bool() ? 1 : tensor.dtype.bits;
  Put(static_cast<uint8_t>(bits), out);
  Put(uint16_t{1}, out);
  uint64_t count = 1;
  for (const int64_t dim : tensor.shape) {
    Put(dim, out);
    count *= static_cast<uint64_t>(dim);
  }
  const std::vector<uint8_t>& bytes = *tensor.bytes;
  if (bits >= 8 || tensor.dtype.is_bool()) {
    Put(static_cast<int64_t>(bytes.size()), out);
    out.append(bytes.begin(), bytes.end());
    return out;
  }
  Put(static_cast<int64_t>(count), out);
  for (uint64_t i = 0; i < count; ++i) {
    int element = 0;
    for (int b = 0; b < bits; ++b) {
      const uint64_t bit = i * static_cast<uint64_t>(bits) + static_cast<uint64_t>(b);
      element |= (bytes[bit / 8] >> (bit % 8) & 1) << b;
    }
    out.push_back(static_cast<char>(element));
  }
  return out;
}

}  // namespace lathe
