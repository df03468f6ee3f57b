#include "generator/reader/relax_text/tir/scalar_slices.h"

#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

absl::StatusOr<SliceIndex> EvalIndex(ScalarElaborator& s, const ast::Expr& e, ir::BufferRef buffer,
                                     size_t position) {
  const auto* slice = e.As<ast::Slice>();
  if (slice == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef index, s.Scalar(e));
    const DType type = index->dtype();
    if (!type.is_integer() && !type.is_bool()) {
      return s.el().Error(e, "buffer-index-type")
             << "an index of '" << buffer->name << "' must be an integer, got "
             << ir::ToString(type);
    }
    return SliceIndex{index};
  }
  // Left out ends are those of the dimension; a scalar buffer has none, which is diagnosed later.
  const PrimRef dim = position < buffer->shape.size() ? buffer->shape[position]
                                                      : s.context().Int(0, DType::Int(32));
  SliceIndex out{s.context().Int(0, dim->dtype()), dim};
  if (slice->lower != nullptr) {
    LATHE_ASSIGN_OR_RETURN(out.min, s.Scalar(*slice->lower));
  }
  if (slice->upper != nullptr) {
    LATHE_ASSIGN_OR_RETURN(out.stop, s.Scalar(*slice->upper));
  }
  if (slice->step != nullptr) {
    LATHE_ASSIGN_OR_RETURN(out.step, s.Scalar(*slice->step));
  }
  return out;
}

}  // namespace

absl::StatusOr<BufferSlice> EvalSlice(ScalarElaborator& s, const ast::Expr& e,
                                      ir::BufferRef buffer) {
  ast::ExprList indices = e.As<ast::Subscript>()->indices;
  // A[()] and A[(i, j)] have one index, a tuple.
  if (indices.size() == 1) {
    if (const auto* tuple = indices.front()->As<ast::Tuple>()) indices = tuple->elements;
  }
  BufferSlice out{buffer, {}};
  for (size_t i = 0; i < indices.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(SliceIndex index, EvalIndex(s, *indices[i], buffer, i));
    out.indices.push_back(index);
  }
  if (indices.size() != buffer->shape.size()) {
    return s.el().Error(e, "buffer-index-count")
           << "'" << buffer->name << "' has " << CountOf(buffer->shape.size(), "dimension")
           << ", got " << CountOf(indices.size(), "index", "indices");
  }
  return out;
}

absl::StatusOr<ScalarValue> EvalSubscript(ScalarElaborator& s, const ast::Expr& e,
                                          const ast::Subscript& subscript) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue object, s.Eval(*subscript.object));
  if (const auto* buffer = object.As<ir::BufferRef>()) {
    LATHE_ASSIGN_OR_RETURN(BufferSlice slice, EvalSlice(s, e, *buffer));
    bool plain = true;
    bool strided = false;
    for (const SliceIndex& index : slice.indices) {
      plain &= index.stop == nullptr;
      strided |= index.step != nullptr;
    }
    if (!plain && !strided) return ScalarValue::Node(std::move(slice));
    LATHE_ASSIGN_OR_RETURN(const PrimRef load, ToLoad(s.el(), e, slice));
    return ScalarValue(load);
  }
  const ScalarList* list = object.list();
  if (list == nullptr || subscript.indices.size() != 1) {
    return s.el().Error(e, "wrong-kind-of-value") << Describe(object) << " cannot be indexed";
  }
  LATHE_ASSIGN_OR_RETURN(int64_t position, s.Int(*subscript.indices.front()));
  const int64_t size = static_cast<int64_t>(list->size());
  if (position < 0) position += size;
  if (position < 0 || position >= size) {
    return s.el().Error(e, "index-out-of-range")
           << "index out of range: the object has " << CountOf(size, "element");
  }
  return (*list)[position];
}

}  // namespace lathe::relax_text
