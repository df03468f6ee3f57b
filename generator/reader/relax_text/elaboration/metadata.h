// metadata = tvm.ir.load_json("""..."""): the constants that a printed module is too wide to show,
// and that its text refers to as metadata["relax.expr.Constant"][0].
//
// Two forms are read: that of TVM up to 0.22 ("nodes" with "type_key", tensors in "b64ndarrays"),
// and that of TVM from 0.23 on ("nodes" with "type" and "data", tensors among them).
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

// A kind of object that no program can use through metadata.
struct OpaqueMetadata {
  std::string type;
};
using MetadataItem = std::variant<ir::Constant, std::string, OpaqueMetadata>;
// By the type that the program asks for: "relax.expr.Constant".
using Metadata = std::map<std::string, std::vector<MetadataItem>>;

// Fails with a message for the user.
absl::StatusOr<Metadata> ReadMetadata(absl::string_view json);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_METADATA_H_
