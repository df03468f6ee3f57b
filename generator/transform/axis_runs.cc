#include "generator/transform/axis_runs.h"

#include <algorithm>
#include <utility>

namespace lathe::transform {

using ir::PrimRef;

namespace {

const int64_t* IntegerOf(PrimRef size) {
  const auto* integer = size->As<ir::IntImm>();
  return integer == nullptr ? nullptr : &integer->value;
}

bool IsOne(PrimRef size) {
  const int64_t* integer = IntegerOf(size);
  return integer != nullptr && *integer == 1;
}

}  // namespace

AxisRuns::AxisRuns(const std::vector<PrimRef>& dims) {
  for (PrimRef size : dims) {
    std::vector<Run>& axis = axes_.emplace_back();
    if (IsOne(size)) continue;
    source_.push_back({size, next_id_++});
    axis.push_back(source_.back());
  }
}

void AxisRuns::Permute(const std::vector<int>& axes) {
  std::vector<std::vector<Run>> permuted;
  for (int axis : axes) permuted.push_back(axes_[axis]);
  axes_ = std::move(permuted);
}

void AxisRuns::Split(ir::Context& context, int id, int64_t outer, int64_t inner) {
  const std::vector<Run> parts = {{context.Int(outer), next_id_},
                                  {context.Int(inner), next_id_ + 1}};
  next_id_ += 2;
  const auto replace = [&](std::vector<Run>& runs) {
    const auto at =
        std::find_if(runs.begin(), runs.end(), [&](const Run& r) { return r.id == id; });
    if (at == runs.end()) return;
    runs.insert(runs.erase(at), parts.begin(), parts.end());
  };
  replace(source_);
  for (std::vector<Run>& axis : axes_) replace(axis);
}

bool AxisRuns::Reshape(ir::Context& context, const std::vector<PrimRef>& dims) {
  // One axis holds all runs, of which those of the new axes are taken from the front.
  std::vector<Run> all;
  for (std::vector<Run>& axis : axes_) all.insert(all.end(), axis.begin(), axis.end());
  axes_ = {std::move(all)};
  std::vector<int> counts;
  size_t at = 0;
  for (PrimRef size : dims) {
    const size_t first = at;
    const int64_t* integer = IntegerOf(size);
    if (integer == nullptr) {
      if (at == axes_[0].size() || axes_[0][at].size != size) return false;
      ++at;
    }
    for (int64_t rest = integer == nullptr ? 1 : *integer; rest != 1; ++at) {
      if (at == axes_[0].size()) return false;
      const int64_t* run = IntegerOf(axes_[0][at].size);
      if (run == nullptr || *run == 0 || rest == 0) return false;
      if (rest % *run == 0) {
        rest /= *run;
        continue;
      }
      if (*run % rest != 0) return false;
      Split(context, axes_[0][at].id, rest, *run / rest);
      rest = 1;
    }
    counts.push_back(static_cast<int>(at - first));
  }
  if (at != axes_[0].size()) return false;
  std::vector<std::vector<Run>> axes;
  auto from = axes_[0].begin();
  for (int count : counts) {
    axes.emplace_back(from, from + count);
    from += count;
  }
  axes_ = std::move(axes);
  return true;
}

AxisRuns::Permutation AxisRuns::Merged(ir::Context& context) const {
  std::vector<int> order;  // the position in the source of each run of the result
  for (const std::vector<Run>& axis : axes_) {
    for (const Run& run : axis) {
      const auto at = std::find_if(source_.begin(), source_.end(),
                                   [&](const Run& r) { return r.id == run.id; });
      order.push_back(static_cast<int>(at - source_.begin()));
    }
  }
  if (std::is_sorted(order.begin(), order.end())) return {};
  // Integer runs that are neighbours in both are one axis, if its size is an integer.
  std::vector<char> follows(source_.size(), false);
  for (size_t k = 1; k < order.size(); ++k) follows[order[k]] = order[k - 1] == order[k] - 1;
  std::vector<char> starts(source_.size(), true);
  Permutation merged;
  std::vector<int> axis_of(source_.size());
  for (size_t run = 0; run < source_.size(); ++run) {
    const int64_t* size = IntegerOf(source_[run].size);
    const int64_t* before = merged.from.empty() ? nullptr : IntegerOf(merged.from.back());
    int64_t both = 0;
    starts[run] = !follows[run] || size == nullptr || before == nullptr ||
                  __builtin_mul_overflow(*before, *size, &both);
    if (starts[run]) {
      merged.from.push_back(source_[run].size);
    } else {
      merged.from.back() = context.Int(both);
    }
    axis_of[run] = static_cast<int>(merged.from.size()) - 1;
  }
  for (int run : order) {
    if (starts[run]) merged.axes.push_back(axis_of[run]);
  }
  return merged;
}

}  // namespace lathe::transform
