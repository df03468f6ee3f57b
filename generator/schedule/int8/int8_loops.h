// What the loops of quantised kernels are made of, as use_products, use_dot_products and
// use_requantize look for it.
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

// How often a loop runs that counts from 0, one by one; nothing where that is no number.
std::optional<int64_t> TripCount(const ir::ForStmt& loop);

// A body without its bindings, which stand in the expressions.
struct FlatBody {
  std::vector<const ir::StoreStmt*> stores;
  std::vector<const ir::ForStmt*> loops;
  analysis::ShapeVarMap lets;
};
// Nothing where there is more in it than bindings, stores and loops. `lets` are those around it.
std::optional<FlatBody> FlatBodyOf(ir::Context& context, ir::StmtRef body,
                                   const analysis::ShapeVarMap& lets = {});

// A load of a buffer of one dimension, along axes of loops.
struct StridedLoad {
  ir::PrimRef first = nullptr;   // the load where all of them are 0
  std::vector<int64_t> strides;  // to the next, one for each
};
// Nothing where it is none, or they are no numbers.
std::optional<StridedLoad> StridedLoadOf(ir::Context& context, ir::PrimRef value,
                                         const std::vector<ir::PrimRef>& axes);
// The load of its first element, where the strides are these.
ir::PrimRef FirstOf(ir::Context& context, ir::PrimRef value, const std::vector<ir::PrimRef>& axes,
                    const std::vector<int64_t>& strides);
// The same where they are so far from it: `off` is 0 where the axes are.
ir::PrimRef FirstInOrder(ir::Context& context, ir::PrimRef value,
                         const std::vector<ir::PrimRef>& axes, ir::PrimRef off);
// From one load to another of the same buffer, in elements.
std::optional<int64_t> Between(ir::Context& context, ir::PrimRef from, ir::PrimRef to);

// The load of an int8 that `value` is as an int32; null where it is none.
ir::PrimRef ByteOf(ir::PrimRef value);

const ir::Binary* AsBinary(ir::PrimRef e, ir::BinaryOp op);

// acc = acc + a * b
struct AddedProduct {
  ir::PrimRef a = nullptr, b = nullptr;
};
std::optional<AddedProduct> AddedProductOf(ir::Context& context, const ir::StoreStmt& store);

// clamp((sum * factor + start) >> shift, lo, hi), as an int8.
struct Requantizing {
  ir::PrimRef sum = nullptr;
  ir::PrimRef factor = nullptr;  // an int32: a number, or a load
  ir::PrimRef start = nullptr, shift = nullptr, lo = nullptr, hi = nullptr;  // numbers
};
std::optional<Requantizing> RequantizingOf(ir::Context& context, ir::PrimRef value);
// The factor as an operation wants it: the number, or the load of the first.
ir::PrimRef FactorOf(ir::Context& context, const Requantizing& r,
                     const std::vector<ir::PrimRef>& axes, const std::vector<int64_t>& strides);

// A statement that is a call of such an operation.
ir::StmtRef Int8Call(ir::Context& context, absl::string_view name, std::vector<ir::PrimRef> args);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_INT8_LOOPS_H_
