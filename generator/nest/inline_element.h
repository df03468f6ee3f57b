// Inlines the producer of a buffer into the stages that read the buffer.
#ifndef LATHE_NEST_INLINE_ELEMENT_H_
#define LATHE_NEST_INLINE_ELEMENT_H_

#include <string>
#include <vector>

#include "generator/nest/nest.h"

namespace lathe::nest {

// Collects the distinct indices at which `stage` loads `buffer`. `always` states whether every load
// is evaluated unconditionally.
struct ElementUses {
  std::vector<std::vector<ir::PrimRef>> places;
  bool always = true;
};
ElementUses UsesOf(const NestStage& stage, ir::BufferRef buffer);

// Returns whether the extent of a loop of the stage reads the buffer. Such a load cannot be
// inlined.
bool IsReadInExtent(const NestStage& stage, ir::BufferRef buffer);

// Replaces the loads of `buffer` by the value that `producer` stores there. A value that is
// evaluated unconditionally is bound to a variable called `name`. `producer` has no reduce axes,
// and its store indices are its axes.
void InlineElement(ir::Context& context, const NestStage& producer, const std::string& name,
                   ir::BufferRef buffer, NestStage& stage);

// Returns whether the value is so simple that it can be duplicated without a variable.
bool IsLeaf(ir::PrimRef e);

// Counts the nodes that would be printed for the expressions of the stage.
int64_t SizeOf(const NestStage& stage);

// Counts the operations of the stage's value. A function call counts as several.
int CostOf(const NestStage& stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_INLINE_ELEMENT_H_
