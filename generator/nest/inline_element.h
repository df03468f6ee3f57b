// The elements of a buffer computed where they are read.
#ifndef LATHE_NEST_INLINE_ELEMENT_H_
#define LATHE_NEST_INLINE_ELEMENT_H_

#include <string>
#include <vector>

#include "generator/nest/nest.h"

namespace lathe::nest {

// The loads of `buffer` in `stage`, each place once, and whether all of them stand where they are
// evaluated in any case.
struct ElementUses {
  std::vector<std::vector<ir::PrimRef>> places;
  bool always = true;
};
ElementUses UsesOf(const NestStage& stage, ir::BufferRef buffer);

// Whether it says how often the stage's loops turn, which is no use that could be computed in
// place.
bool IsReadInExtent(const NestStage& stage, ir::BufferRef buffer);

// Replaces them by what `producer` stores there, bound to a variable of `name` where it is
// evaluated in any case. `producer` has no reduce axes and stores at its axes.
void InlineElement(ir::Context& context, const NestStage& producer, const std::string& name,
                   ir::BufferRef buffer, NestStage& stage);

// Whether a value needs no variable to be written twice.
bool IsLeaf(ir::PrimRef e);

// How much text its expressions are.
int64_t SizeOf(const NestStage& stage);

// How many operations the value takes, a call of a function counted as many.
int CostOf(const NestStage& stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_INLINE_ELEMENT_H_
