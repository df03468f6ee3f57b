// Inlines the producer of a buffer into the stages that read the buffer.
#ifndef LATHE_NEST_INLINE_ELEMENT_H_
#define LATHE_NEST_INLINE_ELEMENT_H_

#include <string>
#include <vector>

#include "generator/nest/nest.h"

namespace lathe::nest {

// Collects the distinct indices at which the expressions of `stage` load `buffer`, except the
// extents of its loops. `always` states whether every load is evaluated unconditionally.
struct ElementUses {
  std::vector<std::vector<ir::PrimRef>> places;
  bool always = true;
};
ElementUses UsesOf(const NestStage& stage, ir::BufferRef buffer);

// Returns whether the extent of a loop of the stage reads the buffer. Such a load cannot be
// inlined.
bool IsReadInExtent(const NestStage& stage, ir::BufferRef buffer);

// Replaces the loads of `buffer` by the value that `producer` stores there, except in the initial
// value and the extents. A value that is evaluated unconditionally and is no leaf is bound to a
// variable called `name`. `producer` has no reduce axes. Its store indices are its axes, or
// constants for axes of extent 1.
void InlineElement(ir::Context& context, const NestStage& producer, const std::string& name,
                   ir::BufferRef buffer, NestStage& stage);

// Returns whether the value is so simple that it can be duplicated without a variable.
bool IsLeaf(ir::PrimRef e);

// Counts the nodes that would be printed for the expressions of the stage, without its initial
// value.
int64_t SizeOf(const NestStage& stage);

// Estimates the cost of the stage's value in operations: 4 for a division and 16 for a function
// call.
int CostOf(const NestStage& stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_INLINE_ELEMENT_H_
