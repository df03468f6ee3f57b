// Matches the loops of quantized kernels, for use_products, use_dot_products and use_requantize.
#ifndef LATHE_SCHEDULE_INT8_INT8_LOOPS_H_
#define LATHE_SCHEDULE_INT8_INT8_LOOPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns the constant trip count of a loop from 0 with step 1, or nothing.
std::optional<int64_t> TripCount(const ir::ForStmt& loop);

// A loop body whose bindings are substituted into its expressions.
struct FlatBody {
  std::vector<const ir::StoreStmt*> stores;
  std::vector<const ir::ForStmt*> loops;
  analysis::ShapeVarMap lets;
};
// Returns the body in this form, or nothing if it contains anything but bindings, stores and loops.
// `lets` are the bindings around it.
std::optional<FlatBody> FlatBodyOf(ir::Context& context, ir::StmtRef body,
                                   const analysis::ShapeVarMap& lets = {});

// A load from a one-dimensional buffer with constant strides along loop axes.
struct StridedLoad {
  ir::PrimRef first = nullptr;   // the load at the start of all axes
  std::vector<int64_t> strides;  // in elements, one for each axis
};
// Returns `value` in this form, or nothing if it is not such a load or a stride is not constant.
std::optional<StridedLoad> StridedLoadOf(ir::Context& context, ir::PrimRef value,
                                         const std::vector<ir::PrimRef>& axes);
// Returns the load at the start of all axes if it has the given strides, else null.
ir::PrimRef FirstOf(ir::Context& context, ir::PrimRef value, const std::vector<ir::PrimRef>& axes,
                    const std::vector<int64_t>& strides);
// Returns the load at the start of all axes if the index of `value` is `off` elements after it,
// else null. `off` is an expression of the axes that is 0 at the start.
ir::PrimRef FirstInOrder(ir::Context& context, ir::PrimRef value,
                         const std::vector<ir::PrimRef>& axes, ir::PrimRef off);
// Returns the distance of two loads in elements, or nothing if they are of different buffers or it
// is not constant.
std::optional<int64_t> Between(ir::Context& context, ir::PrimRef from, ir::PrimRef to);

// Returns the int8 load that `value` widens to int32, or null.
ir::PrimRef ByteOf(ir::PrimRef value);

const ir::Binary* AsBinary(ir::PrimRef e, ir::BinaryOp op);

// acc = acc + a * b
struct AddedProduct {
  ir::PrimRef a = nullptr, b = nullptr;
};
std::optional<AddedProduct> AddedProductOf(ir::Context& context, const ir::StoreStmt& store);

// clamp((sum * factor + start) >> shift, lo, hi), cast to int8.
struct Requantizing {
  ir::PrimRef sum = nullptr;
  ir::PrimRef factor = nullptr;  // int32: a constant or a load
  ir::PrimRef start = nullptr, shift = nullptr, lo = nullptr, hi = nullptr;  // constants
};
std::optional<Requantizing> RequantizingOf(ir::Context& context, ir::PrimRef value);
// Returns the factor as an operand of the operation: the constant, or the load of its first
// element.
ir::PrimRef FactorOf(ir::Context& context, const Requantizing& r,
                     const std::vector<ir::PrimRef>& axes, const std::vector<int64_t>& strides);

// Returns a statement that calls the operation.
ir::StmtRef Int8Call(ir::Context& context, absl::string_view name, std::vector<ir::PrimRef> args);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_INT8_LOOPS_H_
