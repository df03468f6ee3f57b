#include "generator/reader/onnx/element_of.h"

#include <utility>

#include "generator/ops/complete_call.h"
#include "generator/support/check.h"
#include "generator/transform/call_to_tir.h"
#include "generator/transform/legalize.h"

namespace lathe::onnx {

Operand ElementOf(NodeCall& n, const Operand& x, int axis, PrimRef index) {
  Dims dims = n.DimsOf(x);
  dims.erase(dims.begin() + axis);
  return n.Kernel("element", {x}, [&](Te& te) {
    return te.Compute("out", dims, n.TypeOf(x), [&](Indices at) {
      at.insert(at.begin() + axis, index);
      return te.At(te.Input(0), at);
    });
  });
}

namespace {

// Stores each element of `element` into `all` at the index that `place` returns, in place.
Operand Stored(NodeCall& n, const Operand& all, const Operand& element,
               const std::function<Indices(const Indices&)>& place) {
  const ir::StructInfoRef whole = n.builder().InfoOf(all);
  absl::StatusOr<Te> te =
      Te::Of(n.ir(), {{"all", whole}, {"element", n.builder().InfoOf(element)}});
  if (!te.ok()) return all;  // an operand is invalid, which was reported
  const ir::BufferRef to = te->Input(0), from = te->Input(1);
  te->Assign("store", to, from->shape, [&](const Indices& i) {
    return Te::Store{place(i), te->At(from, i)};
  });
  ir::PrimFunc func = te->Finish({});
  func.attrs[transform::kOperatorName] = ir::AttrValue(std::string("store_element"));
  const absl::StatusOr<std::vector<PrimRef>> sizes = transform::AddSizeParams(func);
  LATHE_CHECK(sizes.ok(), "indices are sizes");
  const ir::GlobalId id = n.builder().PrimFunc("store_element", std::move(func));
  ir::Call call = ops::CallOf("relax.call_tir_inplace",
                              {Operand{id}, transform::BlockBuilder::Tuple({all, element})},
                              {{"inplace_indices", ir::AttrList{ir::AttrValue(0)}}});
  if (!sizes->empty()) call.args.push_back(NodeCall::Shape(*sizes));
  call.sinfo_args = {whole};
  return n.builder().Emit(std::move(call));
}

}  // namespace

Operand WithElement(NodeCall& n, const Operand& all, const Operand& element,
                    const ElementPlace& place) {
  return Stored(n, all, element, [&](Indices at) {
    if (place.parts > 0) at.insert(at.begin() + place.axis, n.ir().Int(place.part));
    at.insert(at.begin() + place.axis, place.index);
    return at;
  });
}

Operand StoredIn(NodeCall& n, const Operand& to, const Operand& x) {
  return Stored(n, to, x, [](const Indices& at) { return at; });
}

}  // namespace lathe::onnx
