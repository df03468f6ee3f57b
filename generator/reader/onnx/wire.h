// Protobuf's wire format: a message is fields, each a number with a varint, eight or four bytes, or
// a length and as many bytes. What a field means is decode_model.cc.
//
//   WireCursor cursor(bytes);
//   WireField field;
//   while (cursor.Next(field)) { ... }
//   LATHE_RETURN_IF_ERROR(cursor.status());
#ifndef LATHE_READER_ONNX_WIRE_H_
#define LATHE_READER_ONNX_WIRE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lathe::onnx {

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t bits = 0;        // of a varint or fixed field
  absl::string_view bytes;  // of a field of bytes: a view into the message

  int64_t AsInt() const { return static_cast<int64_t>(bits); }
  float AsFloat() const;
};

class WireCursor {
 public:
  explicit WireCursor(absl::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  // The next field; false at the end and where the bytes are none, which status() tells apart.
  bool Next(WireField& field);
  const absl::Status& status() const { return status_; }

 private:
  bool ReadVarint(uint64_t& value);
  bool Fail(absl::string_view what);

  absl::string_view rest_;
  size_t size_;
  absl::Status status_;
};

// The numbers of a repeated field, which come packed or one by one. False where `field` holds
// none.
bool AppendVarints(const WireField& field, std::vector<int64_t>& to);
bool AppendFloats(const WireField& field, std::vector<float>& to);
bool AppendDoubles(const WireField& field, std::vector<double>& to);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_WIRE_H_
