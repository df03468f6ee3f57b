#include "generator/interp/data/npy_format.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

using ir::DType;

constexpr absl::string_view kMagic("\x93NUMPY", 6);
// numpy's headers have about a hundred bytes; longer ones have unsupported contents.
constexpr size_t kMaxHeader = size_t{64} << 10;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

absl::Status MalformedNpy(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("malformed .npy file: ", what));
}

// Parses {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, the only Python syntax
// needed.
class HeaderParser {
 public:
  explicit HeaderParser(absl::string_view text) : text_(text) {}

  absl::StatusOr<Header> Parse() {
    Header h;
    bool descr = false;
    bool order = false;
    bool shape = false;
    if (!Take('{')) return MalformedNpy("its header is not a dictionary");
    while (!Take('}')) {
      std::string key;
      if (!String(&key) || !Take(':')) return MalformedNpy("its header is not a dictionary");
      if (key == "descr" && String(&h.descr)) {
        descr = true;
      } else if (key == "fortran_order" && Truth(&h.fortran_order)) {
        order = true;
      } else if (key == "shape" && Dims(&h.shape)) {
        shape = true;
      } else {
        return MalformedNpy(absl::StrCat("entry '", key, "' of its header"));
      }
      if (!Take(',') && Peek() != '}') return MalformedNpy("its header is not a dictionary");
    }
    if (!descr || !order || !shape) return MalformedNpy("its header lacks an entry");
    return h;
  }

 private:
  char Peek() {
    text_ = absl::StripLeadingAsciiWhitespace(text_);
    return text_.empty() ? '\0' : text_[0];
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool String(std::string* out) {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') return false;
    const size_t end = text_.find(quote, 1);
    if (end == text_.npos) return false;
    *out = std::string(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return true;
  }
  bool Truth(bool* out) {
    Peek();
    *out = absl::ConsumePrefix(&text_, "True");
    return *out || absl::ConsumePrefix(&text_, "False");
  }
  bool Dims(std::vector<int64_t>* out) {
    if (!Take('(')) return false;
    while (!Take(')')) {
      Peek();
      size_t digits = 0;
      while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
      int64_t dim = 0;
      if (!absl::SimpleAtoi(text_.substr(0, digits), &dim)) return false;
      if (out->size() >= static_cast<size_t>(kMaxRank)) return false;
      out->push_back(dim);
      text_.remove_prefix(digits);
      absl::ConsumePrefix(&text_, "L");  // as Python 2 wrote them
      if (!Take(',') && Peek() != ')') return false;
    }
    return true;
  }

  absl::string_view text_;
};

struct ElementFormat {
  DType dtype;
  uint64_t bytes;  // in the file
  bool swapped = false;
};

std::optional<DType> NumpyType(char kind, int bytes) {
  const bool is_int = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (kind == 'b' && bytes == 1) return DType::Bool();
  if (kind == 'i' && is_int) return DType::Int(bytes * 8);
  if (kind == 'u' && is_int) return DType::UInt(bytes * 8);
  if (kind == 'f' && is_int && bytes > 1) return DType::Float(bytes * 8);
  return std::nullopt;
}

uint64_t FileBytes(DType t) { return t.is_bool() ? 1 : (t.bits + 7u) / 8; }

absl::StatusOr<ElementFormat> ParseDescr(const std::string& descr, DType raw) {
  absl::string_view text = descr;
  const char order = text.empty() ? '\0' : text[0];
  int bytes = 0;
  if (text.size() >= 3 && absl::string_view("<>|=").find(order) != absl::string_view::npos &&
      absl::SimpleAtoi(text.substr(2), &bytes)) {
    if (const std::optional<DType> t = NumpyType(text[1], bytes)) {
      return ElementFormat{*t, static_cast<uint64_t>(bytes), order == '>'};
    }
    // numpy writes some 8-bit floats as '<f1'.
    const bool foreign = text[1] == 'V' || (text[1] == 'f' && bytes == 1 && raw.is_floating());
    if (foreign && !raw.is_void() && FileBytes(raw) == static_cast<uint64_t>(bytes)) {
      return ElementFormat{raw, static_cast<uint64_t>(bytes), false};
    }
  } else if (const std::optional<DType> t = ir::ParseDType(descr);
             t && IsComputable(*t) && t->is_scalar() && !t->is_handle()) {
    return ElementFormat{*t, FileBytes(*t), false};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("its elements are '", descr, "', which is not supported"));
}

std::string DescrOf(DType t) {
  const uint64_t bytes = FileBytes(t);
  const char* order = bytes == 1 ? "|" : "<";
  if (t.is_bool()) return "|b1";
  if (t.bits % 8 == 0) {
    if (t.is_int()) return absl::StrCat(order, "i", bytes);
    if (t.is_uint()) return absl::StrCat(order, "u", bytes);
    if (t.code == ir::TypeCode::kFloat) return absl::StrCat(order, "f", bytes);
  }
  return ToString(t);
}

Bits ElementAt(absl::string_view data, const ElementFormat& f, uint64_t index) {
  Bits bits = 0;
  for (uint64_t n = 0; n < f.bytes; ++n) {
    const uint64_t byte = f.swapped ? f.bytes - 1 - n : n;
    bits |= static_cast<Bits>(static_cast<uint8_t>(data[index * f.bytes + byte])) << (8 * n);
  }
  if (f.dtype.is_int()) return WrapSigned(bits, f.dtype.bits);
  return f.dtype.is_bool() ? bits != 0 : WrapUnsigned(bits, f.dtype.bits);
}

// The position of the row-major element `n` of `shape` in column-major order.
uint64_t FortranPosition(const std::vector<int64_t>& shape, uint64_t n) {
  uint64_t position = 0;
  uint64_t below = 1;
  for (int64_t dim : shape) below *= static_cast<uint64_t>(dim);
  for (size_t d = shape.size(); d-- > 0;) {
    const uint64_t extent = static_cast<uint64_t>(shape[d]);
    below /= extent;
    position += n % extent * below;
    n /= extent;
  }
  return position;
}

uint32_t LittleEndian(absl::string_view bytes) {
  uint32_t value = 0;
  for (size_t n = bytes.size(); n-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[n]);
  return value;
}

}  // namespace

absl::StatusOr<TensorRef> ReadNpy(absl::string_view bytes,
                                  const std::shared_ptr<MemoryBudget>& budget, DType raw) {
  if (!absl::ConsumePrefix(&bytes, kMagic)) return MalformedNpy("it does not start like one");
  if (bytes.size() < 2) return MalformedNpy("it ends in its header");
  const int version = static_cast<uint8_t>(bytes[0]);
  if (version < 1 || version > 3) return MalformedNpy(absl::StrCat("version ", version));
  const size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < 2 + length_bytes) return MalformedNpy("it ends in its header");
  const size_t length = LittleEndian(bytes.substr(2, length_bytes));
  bytes.remove_prefix(2 + length_bytes);
  if (length > kMaxHeader || length > bytes.size()) return MalformedNpy("it ends in its header");
  LATHE_ASSIGN_OR_RETURN(const Header header, HeaderParser(bytes.substr(0, length)).Parse());
  bytes.remove_prefix(length);
  LATHE_ASSIGN_OR_RETURN(const ElementFormat format, ParseDescr(header.descr, raw));
  const std::optional<uint64_t> count = CountElements(header.shape);
  if (!count || *count > bytes.size() / format.bytes || *count * format.bytes != bytes.size()) {
    return MalformedNpy(absl::StrCat("its shape is ", ShapeToString(header.shape), " of '",
                                     header.descr, "', but ", bytes.size(), " bytes follow"));
  }
  LATHE_ASSIGN_OR_RETURN(TensorRef tensor, NewTensor(format.dtype, header.shape, budget));
  const bool transposed = header.fortran_order && header.shape.size() > 1;
  for (uint64_t n = 0; n < *count; ++n) {
    const uint64_t at = transposed ? FortranPosition(header.shape, n) : n;
    tensor->Set(n, ElementAt(bytes, format, at));
  }
  return tensor;
}

std::string WriteNpy(const Tensor& tensor) {
  std::string header =
      absl::StrCat("{'descr': '", DescrOf(tensor.dtype),
                   "', 'fortran_order': False, 'shape': ", ShapeToString(tensor.shape), ", }");
  // numpy aligns the elements to 64 bytes, after a newline.
  const size_t before = kMagic.size() + 4;
  header.append((64 - (before + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  const uint64_t width = FileBytes(tensor.dtype);
  const uint64_t count = tensor.num_elements();
  out.reserve(out.size() + count * width);
  for (uint64_t n = 0; n < count; ++n) {
    Bits bits = ReadElement(tensor.data(), tensor.dtype, n);
    if (!tensor.dtype.is_bool()) bits = WrapUnsigned(bits, tensor.dtype.bits);
    for (uint64_t byte = 0; byte < width; ++byte) out += static_cast<char>(bits >> (8 * byte));
  }
  return out;
}

}  // namespace lathe::interp
