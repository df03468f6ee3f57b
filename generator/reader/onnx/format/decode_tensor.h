// Decodes tensors and types, which models and data sets share.
#ifndef LATHE_READER_ONNX_FORMAT_DECODE_TENSOR_H_
#define LATHE_READER_ONNX_FORMAT_DECODE_TENSOR_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/reader/onnx/format/model.h"
#include "generator/reader/onnx/format/wire.h"

namespace lathe::onnx {

// Each function decodes one message into its last argument. Malformed bytes are an InvalidArgument
// error, an exceeded limit is ResourceExhausted. `depth` counts the types around a type.
absl::Status DecodeTensor(absl::string_view bytes, Tensor& tensor);
absl::Status DecodeSparseTensor(absl::string_view bytes, SparseTensor& sparse);
absl::Status DecodeType(absl::string_view bytes, Type& type, int depth);
absl::Status DecodeValueInfo(absl::string_view bytes, ValueInfo& info);

// Returns a name for messages and outputs: control characters are escaped as \xNN.
std::string NameOf(absl::string_view bytes);

absl::Status TooDeep();
absl::Status WrongWireType(absl::string_view message, const WireField& field);

// Calls `visit(Field number, const WireField&)`, which returns a Status, for each field of the
// message.
template <typename Field, typename F>
absl::Status ForEachField(absl::string_view bytes, F visit) {
  WireCursor cursor(bytes);
  WireField field;
  while (cursor.Next(field)) {
    const absl::Status visited = visit(static_cast<Field>(field.number), field);
    if (!visited.ok()) return visited;
  }
  return cursor.status();
}

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_DECODE_TENSOR_H_
