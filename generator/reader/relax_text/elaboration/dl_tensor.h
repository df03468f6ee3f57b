// A tensor as TVM saves it: a magic number, where it was, its rank, dtype and shape, and its bytes,
// all little-endian.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_DL_TENSOR_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_DL_TENSOR_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::relax_text {

// Fails with a message for the user.
absl::StatusOr<ir::Constant> ReadDLTensor(absl::string_view bytes);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_DL_TENSOR_H_
