// Reads and writes one element of a sequence that is stored as a tensor.
#ifndef LATHE_READER_ONNX_ELEMENT_OF_H_
#define LATHE_READER_ONNX_ELEMENT_OF_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Reads `x` at `index` of `axis` and removes that axis. The index may be a variable and is in
// bounds.
Operand ElementOf(NodeCall& n, const Operand& x, int axis, PrimRef index);

// Location of an element: `index` of `axis`. If `parts` is not 0, the axis after it has `parts`
// positions, and the element is at `part`.
struct ElementPlace {
  int axis = 0;
  PrimRef index = nullptr;
  int part = 0, parts = 0;
};

// Stores `element` into `all` in place. `all` must not be used afterwards.
Operand WithElement(NodeCall& n, const Operand& all, const Operand& element,
                    const ElementPlace& place);

// Copies `x` into the memory of `to`. `to` must not be used afterwards.
Operand StoredIn(NodeCall& n, const Operand& to, const Operand& x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_ELEMENT_OF_H_
