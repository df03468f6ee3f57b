// Reads the attribute that declares the state of an exported function:
//
//   R.func_attr({"state": [0, 255, [0, 0, 128, 63]]})
//
// The last three parameters and the last three results of the function are its variables: a run
// gets the results of the previous run. Before the first run every byte is 0, or 255; or the four
// bytes are repeated, here as floats of 1.
#ifndef LATHE_IR_STATE_H_
#define LATHE_IR_STATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::ir {

inline constexpr char kState[] = "state";

// Returns the bytes that fill each variable before the first run, repeated over it; nothing without
// the attribute. The attribute is well formed (analysis/well_formed/well_formed_state.h).
inline std::vector<std::vector<uint8_t>> FirstBytesOfState(const Function& f) {
  std::vector<std::vector<uint8_t>> variables;
  const auto* list = FindAttr<AttrList>(f.attrs, kState);
  if (list == nullptr) return variables;
  const auto byte_of = [](const AttrValue& value) {
    const auto* byte = value.As<int64_t>();
    return byte == nullptr ? uint8_t{0} : static_cast<uint8_t>(*byte);
  };
  for (const AttrValue& value : *list) {
    std::vector<uint8_t>& bytes = variables.emplace_back();
    const auto* several = value.As<AttrList>();
    if (several == nullptr) {
      bytes.push_back(byte_of(value));
    } else {
      for (const AttrValue& entry : *several) bytes.push_back(byte_of(entry));
    }
  }
  return variables;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_STATE_H_
