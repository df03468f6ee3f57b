// One element of a sequence of tensors that is a tensor: the read of it, and the write in place.
#ifndef LATHE_READER_ONNX_ELEMENT_OF_H_
#define LATHE_READER_ONNX_ELEMENT_OF_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// `x` at `index` of `axis`, without that axis. The index, which may be a variable, is in bounds.
Operand ElementOf(NodeCall& n, const Operand& x, int axis, PrimRef index);

// Where an element is stored: at `index` of `axis` and, where there are `parts`, at `part` of the
// axis after it.
struct ElementPlace {
  int axis = 0;
  PrimRef index = nullptr;
  int part = 0, parts = 0;
};

// `all` with `element` at its place, in the memory of `all`, which is not to be used any more.
Operand WithElement(NodeCall& n, const Operand& all, const Operand& element,
                    const ElementPlace& place);

// `to` with what `x` is, in the memory of `to`, which is not to be used any more.
Operand StoredIn(NodeCall& n, const Operand& to, const Operand& x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_ELEMENT_OF_H_
