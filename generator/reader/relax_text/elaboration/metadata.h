// Reads metadata = tvm.ir.load_json("""..."""): the constants that a printed module refers to as
// metadata["relax.expr.Constant"][0] because they are too large to print inline.
//
// Two formats are supported: that of TVM up to 0.22 ("nodes" with "type_key", tensors in
// "b64ndarrays"), and that of TVM 0.23 and later ("nodes" with "type" and "data", tensors among
// them).
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_METADATA_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_METADATA_H_

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::relax_text {

// A metadata object of a type that programs cannot use.
struct OpaqueMetadata {
  std::string type;
};
using MetadataItem = std::variant<ir::Constant, std::string, OpaqueMetadata>;
// Maps a type key ("relax.expr.Constant") to the objects of that type, in the order of their
// indices.
using Metadata = std::map<std::string, std::vector<MetadataItem>>;

// Returns the objects in `json`. On failure, the message of the status is for the user.
absl::StatusOr<Metadata> ReadMetadata(absl::string_view json);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_METADATA_H_
