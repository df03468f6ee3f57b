// Loop: written out where the number of turns is known, else turning when the program runs.
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/likely_values.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_loop.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/written_out_turns.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Turns of which elements are collected, where their number shows when it runs: memory is kept for
// the most there may be.
constexpr int64_t kMostCollected = int64_t{1} << 24;

Term IntTerm(NodeCall& n, int64_t value) {
  return Term(Elements{DType::Int(64), 0, {n.ir().Int(value)}});
}

// Whether the condition that the body gives is the one that it is given, so that only the number of
// turns ends it.
bool KeepsGoing(const Graph& body) {
  std::string name = body.outputs[0].name;
  for (auto node = body.nodes.rbegin(); node != body.nodes.rend(); ++node) {
    if (node->op == "Identity" && node->inputs.size() == 1 && node->outputs.size() == 1 &&
        node->outputs[0] == name) {
      name = node->inputs[0];
    }
  }
  return name == body.inputs[1].name;
}

// Whether a loop goes on: known, or what says so when it runs.
struct Going {
  std::optional<bool> known;
  std::optional<Operand> condition;
};

// `x`, once the loop turns as often as was written out: what holds before the first turn and after
// each is in `going`; `trips` is the most there may be.
Operand CheckedTurns(NodeCall& n, const Operand& x, const std::optional<Operand>& trips,
                     const std::vector<Going>& going) {
  Operands said;
  if (trips) said.push_back(*trips);
  for (const Going& one : going) {
    if (one.condition) said.push_back(*one.condition);
  }
  const int64_t turns = std::ssize(going) - 1;
  const std::string why = absl::StrCat("Loop needs to turn ", turns, " times, as declared");
  return Checked(n, x, said, [&](Te& te) {
    ScalarMath& m = te.math();
    int input = trips ? 2 : 1;
    PrimRef ends = m.ir().Bool(false);
    for (size_t i = 0; i < going.size(); ++i) {
      const bool last = i + 1 == going.size();
      if (last && going[i].known == false) ends = m.ir().Bool(true);
      if (!going[i].condition) continue;
      const PrimRef holds = FirstOf(te, input++);
      if (last) ends = m.Not(holds);
      if (!last) te.Need(holds, why);
    }
    const bool may_end = going.back().known != true;
    if (!trips) return te.Need(ends, why);
    const PrimRef enough = m.Eq(OnlyEntry(te, 1), m.Int(turns));
    te.Need(may_end ? m.Or(enough, m.And(ends, m.Lt(m.Int(turns), OnlyEntry(te, 1)))) : enough,
            why);
  });
}

// Whether the inputs that the turns hang on are said for the program (likely_values.h).
bool IsSaid(NodeCall& n) {
  const bool trips = !n.Has(0) || OneInt(n, n.term(0)) || n.term(0).likely != nullptr;
  return trips && (!n.Has(1) || OneInt(n, n.term(1)) || n.term(1).likely != nullptr);
}

// `turns` where the most of them is known. What each turn gives is declared by the body.
absl::StatusOr<Results> LoopAtRunTime(NodeCall& n, const Graph& body, size_t carried,
                                      std::optional<int64_t> turns) {
  RunTimeLoop loop;
  const bool may_end = !KeepsGoing(body) || (n.Has(1) && OneInt(n, n.term(1)) != 1);
  if (may_end) {
    loop.go = n.Has(1) ? n.Reshape(n.In(1), {}) : n.builder().Constant(DType::Bool(), {}, {1});
  }
  for (size_t k = 0; k < carried; ++k) loop.states.push_back(n.term(static_cast<int>(k) + 2));
  for (size_t k = carried + 1; k < body.outputs.size(); ++k) {
    LATHE_ASSIGN_OR_RETURN(Collected one, CollectedOf(n, body.outputs[k]));
    if (!n.Has(0) || (turns && *turns > kMostCollected)) {
      return n.Unsupported() << "'" << body.outputs[k].name
                             << "' of each turn, where there is no bound on "
                             << "the number of turns";
    }
    loop.collected.push_back(std::move(one));
  }
  if (turns) {
    loop.most = n.ir().Int(*turns);
  } else if (n.Has(0)) {
    loop.most = SizeOf(n, n.Reshape(n.Cast(n.In(0), DType::Int(64)), {}));
  }
  loop.body = [&](PrimRef turn, const Operand& go,
                  const std::vector<Term>& states) -> absl::StatusOr<Turn> {
    std::vector<Term> inputs = {Term(ScalarOf(n, turn)), Term(go)};
    inputs.insert(inputs.end(), states.begin(), states.end());
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), body, inputs));
    if (!results[0].operand && !results[0].elements) {
      return n.Error() << "the condition that its body gives is no tensor";
    }
    const auto first = results.begin() + 1, last = first + static_cast<std::ptrdiff_t>(carried);
    Turn left{
        n.Reshape(Materialize(n.import(), results[0]), {}), {first, last}, {last, results.end()}};
    return left;
  };
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> outputs, TurnAtRunTime(n, std::move(loop)));
  return outputs;
}

}  // namespace

absl::StatusOr<Results> ImportLoop(NodeCall& n) {
  const Graph* body = n.Subgraph("body");
  if (body == nullptr || body->inputs.size() < 2 || body->outputs.empty()) {
    return n.Error() << "its body is missing, or has no number of the turn and condition";
  }
  const size_t carried = body->inputs.size() - 2;
  if (body->outputs.size() < carried + 1 || n.inputs() < static_cast<int>(carried) + 2) {
    return n.Error() << "its body does not give what the next turn takes";
  }
  const size_t scans = body->outputs.size() - 1 - carried;
  std::optional<int64_t> turns;
  if (n.Has(0)) turns = OneInt(n, n.term(0));
  std::optional<int64_t> go = 1;
  if (n.Has(1)) go = OneInt(n, n.term(1));
  if (turns && *turns <= 0) go = 0;
  bool as_declared = false;
  if (!turns && go != 0) {
    // As many as the model declares elements of what the turns give.
    for (size_t k = 0; k < scans && !as_declared; ++k) {
      const auto declared = n.DeclaredDims(static_cast<int>(carried + k));
      if (!declared || declared->empty() || !NodeCall::IntOf((*declared)[0])) continue;
      turns = NodeCall::IntOf((*declared)[0]);
      as_declared = true;
    }
  }
  const bool keeps_going = KeepsGoing(*body);
  const bool shows_late = go != 0 && ((!turns && n.Has(0)) || (!go && !as_declared));
  const bool is_long = go == 1 && turns.value_or(0) > kMostTurns && keeps_going;
  const bool is_said = shows_late && IsSaid(n);
  if ((shows_late && !is_said) || is_long) return LoopAtRunTime(n, *body, carried, turns);
  if (!turns && n.Has(0) && go != 0) turns = TakeOne(n, n.term(0));
  if (!go && !as_declared) go = TakeOne(n, n.term(1));
  std::vector<Term> state;
  for (size_t k = 0; k < carried; ++k) state.push_back(n.term(static_cast<int>(k) + 2));
  std::vector<std::vector<Term>> collected(scans);
  std::vector<Going> going;
  const auto goes = [&](Term& cond) {
    if (!as_declared) return;
    Going one;
    if (!cond.operand && !cond.elements) {
      one.known = true;
    } else if (const auto known = OneInt(n, cond)) {
      one.known = *known != 0;
    } else {
      one.condition = Materialize(n.import(), cond);
    }
    going.push_back(std::move(one));
  };
  Term always;
  goes(n.Has(1) ? n.term(1) : always);
  for (int64_t turn = 0; go.value_or(1) != 0 && (!turns || turn < *turns); ++turn) {
    if (turn >= kMostTurns) {
      return n.Unsupported() << "a loop of more than " << kMostTurns << " turns";
    }
    std::vector<Term> inputs = {IntTerm(n, turn),
                                Term(n.builder().Constant(DType::Bool(), {}, {1}))};
    inputs.insert(inputs.end(), state.begin(), state.end());
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), *body, inputs));
    go = OneInt(n, results[0]);
    // What this turn has computed is used by nothing then.
    if (!go && !as_declared && turn == 0) return LoopAtRunTime(n, *body, carried, turns);
    if (!go && !as_declared) return n.Unsupported() << "a condition that shows when it runs";
    goes(results[0]);
    state.assign(results.begin() + 1, results.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    for (size_t k = 0; k < scans; ++k) collected[k].push_back(results[1 + carried + k]);
  }
  std::vector<Term> outputs = state;
  if (scans > 0 && collected[0].empty()) {
    std::vector<Term> inputs = {IntTerm(n, 0), Term(n.builder().Constant(DType::Bool(), {}, {1}))};
    inputs.insert(inputs.end(), state.begin(), state.end());
    LATHE_ASSIGN_OR_RETURN(const std::vector<Collected> none,
                           ElementsWithoutTurns(n, *body, inputs, 1 + carried));
    for (const Collected& one : none) outputs.emplace_back(NoElements(n, one, 0));
  }
  for (size_t k = 0; k < scans && !collected[k].empty(); ++k) {
    LATHE_ASSIGN_OR_RETURN(const Operand stacked, Stack(n, collected[k], 0, false));
    outputs.emplace_back(stacked);
  }
  if (!as_declared) return outputs;
  std::optional<Operand> trips;
  if (n.Has(0)) trips = n.In(0);
  for (Term& term : outputs) {
    if (!term.operand && !term.elements) return n.Unsupported() << "a state that is no tensor";
    term = Term(CheckedTurns(n, Materialize(n.import(), term), trips, going));
  }
  return outputs;
}

}  // namespace lathe::onnx
