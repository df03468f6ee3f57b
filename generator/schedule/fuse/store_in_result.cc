#include "generator/schedule/fuse/store_in_result.h"

#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/same_sizes.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::NestStage;

bool UsesBuffer(const ir::NestStage& stage, BufferRef buffer) {
  return stage.to == buffer || !nest::UsesOf(stage, buffer).places.empty();
}

// Plain loops and vector loops, whose accesses are all in their stages.
bool IsOfStage(const ir::StageForm& form) {
  return std::holds_alternative<ir::NestStage>(form) ||
         std::holds_alternative<ir::VectorLoops>(form);
}

class Storing {
 public:
  Storing(ir::Context& context, ir::Nest& nest, ir::KernelForm* form)
      : ir_(context), nest_(nest), form_(form) {}

  void Run() {
    std::vector<BufferRef> own;
    for (BufferRef buffer : nest_.own) {
      const BufferRef result = ResultFor(buffer);
      if (result == nullptr) {
        own.push_back(buffer);
      } else {
        Replace(buffer, result);
      }
    }
    nest_.own = std::move(own);
    if (form_ != nullptr) form_->own = nest_.own;
  }

 private:
  // Returns the result stored by the last reader of `buffer`, if it can hold the elements of
  // `buffer`.
  BufferRef ResultFor(BufferRef buffer) const {
    const auto& stages = nest_.stages;
    std::optional<size_t> first, last;
    for (size_t i = 0; i < stages.size(); ++i) {
      if (nest::IsReadInExtent(stages[i], buffer)) return nullptr;
      if (!UsesBuffer(stages[i], buffer)) continue;
      if (form_ != nullptr && !IsOfStage(form_->stages[i])) return nullptr;
      if (!first) first = i;
      last = i;
    }
    if (!first || *first == *last || stages[*first].to != buffer) return nullptr;
    // A sum for each row is a scalar inside of the row loop.
    if (stages[*first].acc != nullptr) return nullptr;
    const ir::NestStage& end = stages[*last];
    const auto places = nest::UsesOf(end, buffer).places;
    if (end.to == buffer || end.acc != nullptr || places.size() != 1 || places[0] != end.at) {
      return nullptr;
    }
    if (absl::c_linear_search(nest_.own, end.to) || !AreAlike(*buffer, *end.to)) return nullptr;
    // No other stage may use the result until then.
    for (size_t i = 0; i < *last; ++i) {
      if (UsesBuffer(stages[i], end.to) || nest::IsReadInExtent(stages[i], end.to)) return nullptr;
    }
    return nest::UsesOf(end, end.to).places.empty() ? end.to : nullptr;
  }

  bool AreAlike(const ir::Buffer& a, const ir::Buffer& b) const {
    const auto plain = [](const ir::Buffer& buffer) {
      return buffer.strides.empty() && buffer.elem_offset == nullptr;
    };
    return a.dtype == b.dtype && plain(a) && plain(b) && nest::SameSizes(ir_, a.shape, b.shape);
  }

  void Replace(BufferRef buffer, BufferRef result) {
    nest::RewriteScalar rewrite(ir_);
    rewrite.Replace(buffer, result);
    for (ir::NestStage& stage : nest_.stages) nest::RewriteStage(rewrite, stage);
    if (form_ == nullptr) return;
    for (ir::StageForm& form : form_->stages) {
      if (auto* plain = std::get_if<ir::NestStage>(&form)) nest::RewriteStage(rewrite, *plain);
      if (auto* lanes = std::get_if<ir::IntegerLanes>(&form)) {
        nest::RewriteStage(rewrite, lanes->stage);
      }
      auto* loops = std::get_if<ir::VectorLoops>(&form);
      if (loops == nullptr) continue;
      nest::RewriteStage(rewrite, loops->stage);
      loops->term = rewrite(loops->term);
    }
  }

  ir::Context& ir_;
  ir::Nest& nest_;
  ir::KernelForm* const form_;
};

}  // namespace

void StoreInResult(ir::Context& context, ir::Nest& nest, ir::KernelForm* form) {
  Storing(context, nest, form).Run();
}

}  // namespace lathe::schedule
