// Gives access to the options of custom operators.
#ifndef LATHE_READER_TFLITE_OPS_CUSTOM_OPTIONS_H_
#define LATHE_READER_TFLITE_OPS_CUSTOM_OPTIONS_H_

#include <string>

#include "generator/ir/attrs.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

class CustomOptions {
 public:
  explicit CustomOptions(ir::AttrMap values) : values_(std::move(values)) {}

  // Each returns the option of that name. Without it, Int returns `otherwise`, and the others
  // return 0 and "", as TFLM does.
  int64_t Int(const std::string& name, int64_t otherwise = 0) const;
  double Float(const std::string& name) const;
  std::string Str(const std::string& name) const;

 private:
  ir::AttrMap values_;
};

// Returns the options of the operator. Reports an error for malformed ones.
absl::StatusOr<CustomOptions> CustomOptionsOf(OpCall& c);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_CUSTOM_OPTIONS_H_
