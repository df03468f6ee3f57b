// Writes Protobuf's wire format: the inverse of reader/onnx/format/wire.h.
//
//   WireWriter message;
//   message.Int(ModelField::kIrVersion, 10);
//   message.Bytes(ModelField::kGraph, graph.bytes());
#ifndef LATHE_WRITER_ONNX_FORMAT_WIRE_WRITER_H_
#define LATHE_WRITER_ONNX_FORMAT_WIRE_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::onnx {

class WireWriter {
 public:
  // Appends one field. `Field` is an enumeration of field_numbers.h.
  template <typename Field>
  void Int(Field field, int64_t value) {
    AppendInt(static_cast<uint32_t>(field), value);
  }
  template <typename Field>
  void Float(Field field, float value) {
    AppendFloat(static_cast<uint32_t>(field), value);
  }
  template <typename Field>
  void Bytes(Field field, absl::string_view bytes) {
    AppendBytes(static_cast<uint32_t>(field), bytes);
  }
  // A packed list.
  template <typename Field>
  void Ints(Field field, const std::vector<int64_t>& values) {
    AppendInts(static_cast<uint32_t>(field), values);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void AppendInt(uint32_t field, int64_t value);
  void AppendFloat(uint32_t field, float value);
  void AppendBytes(uint32_t field, absl::string_view bytes);
  void AppendInts(uint32_t field, const std::vector<int64_t>& values);

  std::string bytes_;
};

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_FORMAT_WIRE_WRITER_H_
