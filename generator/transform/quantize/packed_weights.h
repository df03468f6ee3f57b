// Stores int8 weights whose values fit 4 bits in 4 bits, for kernels that unpack a few columns at a
// time into scratch memory.
#ifndef LATHE_TRANSFORM_QUANTIZE_PACKED_WEIGHTS_H_
#define LATHE_TRANSFORM_QUANTIZE_PACKED_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "generator/ir/unpack_weights.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/emit_operation.h"
#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns whether weights are stored in 4 bits: all values fit, and there are enough of them to pay
// for the code that unpacks them.
bool HasPackedWeights(const IntegerProduct& product);

// Returns the words of ir/unpack_weights.h for `values`, each from -8 to 7. The last word is padded
// with zeros.
StoredConstant PackedConstant(const std::vector<int64_t>& values);

// Emits the call that unpacks `words` words of `packed`, from word `first` on, to the start of
// `to`.
void UnpackWeights(KernelBuilder& k, ir::BufferRef packed, ir::PrimRef first, int64_t words,
                   ir::UnpackKind kind, ir::BufferRef to);

// Describes how the columns of packed weights are stored: those of a block of `together` columns
// are `together` * `per_column` elements.
struct PackedColumns {
  ir::UnpackKind kind = ir::kUnpackSigned;
  int64_t together = 4;
  int64_t per_column = 0;
  int64_t scale_numbers = 0;  // of a block; 0: all columns have the same scale
};

// Emits a kernel that calls `call.operation` for each line, as EmitRowProducts() does, with weights
// that it unpacks for each line of the result or for some rows: all of them at once if they are
// few, otherwise a few columns at a time. `constants` are PackedConstant(), the first sums and the
// scales.
MaybeOperand EmitPackedProducts(IntegerGraph& graph, const IntegerProduct& product,
                                const RequiredResult& wanted,
                                const std::vector<StoredConstant>& constants,
                                const RowProducts& call, const PackedColumns& columns);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_PACKED_WEIGHTS_H_
