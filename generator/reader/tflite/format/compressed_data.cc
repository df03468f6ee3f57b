#include "generator/reader/tflite/format/compressed_data.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using PlainBytes = std::vector<uint8_t>;

constexpr size_t kCompressionHeader = 16;
enum CompressionByte {
  kKindByte = 0,
  kVersionOfAll = 1,
  kVersionOfKind = 4,
  kParameterByte = 5,
  kStrideByte = 6
};
enum CompressionKind { kLookUp = 0, kHuffman = 1, kPruned = 2 };

absl::Status BadData(absl::string_view what) { return absl::InvalidArgumentError(what); }

// Bits of a text, the highest of a byte first; zeros follow.
class BitReader {
 public:
  explicit BitReader(absl::string_view bytes) : bytes_(bytes) {}

  uint64_t position() const { return position_; }
  uint64_t size() const { return 8 * uint64_t{bytes_.size()}; }
  uint32_t Next(int bits) {
    uint32_t value = 0;
    for (int i = 0; i < bits; ++i, ++position_) {
      const uint64_t byte = position_ / 8;
      const unsigned bit =
          byte < bytes_.size() ? static_cast<uint8_t>(bytes_[byte]) >> (7 - position_ % 8) & 1U : 0;
      value = value << 1 | bit;
    }
    return value;
  }
  void PutBack(uint64_t bits) { position_ -= bits; }

 private:
  absl::string_view bytes_;
  uint64_t position_ = 0;
};

// The scale that an element belongs to.
class ScaleOrder {
 public:
  static absl::StatusOr<ScaleOrder> Of(const Tensor& tensor) {
    ScaleOrder c;
    c.elements_ = static_cast<uint64_t>(ElementCount(tensor.shape));
    const Quantization& q = tensor.quantization;
    if (!q.is_quantized()) return c;
    c.count_ = q.scales.size();
    if (c.count_ > 1 && q.axis == std::ssize(tensor.shape) - 1) {
      c.last_ = true;
    } else if (q.axis != 0) {
      return absl::UnimplementedError(absl::StrCat("is compressed and quantized along axis ",
                                                   q.axis,
                                                   "; supported are the first and the last axis"));
    }
    if (c.elements_ % c.count_ != 0) {
      return BadData(absl::StrCat("has ", c.count_, " scales for ", c.elements_, " elements"));
    }
    return c;
  }
  uint64_t elements() const { return elements_; }
  uint64_t At(uint64_t element) const {
    return last_ ? element % count_ : element / (elements_ / count_);
  }

 private:
  uint64_t elements_ = 0, count_ = 1;
  bool last_ = false;
};

absl::StatusOr<uint64_t> PlainElementSize(const Tensor& tensor) {
  switch (tensor.type) {
    case kBool:
    case kInt8:
    case kInt16:
    case kInt32:
    case kInt64:
    case kFloat32:
      return static_cast<uint64_t>(BitsInFile(tensor.type)) / 8;
    default:
      return absl::UnimplementedError(
          absl::StrCat("is compressed and has type ", TypeName(tensor.type),
                       "; supported are bool, int8, int16, int32, int64 and float32"));
  }
}

absl::StatusOr<PlainBytes> PrunedData(const Tensor& tensor, absl::string_view mask,
                                      absl::string_view values) {
  LATHE_ASSIGN_OR_RETURN(const uint64_t size, PlainElementSize(tensor));
  LATHE_ASSIGN_OR_RETURN(const ScaleOrder channels, ScaleOrder::Of(tensor));
  const std::vector<int64_t>& zeros = tensor.quantization.zeros;
  const bool has_zeros = std::any_of(zeros.begin(), zeros.end(), [](int64_t z) { return z != 0; });
  if (has_zeros && tensor.type != kInt8) return BadData("is pruned and has a zero point");
  if (zeros.size() > 1 && zeros.size() != tensor.quantization.scales.size()) {
    return BadData("has different numbers of scales and zero points");
  }
  if (mask.size() < (channels.elements() + 7) / 8) return BadData("has too short a mask");
  BitReader bits(mask);
  PlainBytes made;
  made.reserve(channels.elements() * size);
  for (uint64_t i = 0; i < channels.elements(); ++i) {
    if (bits.Next(1) != 0) {
      if (values.size() < size) return BadData("has too few values for its mask");
      made.insert(made.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
      values.remove_prefix(size);
      continue;
    }
    const int64_t zero = zeros.empty() ? 0 : zeros[zeros.size() > 1 ? channels.At(i) : 0];
    made.push_back(static_cast<uint8_t>(zero));  // the others are 0
    made.resize(made.size() + size - 1);
  }
  return made;
}

// The entries of the tables of a Huffman code. The highest bit tells a symbol from the offset of
// another table, four bits have the number of bits that the symbol has here, or that the other
// table is looked up with.
class HuffmanTable {
 public:
  HuffmanTable(absl::string_view bytes, bool wide) : bytes_(bytes), wide_(wide) {}
  uint64_t size() const { return bytes_.size() / (wide_ ? 4 : 2); }
  uint32_t At(uint64_t i) const {
    uint32_t entry = 0;
    const int width = wide_ ? 4 : 2;
    for (int k = width; k-- > 0;) {
      entry = entry << 8 | static_cast<uint8_t>(
                               bytes_[i * static_cast<uint64_t>(width) + static_cast<uint64_t>(k)]);
    }
    return entry;
  }
  bool IsSymbol(uint32_t entry) const { return (entry >> (wide_ ? 31 : 15) & 1) != 0; }
  int Bits(uint32_t entry) const { return static_cast<int>(entry >> (wide_ ? 27 : 11) & 15); }
  uint32_t Value(uint32_t entry) const { return entry & (wide_ ? 0x07FFFFFF : 0x07FF); }

 private:
  absl::string_view bytes_;
  bool wide_;
};

absl::StatusOr<PlainBytes> HuffmanData(const Tensor& tensor, absl::string_view codes,
                                       int parameters, absl::string_view bytes) {
  const bool wide = (parameters & 1) != 0;
  if (tensor.type != kInt8 && !(tensor.type == kInt16 && wide)) {
    return absl::UnimplementedError(
        absl::StrCat("has a Huffman code and type ", TypeName(tensor.type),
                     "; supported are int8, and int16 with a table of 32 bits"));
  }
  const int first_bits = (parameters >> 4) + 1;
  const HuffmanTable table(bytes, wide);
  BitReader reader(codes);
  PlainBytes made;
  for (int64_t i = 0; i < ElementCount(tensor.shape); ++i) {
    uint64_t place = 0;
    int bits = first_bits;
    uint32_t entry = 0;
    while (true) {
      place += reader.Next(bits);
      if (place >= table.size()) return BadData("has a code that its tables do not have");
      entry = table.At(place);
      if (table.IsSymbol(entry)) break;
      if (reader.position() > reader.size()) return BadData("has codes that end too early");
      bits = table.Bits(entry) + 1;
      place += table.Value(entry);
    }
    const int used = table.Bits(entry);
    if (bits > used) reader.PutBack(static_cast<uint64_t>(bits - used));
    if (reader.position() > reader.size()) return BadData("has codes that end too early");
    made.push_back(static_cast<uint8_t>(entry));
    if (tensor.type == kInt16) made.push_back(static_cast<uint8_t>(entry >> 8));
  }
  return made;
}

}  // namespace

absl::StatusOr<PlainBytes> LookedUpData(const Tensor& tensor, absl::string_view indices, int bits,
                                        absl::string_view table, uint64_t stride) {
  LATHE_ASSIGN_OR_RETURN(const uint64_t size, PlainElementSize(tensor));
  LATHE_ASSIGN_OR_RETURN(const ScaleOrder channels, ScaleOrder::Of(tensor));
  if (bits < 1 || bits > 7) {
    return BadData(absl::StrCat("has indices of ", bits, " bits; 1 to 7 are possible"));
  }
  BitReader reader(indices);
  if (channels.elements() > reader.size() / static_cast<uint64_t>(bits)) {
    return BadData("has too few indices");
  }
  PlainBytes made;
  made.reserve(channels.elements() * size);
  for (uint64_t i = 0; i < channels.elements(); ++i) {
    const uint64_t at = (channels.At(i) * stride + reader.Next(bits)) * size;
    if (at > table.size() || table.size() - at < size) {
      return BadData("has an index outside of its table");
    }
    const absl::string_view value = table.substr(at, size);
    made.insert(made.end(), value.begin(), value.end());
  }
  return made;
}

absl::StatusOr<PlainBytes> DecompressedData(const Tensor& tensor, absl::string_view encoded,
                                            absl::string_view description) {
  if (description.size() < kCompressionHeader) return BadData("has a header of less than 16 bytes");
  const auto header = [&](CompressionByte at) {
    return int{static_cast<uint8_t>(description[at])};
  };
  const absl::string_view table = description.substr(kCompressionHeader);
  const int kind = header(kKindByte);
  if (kind != kLookUp && kind != kHuffman && kind != kPruned) {
    return absl::UnimplementedError(absl::StrCat(
        "has compression ", kind, "; supported are tables (0), Huffman codes (1) and masks (2)"));
  }
  if (header(kVersionOfAll) != 1 || header(kVersionOfKind) != 1) {
    return absl::UnimplementedError(absl::StrCat("has a compression of version ",
                                                 header(kVersionOfAll), ".", header(kVersionOfKind),
                                                 "; 1.1 is supported"));
  }
  if (kind == kLookUp) {
    return LookedUpData(tensor, encoded, header(kParameterByte) & 7, table,
                        static_cast<uint64_t>(header(kStrideByte)));
  }
  if (kind == kPruned) return PrunedData(tensor, encoded, table);
  return HuffmanData(tensor, encoded, header(kParameterByte), table);
}

}  // namespace lathe::tflite
