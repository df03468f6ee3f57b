// Imports Loop: unrolls it if the trip count is constant, else emits a run-time loop.
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_loop.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/specialized_values.h"
#include "generator/reader/onnx/uniform_loop.h"
#include "generator/reader/onnx/unroll_loop.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Maximum trip count of a run-time loop with scan outputs, whose memory is allocated for all
// iterations.
constexpr int64_t kMaxScanIterations = int64_t{1} << 24;

Term IntTerm(NodeCall& n, int64_t value) {
  return Term(Elements{DType::Int(64), 0, {n.ir().Int(value)}});
}

// Returns true if the body forwards its condition unchanged, so that only the trip count ends the
// loop.
bool ForwardsCondition(const Graph& body) {
  std::string name = body.outputs[0].name;
  for (auto node = body.nodes.rbegin(); node != body.nodes.rend(); ++node) {
    if (node->op == "Identity" && node->inputs.size() == 1 && node->outputs.size() == 1 &&
        node->outputs[0] == name) {
      name = node->inputs[0];
    }
  }
  return name == body.inputs[1].name;
}

// Condition of an iteration: a constant, or a tensor.
struct LoopCondition {
  std::optional<bool> known;
  std::optional<Operand> condition;
};

// Returns `x` after a check that the loop runs as many iterations as were unrolled. `conditions`
// has one entry before the first iteration and one after each; `trips` is the maximum trip count.
Operand CheckedTripCount(NodeCall& n, const Operand& x, const std::optional<Operand>& trips,
                         const std::vector<LoopCondition>& conditions) {
  Operands said;
  if (trips) said.push_back(*trips);
  for (const LoopCondition& one : conditions) {
    if (one.condition) said.push_back(*one.condition);
  }
  const int64_t trip_count = std::ssize(conditions) - 1;
  const std::string why = absl::StrCat("Loop needs ", trip_count, " iterations, as declared");
  return Checked(n, x, said, [&](Te& te) {
    ScalarMath& m = te.math();
    int input = trips ? 2 : 1;
    PrimRef ends = m.ir().Bool(false);
    for (size_t i = 0; i < conditions.size(); ++i) {
      const bool last = i + 1 == conditions.size();
      if (last && conditions[i].known == false) ends = m.ir().Bool(true);
      if (!conditions[i].condition) continue;
      const PrimRef holds = FirstOf(te, input++);
      if (last) ends = m.Not(holds);
      if (!last) te.Need(holds, why);
    }
    const bool may_end = conditions.back().known != true;
    if (!trips) return te.Need(ends, why);
    const PrimRef enough = m.Eq(OnlyEntry(te, 1), m.Int(trip_count));
    te.Need(may_end ? m.Or(enough, m.And(ends, m.Lt(m.Int(trip_count), OnlyEntry(te, 1)))) : enough,
            why);
  });
}

// Returns true if trip count and condition are constant or specialized (specialized_values.h).
bool IsSpecialized(NodeCall& n) {
  const bool trips = !n.Has(0) || ConstantInt(n, n.term(0)) || n.term(0).specialized != nullptr;
  return trips && (!n.Has(1) || ConstantInt(n, n.term(1)) || n.term(1).specialized != nullptr);
}

// Emits a run-time loop. `trip_count` is the trip count if it is constant. The body declares its
// scan outputs.
absl::StatusOr<Results> LoopAtRunTime(NodeCall& n, const Graph& body, size_t carried,
                                      std::optional<int64_t> trip_count) {
  RunTimeLoop loop;
  const bool may_end = !ForwardsCondition(body) || (n.Has(1) && ConstantInt(n, n.term(1)) != 1);
  if (may_end) {
    loop.go = n.Has(1) ? n.Reshape(n.In(1), {}) : n.builder().Constant(DType::Bool(), {}, {1});
  }
  for (size_t k = 0; k < carried; ++k) loop.states.push_back(n.term(static_cast<int>(k) + 2));
  for (size_t k = carried + 1; k < body.outputs.size(); ++k) {
    LATHE_ASSIGN_OR_RETURN(ScanOutput one, ScanOutputOf(n, body.outputs[k]));
    if (!n.Has(0) || (trip_count && *trip_count > kMaxScanIterations)) {
      return n.Unsupported()
             << "'" << body.outputs[k].name
             << "' is a scan output without a bound of the trip count, which is not supported";
    }
    loop.scan_outputs.push_back(std::move(one));
  }
  if (trip_count) {
    loop.most = n.ir().Int(*trip_count);
  } else if (n.Has(0)) {
    loop.most = SizeOf(n, n.Reshape(n.Cast(n.In(0), DType::Int(64)), {}));
  }
  loop.body = [&](PrimRef iteration, const Operand& go,
                  const std::vector<Term>& states) -> absl::StatusOr<Iteration> {
    std::vector<Term> inputs = {Term(ScalarOf(n, iteration)), Term(go)};
    inputs.insert(inputs.end(), states.begin(), states.end());
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), body, inputs));
    if (!results[0].operand && !results[0].elements) {
      return n.Error() << "the condition that the body returns is not a tensor";
    }
    const auto first = results.begin() + 1, last = first + static_cast<std::ptrdiff_t>(carried);
    Iteration left{
        n.Reshape(Materialize(n.import(), results[0]), {}), {first, last}, {last, results.end()}};
    return left;
  };
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> outputs, EmitRunTimeLoop(n, std::move(loop)));
  return outputs;
}

// Emits a loop of `trip_count` iterations if they have equal shapes and no condition ends the loop.
std::optional<std::vector<Term>> UniformLoopOf(NodeCall& n, const Graph& body, size_t carried,
                                               int64_t trip_count) {
  UniformLoop loop;
  loop.length = n.ir().Int(trip_count);
  for (size_t k = 0; k < carried; ++k) loop.states.push_back(n.term(static_cast<int>(k) + 2));
  loop.scan_outputs.resize(body.outputs.size() - 1 - carried);
  loop.body = [&](PrimRef iteration, const std::vector<Term>& states) -> absl::StatusOr<Iteration> {
    const bool known = NodeCall::IntOf(iteration).has_value();
    std::vector<Term> inputs = {
        known ? Term(Elements{DType::Int(64), 0, {iteration}}) : Term(ScalarOf(n, iteration)),
        Term(n.builder().Constant(DType::Bool(), {}, {1}))};
    inputs.insert(inputs.end(), states.begin(), states.end());
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), body, inputs));
    if (ConstantInt(n, results[0]) != 1) {
      return absl::UnimplementedError("a condition may end the loop");
    }
    const auto first = results.begin() + 1, last = first + static_cast<std::ptrdiff_t>(carried);
    return Iteration{std::nullopt, {first, last}, {last, results.end()}};
  };
  return TryUniformLoop(n, std::move(loop));
}

// Returns `x` after a check that the trip count is the declared one.
Operand CheckedLength(NodeCall& n, const Operand& x, int64_t declared) {
  return Checked(n, x, {n.In(0)}, [&](Te& te) {
    te.Need(te.math().Eq(OnlyEntry(te, 1), te.math().Int(declared)),
            absl::StrCat("Loop needs to turn ", declared, " times, as declared"));
  });
}

// Imports the iterations one by one. `go` is the condition of the first one, if it is constant.
// `as_declared`: the trip count is that of a declared scan output and is checked at run time.
absl::StatusOr<Results> UnrolledLoop(NodeCall& n, const Graph& body, size_t carried,
                                     std::optional<int64_t> trip_count, std::optional<int64_t> go,
                                     bool as_declared) {
  const size_t scans = body.outputs.size() - 1 - carried;
  std::vector<Term> state;
  for (size_t k = 0; k < carried; ++k) state.push_back(n.term(static_cast<int>(k) + 2));
  std::vector<std::vector<Term>> scan_outputs(scans);
  std::vector<LoopCondition> conditions;
  const auto goes = [&](Term& cond) {
    if (!as_declared) return;
    LoopCondition one;
    if (!cond.operand && !cond.elements) {
      one.known = true;
    } else if (const auto known = ConstantInt(n, cond)) {
      one.known = *known != 0;
    } else {
      one.condition = Materialize(n.import(), cond);
    }
    conditions.push_back(std::move(one));
  };
  Term always;
  goes(n.Has(1) ? n.term(1) : always);
  for (int64_t iteration = 0; go.value_or(1) != 0 && (!trip_count || iteration < *trip_count);
       ++iteration) {
    if (iteration >= kMaxUnrolledIterations) {
      return n.Unsupported() << "a loop with more than " << kMaxUnrolledIterations
                             << " iterations is not supported here";
    }
    std::vector<Term> inputs = {IntTerm(n, iteration),
                                Term(n.builder().Constant(DType::Bool(), {}, {1}))};
    inputs.insert(inputs.end(), state.begin(), state.end());
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), body, inputs));
    go = ConstantInt(n, results[0]);
    // Falls back to a run-time loop; nothing uses the unrolled first iteration.
    if (!go && !as_declared && iteration == 0) return LoopAtRunTime(n, body, carried, trip_count);
    if (!go && !as_declared) return n.Unsupported() << "a dynamic condition is not supported here";
    goes(results[0]);
    state.assign(results.begin() + 1, results.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    for (size_t k = 0; k < scans; ++k) scan_outputs[k].push_back(results[1 + carried + k]);
  }
  std::vector<Term> outputs = state;
  if (scans > 0 && scan_outputs[0].empty()) {
    std::vector<Term> inputs = {IntTerm(n, 0), Term(n.builder().Constant(DType::Bool(), {}, {1}))};
    inputs.insert(inputs.end(), state.begin(), state.end());
    LATHE_ASSIGN_OR_RETURN(const std::vector<ScanOutput> none,
                           ScanOutputsWithoutIterations(n, body, inputs, 1 + carried));
    for (const ScanOutput& one : none) outputs.emplace_back(EmptyScanOutput(n, one, 0));
  }
  for (size_t k = 0; k < scans && !scan_outputs[k].empty(); ++k) {
    LATHE_ASSIGN_OR_RETURN(const Operand stacked, Stack(n, scan_outputs[k], 0, false));
    outputs.emplace_back(stacked);
  }
  if (!as_declared) return outputs;
  std::optional<Operand> trips;
  if (n.Has(0)) trips = n.In(0);
  for (Term& term : outputs) {
    if (!term.operand && !term.elements)
      return n.Unsupported() << "a loop-carried value that is not a tensor is not supported";
    term = Term(CheckedTripCount(n, Materialize(n.import(), term), trips, conditions));
  }
  return outputs;
}

}  // namespace

absl::StatusOr<Results> ImportLoop(NodeCall& n) {
  const Graph* body = n.Subgraph("body");
  if (body == nullptr || body->inputs.size() < 2 || body->outputs.empty()) {
    return n.Error()
           << "the body is missing, or has no inputs for the iteration number and the condition";
  }
  const size_t carried = body->inputs.size() - 2;
  if (body->outputs.size() < carried + 1 || n.inputs() < static_cast<int>(carried) + 2) {
    return n.Error() << "the body does not return all loop-carried values";
  }
  const size_t scans = body->outputs.size() - 1 - carried;
  std::optional<int64_t> trip_count;
  if (n.Has(0)) trip_count = ConstantInt(n, n.term(0));
  std::optional<int64_t> go = 1;
  if (n.Has(1)) go = ConstantInt(n, n.term(1));
  if (trip_count && *trip_count <= 0) go = 0;
  bool as_declared = false;
  if (!trip_count && go != 0) {
    // Takes the trip count from the declared length of a scan output.
    for (size_t k = 0; k < scans && !as_declared; ++k) {
      const auto declared = n.DeclaredDims(static_cast<int>(carried + k));
      if (!declared || declared->empty() || !NodeCall::IntOf((*declared)[0])) continue;
      trip_count = NodeCall::IntOf((*declared)[0]);
      as_declared = true;
    }
  }
  const bool fits = scans == 0 || trip_count.value_or(0) <= kMaxScanIterations;
  if (go == 1 && fits && trip_count.value_or(0) >= kFewestUniformIterations) {
    if (auto outputs = UniformLoopOf(n, *body, carried, *trip_count)) {
      for (Term& term : *outputs) {
        if (as_declared && n.Has(0)) term = Term(CheckedLength(n, *term.operand, *trip_count));
      }
      return *std::move(outputs);
    }
  }
  const bool forwards_condition = ForwardsCondition(*body);
  const bool is_dynamic = go != 0 && ((!trip_count && n.Has(0)) || (!go && !as_declared));
  const bool is_long =
      go == 1 && trip_count.value_or(0) > kMaxUnrolledIterations && forwards_condition;
  const bool is_specialized = is_dynamic && IsSpecialized(n);
  if ((is_dynamic && !is_specialized) || is_long)
    return LoopAtRunTime(n, *body, carried, trip_count);
  if (!trip_count && n.Has(0) && go != 0) trip_count = SpecializeInt(n, n.term(0));
  if (!go && !as_declared) go = SpecializeInt(n, n.term(1));
  return UnrolledLoop(n, *body, carried, trip_count, go, as_declared);
}

}  // namespace lathe::onnx
