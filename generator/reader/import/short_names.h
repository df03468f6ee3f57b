// Shortens the names that converters give to the tensors of a graph.
#ifndef LATHE_READER_IMPORT_SHORT_NAMES_H_
#define LATHE_READER_IMPORT_SHORT_NAMES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe {

// Keras and TensorFlow name a tensor by nested scopes, "model/conv1/Relu". Their converters join
// the names of all operators that became one with semicolons, the last operator first:
// "model/conv1/Relu;model/conv1/BiasAdd;model/conv1/Conv2D".
class ShortNames {
 public:
  ShortNames() = default;
  // Finds the scopes that all of `names` with scopes share.
  explicit ShortNames(const std::vector<absl::string_view>& names);

  // Returns the name of the last operator, "conv1/Relu", without the shared scopes. Returns other
  // names unchanged.
  absl::string_view Of(absl::string_view name) const;

 private:
  std::string scopes_;  // with the last slash
};

}  // namespace lathe

#endif  // LATHE_READER_IMPORT_SHORT_NAMES_H_
