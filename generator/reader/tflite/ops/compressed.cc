// Imports TFLM_DECODE: constants that are decompressed here, so that the generated code has them.
#include <memory>
#include <utility>

#include "generator/reader/tflite/format/compressed_data.h"
#include "generator/reader/tflite/format/tensor_data.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/op_call.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// Each result has two inputs: its encoded data, and how they are encoded.
absl::StatusOr<Results> ImportDecode(OpCall& c) {
  const Model& model = c.graph().model().model;
  if (c.outputs() == 0 || c.inputs() != 2 * c.outputs()) {
    return c.Error() << "it has " << c.inputs() << " inputs and " << c.outputs()
                     << " results; each result has two inputs";
  }
  Operands made;
  for (int k = 0; k < c.outputs(); ++k) {
    const Tensor &encoded = c.In(2 * k), &description = c.In(2 * k + 1), &result = c.Out(k);
    if (!IsConstant(model, encoded) || !IsConstant(model, description)) {
      return c.Unsupported() << "data of result " << k << " that are no constants";
    }
    absl::StatusOr<std::vector<uint8_t>> bytes =
        DecompressedData(result, model.DataOf(encoded), model.DataOf(description));
    if (!bytes.ok()) {
      if (absl::IsUnimplemented(bytes.status())) {
        return c.Unsupported() << "result '" << result.name << "' " << bytes.status().message();
      }
      return c.Error() << "result '" << result.name << "' " << bytes.status().message();
    }
    made.push_back(c.builder().Constant(
        ir::Constant{c.OutType(k), result.shape,
                     std::make_shared<const std::vector<uint8_t>>(*std::move(bytes))}));
  }
  return made;
}

}  // namespace lathe::tflite
