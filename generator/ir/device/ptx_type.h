// Parses the modifiers of PTX instructions: element type, vector width, memory order.
#ifndef LATHE_IR_DEVICE_PTX_TYPE_H_
#define LATHE_IR_DEVICE_PTX_TYPE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::ir {

// Returns the dtype of "s32", "u16", "b64", "f32": integers of 8 to 64 bits, floats of 32 and 64;
// void for others.
DType PtxType(absl::string_view word);

// A load or store without memory order: "ld.shared::cta.v2.b32".
struct PtxAccess {
  DType dtype;
  int lanes = 1;
  bool hinted = false;  // has an additional cache policy argument
};
std::optional<PtxAccess> PlainAccess(const std::vector<std::string>& words);

// The memory order and scope of an instruction: "acquire" for the threads of "gpu".
struct PtxOrder {
  std::string order;  // "acquire", "release", "acq_rel", "relaxed", "volatile"; empty: none
  std::string scope;  // "cta", "gpu", "sys"; empty if none is stated
  std::vector<std::string> words;  // the remaining words
};
PtxOrder OrderOf(const std::vector<std::string>& words);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PTX_TYPE_H_
