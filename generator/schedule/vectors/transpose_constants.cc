#include "generator/schedule/vectors/transpose_constants.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/vectors/share_constant.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

// Returns the only dimension whose index is the axis, if it is not the last one and no other index
// depends on the axis.
std::optional<size_t> DimAlong(ir::Context& context, const std::vector<PrimRef>& indices,
                               PrimRef axis) {
  const ir::DType wide = ir::DType::Int(64);
  std::optional<size_t> dim;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!nest::Mentions(indices[i], axis)) continue;
    if (dim || i + 1 == indices.size()) return std::nullopt;
    if (context.MakeCast(wide, indices[i]) != context.MakeCast(wide, axis)) return std::nullopt;
    dim = i;
  }
  return dim;
}

template <typename T>
std::vector<T> WithLast(std::vector<T> list, size_t dim) {
  std::rotate(list.begin() + static_cast<std::ptrdiff_t>(dim),
              list.begin() + static_cast<std::ptrdiff_t>(dim) + 1, list.end());
  return list;
}

ir::Constant Transposed(const ir::Constant& from, size_t dim) {
  const size_t size = from.bytes->size();
  size_t inner = 1, count = static_cast<size_t>(from.shape[dim]), elements = 1;
  for (size_t i = 0; i < from.shape.size(); ++i) {
    elements *= static_cast<size_t>(from.shape[i]);
    if (i > dim) inner *= static_cast<size_t>(from.shape[i]);
  }
  auto bytes = std::make_shared<std::vector<uint8_t>>(size);
  const size_t each = elements == 0 ? 1 : size / elements;
  for (size_t place = 0; place < elements; ++place) {
    const size_t outer = place / (count * inner), at = place / inner % count;
    const size_t to = (outer * inner + place % inner) * count + at;
    std::memcpy(bytes->data() + to * each, from.bytes->data() + place * each, each);
  }
  return {from.dtype, WithLast(from.shape, dim), std::move(bytes)};
}

}  // namespace

std::vector<TransposedConstant> TransposeConstants(ir::Context& context, const ir::Program& program,
                                                   const nest::NestCall& call, PrimRef axis,
                                                   ir::NestStage& stage) {
  std::vector<TransposedConstant> transposed;
  for (size_t i = 0; i < call.params.size(); ++i) {
    const ir::BufferRef from = call.params[i];
    if (program.tensors[call.tensors[i]].home != ir::Home::kConstant) continue;
    if (from->dtype != ir::DType::Float(32)) continue;
    size_t uses = 0;
    for (const ir::NestStage& other : call.nest.stages)
      uses += nest::UsesOf(other, from).places.size();
    const auto places = nest::UsesOf(stage, from).places;
    if (uses != 1 || places.size() != 1) continue;
    const auto dim = DimAlong(context, places[0], axis);
    if (!dim) continue;
    ir::Buffer buffer = *from;
    buffer.name = absl::StrCat(from->name, "_transposed");
    buffer.shape = WithLast(from->shape, *dim);
    buffer.data = context.NewPointer(buffer.name, buffer.dtype, buffer.scope);
    transposed.push_back({i, *dim, context.NewBuffer(std::move(buffer))});
    nest::RewriteScalar rewrite(context);
    rewrite.ReplaceLoads(from,
                         context.MakeLoad(transposed.back().buffer, WithLast(places[0], *dim)));
    nest::RewriteStage(rewrite, stage);
  }
  return transposed;
}

void AddTransposed(ir::Program& program, const std::vector<TransposedConstant>& transposed,
                   nest::NestCall& call) {
  for (const TransposedConstant& one : transposed) {
    ir::Tensor tensor = program.tensors[call.tensors[one.param]];
    ir::Constant constant = Transposed(program.constants[tensor.constant], one.dim);
    tensor.name = absl::StrCat(tensor.name, "_transposed");
    tensor.shape = one.buffer->shape;
    call.params[one.param] = one.buffer;
    call.tensors[one.param] = ShareConstant(program, std::move(tensor), std::move(constant));
  }
}

}  // namespace lathe::schedule
