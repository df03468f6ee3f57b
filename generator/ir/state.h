// Reads the attribute that declares the state of an exported function:
//
//   R.func_attr({"state": [0, 255]})
//
// The last two parameters and the last two results of the function are its variables: a run gets
// the results of the previous run. Before the first run every byte is 0, or 255.
#ifndef LATHE_IR_STATE_H_
#define LATHE_IR_STATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::ir {

inline constexpr char kState[] = "state";

// Returns the first value of the bytes of each variable; nothing without the attribute. The
// attribute is well formed (analysis/well_formed/well_formed_state.h).
inline std::vector<uint8_t> FirstBytesOfState(const Function& f) {
  std::vector<uint8_t> bytes;
  const auto* list = FindAttr<AttrList>(f.attrs, kState);
  if (list == nullptr) return bytes;
  for (const AttrValue& value : *list) {
    const auto* byte = value.As<int64_t>();
    bytes.push_back(byte == nullptr ? uint8_t{0} : static_cast<uint8_t>(*byte));
  }
  return bytes;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_STATE_H_
