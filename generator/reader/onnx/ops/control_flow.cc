// Graphs within graphs: If, Loop and Scan. Loops whose turns are known are written out.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/interp/tensor.h"
#include "generator/reader/onnx/likely_values.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Turns that are written out one behind the other.
constexpr int64_t kMostTurns = 4096;

Operand At(NodeCall& n, const Operand& x, int axis, int64_t index) {
  Dims dims = n.DimsOf(x);
  const DType dtype = n.TypeOf(x);
  dims.erase(dims.begin() + axis);
  return n.Kernel("element", {x}, [&](Te& te) {
    return te.Compute("out", dims, dtype, [&](Indices at) {
      at.insert(at.begin() + axis, te.math().Int(index));
      return te.At(te.Input(0), at);
    });
  });
}

absl::StatusOr<Operand> Stack(NodeCall& n, std::vector<Term>& items, int64_t axis, bool backwards) {
  if (items.empty()) return n.Unsupported() << "a loop that gives no elements";
  if (backwards) std::reverse(items.begin(), items.end());
  Operands tensors;
  for (Term& item : items) {
    if (!item.operand && !item.elements) return n.Unsupported() << "elements that are no tensors";
    tensors.push_back(Materialize(n.import(), item));
  }
  LATHE_ASSIGN_OR_RETURN(const int at, n.Axis(axis, n.Rank(tensors[0]) + 1));
  return n.Op("relax.stack", {transform::BlockBuilder::Tuple(std::move(tensors))}, {{"axis", at}});
}

Term IntTerm(NodeCall& n, int64_t value) {
  return Term(Elements{DType::Int(64), 0, {n.ir().Int(value)}});
}

std::optional<int64_t> OneInt(NodeCall& n, const Term& term) {
  const auto constant = ConstantOf(n.import(), term);
  if (!constant || constant->bytes->empty() ||
      !(constant->dtype.is_integer() || constant->dtype.is_bool())) {
    return std::nullopt;
  }
  return interp::ToInt64(constant->dtype,
                         interp::ReadElement(constant->bytes->data(), constant->dtype, 0));
}

// The same, or what the program is made for.
std::optional<int64_t> TakeOne(NodeCall& n, Term& term) {
  const auto values = TakeInts(n, term);
  return values && values->size() == 1 ? std::optional((*values)[0]) : std::nullopt;
}

// Whether a branch gives what may not be there at all, which no value of a program says.
bool GivesOptionals(const Graph& branch) {
  return std::any_of(branch.outputs.begin(), branch.outputs.end(), [](const ValueInfo& output) {
    return output.type.kind == TypeKind::kOptional;
  });
}

// A tensor, or a tuple of the items of a sequence.
absl::StatusOr<Operand> ValueOf(NodeCall& n, Term& term) {
  if (term.operand || term.elements) return Materialize(n.import(), term);
  if (term.sequence == nullptr) return n.Unsupported() << "a branch that gives no tensor";
  Operands items;
  for (Term item : *term.sequence) {
    LATHE_ASSIGN_OR_RETURN(Operand value, ValueOf(n, item));
    items.push_back(std::move(value));
  }
  return transform::BlockBuilder::Tuple(std::move(items));
}

bool AreAlike(const Term& a, const Term& b) {
  if ((a.sequence == nullptr) != (b.sequence == nullptr)) return false;
  if (a.sequence == nullptr) return true;
  return std::equal(a.sequence->begin(), a.sequence->end(), b.sequence->begin(), b.sequence->end(),
                    AreAlike);
}

// Field `k` of a tuple, which is like `shape`.
Term FieldOf(NodeCall& n, const Operand& tuple, int k, const Term& shape) {
  const Operand field = n.Field(tuple, k);
  if (shape.sequence == nullptr) return Term(field);
  std::vector<Term> items;
  for (size_t i = 0; i < shape.sequence->size(); ++i) {
    items.push_back(FieldOf(n, field, static_cast<int>(i), (*shape.sequence)[i]));
  }
  return Term::OfSequence(std::move(items));
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

// `x`, once the loop turns as often as was written out: what holds before the first turn and after
// each is in `going`, as far as it is not known; `trips` is the most there may be.
Operand CheckedTurns(NodeCall& n, const Operand& x, const std::optional<Operand>& trips,
                     const std::vector<std::optional<Operand>>& going) {
  Operands said;
  if (trips) said.push_back(*trips);
  for (const auto& one : going) {
    if (one) said.push_back(*one);
  }
  const int64_t turns = std::ssize(going) - 1;
  const std::string why = absl::StrCat("Loop needs to turn ", turns, " times, as declared");
  return Checked(n, x, said, [&](Te& te) {
    ScalarMath& m = te.math();
    int input = trips ? 2 : 1;
    PrimRef ends = m.ir().Bool(false);
    for (size_t i = 0; i < going.size(); ++i) {
      const bool last = i + 1 == going.size();
      if (!going[i]) continue;
      const PrimRef holds = FirstOf(te, input++);
      if (last) ends = m.Not(holds);
      if (!last) te.Need(holds, why);
    }
    const bool may_end = going.back().has_value();
    if (!trips) return te.Need(ends, why);
    const PrimRef enough = m.Eq(OnlyEntry(te, 1), m.Int(turns));
    te.Need(may_end ? m.Or(enough, m.And(ends, m.Lt(m.Int(turns), OnlyEntry(te, 1)))) : enough,
            why);
  });
}

}  // namespace

absl::StatusOr<Results> ImportIf(NodeCall& n) {
  const Graph* then_graph = n.Subgraph("then_branch");
  const Graph* else_graph = n.Subgraph("else_branch");
  if (then_graph == nullptr || else_graph == nullptr) return n.Error() << "a branch is missing";
  auto known = OneInt(n, n.term(0));
  if (!known && (GivesOptionals(*then_graph) || GivesOptionals(*else_graph))) {
    known = TakeOne(n, n.term(0));
  }
  if (known) {
    LATHE_ASSIGN_OR_RETURN(
        std::vector<Term> results,
        ImportSubgraph(n.import(), n.scope(), *known != 0 ? *then_graph : *else_graph, {}));
    return results;
  }
  if (n.import().folding) return n.Unsupported() << "a branch where numbers are computed";
  absl::Status status;
  std::vector<Term> shapes[2];  // what each branch gives: its variables mean nothing outside
  const auto branch = [&](const Graph& graph, std::vector<Term>& shape) {
    ir::TupleExpr results;
    if (!status.ok()) return Operand{std::move(results)};
    auto terms = ImportSubgraph(n.import(), n.scope(), graph, {});
    if (!terms.ok()) {
      status = terms.status();
      return Operand{std::move(results)};
    }
    for (Term& term : *terms) {
      auto value = ValueOf(n, term);
      if (value.ok()) {
        results.fields.push_back(*std::move(value));
      } else {
        status = value.status();
      }
    }
    shape = *std::move(terms);
    return Operand{std::move(results)};
  };
  const Operand cond = n.Reshape(n.In(0), {});
  const Operand both = n.builder().If(
      cond, [&] { return branch(*then_graph, shapes[0]); },
      [&] { return branch(*else_graph, shapes[1]); });
  LATHE_RETURN_IF_ERROR(status);
  std::vector<Term> results;
  for (size_t k = 0; k < shapes[0].size(); ++k) {
    if (k >= shapes[1].size() || !AreAlike(shapes[0][k], shapes[1][k])) {
      return n.Unsupported() << "branches that give sequences of two lengths";
    }
    results.push_back(FieldOf(n, both, static_cast<int>(k), shapes[0][k]));
  }
  return results;
}

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
  bool as_declared = false;
  if (!turns) {
    // As many as the model declares elements of what the turns give.
    for (size_t k = 0; k < scans && !as_declared; ++k) {
      const auto declared = n.DeclaredDims(static_cast<int>(carried + k));
      if (!declared || declared->empty() || !NodeCall::IntOf((*declared)[0])) continue;
      turns = NodeCall::IntOf((*declared)[0]);
      as_declared = true;
    }
  }
  std::optional<int64_t> go = 1;
  if (n.Has(1)) go = OneInt(n, n.term(1));
  if (!turns && n.Has(0)) turns = TakeOne(n, n.term(0));
  if (!go && !as_declared) go = TakeOne(n, n.term(1));
  if (!turns && n.Has(0)) return n.Unsupported() << "a number of turns that shows when it runs";
  if (!go && !as_declared) return n.Unsupported() << "a condition that shows when it runs";
  if (go == 1 && turns.value_or(0) > kMostTurns && KeepsGoing(*body)) {
    return n.Unsupported() << "a loop of more than " << kMostTurns << " turns";
  }
  std::vector<Term> state;
  for (size_t k = 0; k < carried; ++k) state.push_back(n.term(static_cast<int>(k) + 2));
  std::vector<std::vector<Term>> collected(scans);
  std::vector<std::optional<Operand>> going;
  const auto goes = [&](Term& cond) {
    if (!as_declared) return;
    const bool known = OneInt(n, cond).has_value() || (!cond.operand && !cond.elements);
    going.push_back(known ? std::nullopt : std::optional(Materialize(n.import(), cond)));
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
    if (!go && !as_declared) return n.Unsupported() << "a condition that shows when it runs";
    goes(results[0]);
    state.assign(results.begin() + 1, results.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    for (size_t k = 0; k < scans; ++k) collected[k].push_back(results[1 + carried + k]);
  }
  std::vector<Term> outputs = state;
  for (std::vector<Term>& items : collected) {
    LATHE_ASSIGN_OR_RETURN(const Operand stacked, Stack(n, items, 0, false));
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

absl::StatusOr<Results> ImportScan(NodeCall& n) {
  const Graph* body = n.Subgraph("body");
  const int64_t scanned = n.Int("num_scan_inputs", 0);
  // Version 8 had a batch in front, and lengths as its first input.
  const bool batched = n.opset() < 9;
  const int first = batched ? 1 : 0;
  const int64_t carried = n.inputs() - first - scanned;
  if (body == nullptr || scanned < 1 || carried < 0 ||
      std::ssize(body->inputs) != carried + scanned || std::ssize(body->outputs) < carried) {
    return n.Error() << "its body does not go with its inputs";
  }
  if (batched && n.Has(0)) return n.Unsupported() << "lengths of sequences";
  const auto axes = n.Ints("scan_input_axes"), directions = n.Ints("scan_input_directions");
  const auto entry = [](const std::vector<int64_t>& list, int64_t k) {
    return k < std::ssize(list) ? list[static_cast<size_t>(k)] : 0;
  };
  const auto batch = batched ? NodeCall::IntOf(n.DimsOf(n.In(first))[0]) : 1;
  if (batched && batch != 1) return n.Unsupported() << "a batch of more than 1";
  std::vector<Term> state;
  for (int64_t k = 0; k < carried; ++k) {
    Term term = n.term(first + static_cast<int>(k));
    if (batched) term = Term(At(n, n.In(first + static_cast<int>(k)), 0, 0));
    state.push_back(term);
  }
  Operands sequences;
  std::vector<int> along;
  int64_t length = 0;
  for (int64_t k = 0; k < scanned; ++k) {
    const int input = first + static_cast<int>(carried + k);
    sequences.push_back(batched ? At(n, n.In(input), 0, 0) : n.In(input));
    LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(entry(axes, k), n.Rank(sequences.back())));
    const auto size = NodeCall::IntOf(n.DimsOf(sequences.back())[static_cast<size_t>(axis)]);
    if (!size || *size > kMostTurns || (k > 0 && *size != length)) {
      return n.Unsupported() << "sequences of one length, a number of at most " << kMostTurns;
    }
    length = *size;
    along.push_back(axis);
  }
  std::vector<std::vector<Term>> collected(body->outputs.size() - static_cast<size_t>(carried));
  for (int64_t turn = 0; turn < length; ++turn) {
    std::vector<Term> inputs = state;
    for (int64_t k = 0; k < scanned; ++k) {
      const int64_t at = entry(directions, k) != 0 ? length - 1 - turn : turn;
      const auto which = static_cast<size_t>(k);
      inputs.emplace_back(At(n, sequences[which], along[which], at));
    }
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), *body, inputs));
    state.assign(results.begin(), results.begin() + carried);
    for (size_t k = 0; k < collected.size(); ++k) {
      collected[k].push_back(results[static_cast<size_t>(carried) + k]);
    }
  }
  const auto out_axes = n.Ints("scan_output_axes"), out_ways = n.Ints("scan_output_directions");
  std::vector<Term> outputs = state;
  for (size_t k = 0; k < collected.size(); ++k) {
    const auto which = static_cast<int64_t>(k);
    LATHE_ASSIGN_OR_RETURN(const Operand stacked, Stack(n, collected[k], entry(out_axes, which),
                                                        entry(out_ways, which) != 0));
    outputs.emplace_back(stacked);
  }
  for (Term& term : outputs) {
    if (!batched) break;
    const Operand x = Materialize(n.import(), term);
    Dims dims = n.DimsOf(x);
    dims.insert(dims.begin(), n.ir().Int(1));
    term = Term(n.Reshape(x, dims));
  }
  return outputs;
}

}  // namespace lathe::onnx
