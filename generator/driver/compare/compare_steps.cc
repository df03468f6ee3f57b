#include "generator/driver/compare/compare_steps.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/compare/align_sequences.h"

namespace lathe::driver {
namespace {

// The steps of all functions in order.
struct FlatStep {
  const RoutineReport* routine;
  int number;
  const StepReport* step;
  std::string type;  // of the results
};

std::vector<FlatStep> FlatSteps(const ModelReport& report) {
  std::vector<FlatStep> steps;
  for (const RoutineReport& routine : report.routines) {
    for (size_t i = 0; i < routine.steps.size(); ++i) {
      const StepReport& step = routine.steps[i];
      std::vector<std::string> types;
      for (ir::TensorId id : step.flow.writes) {
        const TensorReport& t = report.tensors[id];
        types.push_back(absl::StrCat(t.dtype, " (", absl::StrJoin(t.shape, ", "), ")"));
      }
      steps.push_back({&routine, static_cast<int>(i), &step, absl::StrJoin(types, ", ")});
    }
  }
  return steps;
}

// The layers of all steps: each operator that a step joins or fuses.
struct Layers {
  std::vector<SequenceKey> keys;
  std::vector<int> steps;  // of each layer, its step
};

Layers LayersOf(const std::vector<FlatStep>& steps) {
  Layers layers;
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::vector<std::string> ops = absl::StrSplit(steps[i].step->op, " + ");
    for (size_t k = 0; k < ops.size(); ++k) {
      // The results of the other layers are not known.
      const std::string rest =
          k + 1 < ops.size() ? "inner" : absl::StrCat(steps[i].type, "\n", steps[i].step->form);
      layers.keys.push_back({absl::StrCat(ops[k], "\n", rest), ops[k]});
      layers.steps.push_back(static_cast<int>(i));
    }
  }
  return layers;
}

// Steps of both programs that compute the same layers; only one side may have any.
struct StepGroup {
  std::vector<const FlatStep*> a, b;
};

class StepGrouper {
 public:
  StepGrouper(const std::vector<FlatStep>& a, const std::vector<FlatStep>& b)
      : a_(a), b_(b), leader_(a.size() + b.size()) {
    for (size_t i = 0; i < leader_.size(); ++i) leader_[i] = i;
  }

  // Returns the groups in the order in which the alignment meets them.
  std::vector<StepGroup> Groups() {
    const Layers from = LayersOf(a_), to = LayersOf(b_);
    const std::vector<AlignedPair> pairs = AlignSequences(from.keys, to.keys);
    const auto step_in_a = [&](int layer) {
      return static_cast<size_t>(from.steps[static_cast<size_t>(layer)]);
    };
    const auto step_in_b = [&](int layer) {
      return a_.size() + static_cast<size_t>(to.steps[static_cast<size_t>(layer)]);
    };
    for (const AlignedPair& pair : pairs) {
      if (pair.a >= 0 && pair.b >= 0)
        leader_[Leader(step_in_a(pair.a))] = Leader(step_in_b(pair.b));
    }
    std::vector<StepGroup> groups;
    std::vector<int> group_of(leader_.size(), -1);
    std::vector<bool> seen(leader_.size(), false);
    const auto add = [&](size_t step) {
      if (seen[step]) return;
      seen[step] = true;
      int& group = group_of[Leader(step)];
      if (group < 0) {
        group = static_cast<int>(groups.size());
        groups.emplace_back();
      }
      StepGroup& its = groups[static_cast<size_t>(group)];
      if (step < a_.size()) {
        its.a.push_back(&a_[step]);
      } else {
        its.b.push_back(&b_[step - a_.size()]);
      }
    };
    for (const AlignedPair& pair : pairs) {
      if (pair.a >= 0) add(step_in_a(pair.a));
      if (pair.b >= 0) add(step_in_b(pair.b));
    }
    return groups;
  }

 private:
  size_t Leader(size_t step) {
    while (leader_[step] != step) step = leader_[step] = leader_[leader_[step]];
    return step;
  }

  const std::vector<FlatStep>&a_, &b_;
  std::vector<size_t> leader_;  // of each step, of `a` and then of `b`, another one of its group
};

std::string FormText(const StepReport& step) {
  return step.kernel.empty() ? "none" : step.form.empty() ? "loops" : step.form;
}

using Count = std::optional<int64_t>;

template <typename Get>
Count Sum(const std::vector<const FlatStep*>& steps, const Get& get) {
  Count sum = 0;
  for (const FlatStep* s : steps) {
    const Count one = get(*s->step);
    sum = sum && one ? Count(*sum + *one) : std::nullopt;
  }
  return sum;
}

std::string Shown(const Count& number) {
  return number ? absl::StrCat(*number) : std::string("unknown");
}

std::string OpsText(const std::vector<const FlatStep*>& steps) {
  return absl::StrJoin(steps, "; ", [&](std::string* out, const FlatStep* s) {
    absl::StrAppend(out, steps.size() > 1 ? absl::StrCat("#", s->number, " ") : "", s->step->op);
  });
}

// Returns what differs between the steps of a group, of which both sides have some.
std::vector<std::string> GroupDetails(const StepGroup& group) {
  std::vector<std::string> details;
  const auto compare = [&](const char* what, const std::string& from, const std::string& to) {
    if (from != to) details.push_back(absl::StrCat(what, ": ", from, " -> ", to));
  };
  const FlatStep &a = *group.a.back(), &b = *group.b.back();
  compare("operators", OpsText(group.a), OpsText(group.b));
  compare("type", a.type, b.type);
  if (group.a.size() == 1 && group.b.size() == 1) {
    compare("form", FormText(*a.step), FormText(*b.step));
  }
  const auto sums = [&](const char* what, const auto& get) {
    compare(what, Shown(Sum(group.a, get)), Shown(Sum(group.b, get)));
  };
  sums("MACs", [](const StepReport& s) { return s.macs; });
  sums("weight bytes", [](const StepReport& s) { return Count(s.weights); });
  sums("code bytes", [](const StepReport& s) { return s.code; });
  return details;
}

}  // namespace

StepsDiff CompareSteps(const ModelReport& a, const ModelReport& b) {
  StepsDiff diff;
  const std::vector<FlatStep> from = FlatSteps(a), to = FlatSteps(b);
  for (const StepGroup& group : StepGrouper(from, to).Groups()) {
    StepChange change;
    if (!group.a.empty() && !group.b.empty()) {
      change.details = GroupDetails(group);
      if (change.details.empty()) {
        ++diff.same;
        continue;
      }
    } else {
      change.kind = group.a.empty() ? ChangeKind::kAdded : ChangeKind::kRemoved;
    }
    const FlatStep& shown = group.a.empty() ? *group.b[0] : *group.a[0];
    change.function = shown.routine->name;
    change.op = shown.step->op;
    if (!group.a.empty()) change.a = group.a[0]->number;
    if (!group.b.empty()) change.b = group.b[0]->number;
    diff.changes.push_back(std::move(change));
  }
  return diff;
}

}  // namespace lathe::driver
