// Parses Protobuf's wire format. A message is a list of fields: a number with a varint, eight or
// four bytes, or length-delimited bytes. decode_model.cc interprets the fields.
//
//   WireCursor cursor(bytes);
//   WireField field;
//   while (cursor.Next(field)) { ... }
//   LATHE_RETURN_IF_ERROR(cursor.status());
#ifndef LATHE_READER_ONNX_FORMAT_WIRE_H_
#define LATHE_READER_ONNX_FORMAT_WIRE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lathe::onnx {

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t bits = 0;        // value of a varint or fixed field
  absl::string_view bytes;  // contents of a length-delimited field: a view into the message

  int64_t AsInt() const { return static_cast<int64_t>(bits); }
  float AsFloat() const;
};

class WireCursor {
 public:
  explicit WireCursor(absl::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  // Reads the next field. Returns false at the end and for malformed bytes; status() distinguishes
  // them.
  bool Next(WireField& field);
  const absl::Status& status() const { return status_; }

 private:
  bool ReadVarint(uint64_t& value);
  bool Fail(absl::string_view what);

  absl::string_view rest_;
  size_t size_;
  absl::Status status_;
};

// Appends the numbers of a repeated field, packed or not. Returns false if `field` is malformed.
bool AppendVarints(const WireField& field, std::vector<int64_t>& to);
bool AppendFloats(const WireField& field, std::vector<float>& to);
bool AppendDoubles(const WireField& field, std::vector<double>& to);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_WIRE_H_
