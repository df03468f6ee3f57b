// Replaces variables and buffers in scalar expressions.
#ifndef LATHE_NEST_REWRITE_SCALAR_H_
#define LATHE_NEST_REWRITE_SCALAR_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/tir.h"

namespace lathe::nest {

class RewriteScalar {
 public:
  explicit RewriteScalar(ir::Context& context) : context_(context) {}

  // `value` is cast to the variable's dtype.
  void Replace(ir::PrimRef var, ir::PrimRef value) {
    done_.clear();
    vars_[var] = context_.MakeCast(var->dtype(), value);
  }
  void Replace(ir::BufferRef from, ir::BufferRef to) {
    done_.clear();
    buffers_[from] = to;
  }
  // Also drops the dimensions of `from` that are not kept.
  void Replace(ir::BufferRef from, ir::BufferRef to, std::vector<bool> kept) {
    Replace(from, to);
    kept_[from] = std::move(kept);
  }
  // Replaces every load of `from` by the only element of `to`, or by `value`.
  void ReplaceWhole(ir::BufferRef from, ir::BufferRef to) {
    ReplaceLoads(from, context_.MakeLoad(to, {}));
  }
  void ReplaceLoads(ir::BufferRef from, ir::PrimRef value) {
    done_.clear();
    elements_[from] = value;
  }

  ir::BufferRef operator()(ir::BufferRef buffer) const {
    const auto it = buffers_.find(buffer);
    return it == buffers_.end() ? buffer : it->second;
  }
  ir::PrimRef operator()(ir::PrimRef e) {
    if (e == nullptr) return nullptr;
    if (const auto it = vars_.find(e); it != vars_.end()) return it->second;
    if (const auto it = done_.find(e); it != done_.end()) return it->second;
    ir::PrimRef result = nullptr;
    if (const auto* load = e->As<ir::Load>()) {
      if (const auto it = elements_.find(load->buffer); it != elements_.end()) {
        result = it->second;
      } else {
        result = context_.MakeLoad((*this)(load->buffer), Place(load->buffer, load->indices));
      }
    } else {
      result = ir::MapOperands(context_, e, [&](ir::PrimRef operand) { return (*this)(operand); });
    }
    return done_[e] = result;
  }
  // Returns the indices of the element after the replacement of `buffer`.
  std::vector<ir::PrimRef> Place(ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices) {
    const auto kept = kept_.find(buffer);
    std::vector<ir::PrimRef> place;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (kept == kept_.end() || kept->second[i]) place.push_back((*this)(indices[i]));
    }
    return place;
  }
  std::vector<ir::PrimRef> operator()(std::vector<ir::PrimRef> list) {
    for (ir::PrimRef& e : list) e = (*this)(e);
    return list;
  }

 private:
  ir::Context& context_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> vars_;
  absl::flat_hash_map<ir::BufferRef, ir::BufferRef> buffers_;
  absl::flat_hash_map<ir::BufferRef, std::vector<bool>> kept_;
  absl::flat_hash_map<ir::BufferRef, ir::PrimRef> elements_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> done_;
};

}  // namespace lathe::nest

#endif  // LATHE_NEST_REWRITE_SCALAR_H_
