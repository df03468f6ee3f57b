// Imports Scan: unrolls it if the length of its sequences is constant, else emits a run-time loop.
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "generator/reader/onnx/element_of.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_loop.h"
#include "generator/reader/onnx/uniform_loop.h"
#include "generator/reader/onnx/unroll_loop.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// The scanned inputs, for constant and dynamic lengths.
struct Sequences {
  Operands tensors;
  std::vector<int> axes;
  PrimRef length;
};

int64_t EntryOrZero(const std::vector<int64_t>& list, size_t k) {
  return k < list.size() ? list[k] : 0;
}

// Imports the body of a loop over the sequences. It must not outlive its arguments.
auto BodyOver(NodeCall& n, const Graph& body, const Sequences& along) {
  return [&n, &body, &along, directions = n.Ints("scan_input_directions")](
             PrimRef iteration, const std::vector<Term>& states) -> absl::StatusOr<Iteration> {
    std::vector<Term> inputs = states;
    for (size_t k = 0; k < along.tensors.size(); ++k) {
      PrimRef at = iteration;
      if (EntryOrZero(directions, k) != 0)
        at = n.math().Sub(n.math().Sub(along.length, n.math().Int(1)), iteration);
      inputs.emplace_back(ElementOf(n, along.tensors[k], along.axes[k], at));
    }
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), body, inputs));
    const auto last = results.begin() + std::ssize(states);
    return Iteration{std::nullopt, {results.begin(), last}, {last, results.end()}};
  };
}

// Emits a loop over a constant length, if its iterations have equal shapes.
std::optional<std::vector<Term>> UniformScan(NodeCall& n, const Graph& body,
                                             const std::vector<Term>& states,
                                             const Sequences& along) {
  UniformLoop loop;
  loop.length = along.length;
  loop.states = states;
  const auto directions = n.Ints("scan_output_directions"), axes = n.Ints("scan_output_axes");
  for (size_t k = 0; k + states.size() < body.outputs.size(); ++k) {
    ScanOutput one;
    one.axis = static_cast<int>(EntryOrZero(axes, k));
    one.backwards = EntryOrZero(directions, k) != 0;
    loop.scan_outputs.push_back(std::move(one));
  }
  loop.body = BodyOver(n, body, along);
  return TryUniformLoop(n, std::move(loop));
}

// Emits a run-time loop, for a dynamic or large length.
absl::StatusOr<Results> ScanAtRunTime(NodeCall& n, const Graph& body, std::vector<Term> states,
                                      const Sequences& along) {
  RunTimeLoop loop;
  const size_t carried = states.size();
  loop.states = std::move(states);
  loop.most = along.length;
  const auto output_directions = n.Ints("scan_output_directions"),
             out_axes = n.Ints("scan_output_axes");
  for (size_t k = carried; k < body.outputs.size(); ++k) {
    LATHE_ASSIGN_OR_RETURN(ScanOutput one, ScanOutputOf(n, body.outputs[k]));
    one.backwards = EntryOrZero(output_directions, k - carried) != 0;
    const int rank = static_cast<int>(one.dims.size()) + 1;
    LATHE_ASSIGN_OR_RETURN(one.axis, n.Axis(EntryOrZero(out_axes, k - carried), rank));
    loop.scan_outputs.push_back(std::move(one));
  }
  loop.body = [iterate = BodyOver(n, body, along)](PrimRef iteration, const Operand&,
                                                   const std::vector<Term>& now) {
    return iterate(iteration, now);
  };
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> outputs, EmitRunTimeLoop(n, std::move(loop)));
  return outputs;
}

// Joins the outputs of each element of a batch along the batch axis that operator set 8 has.
absl::StatusOr<Results> JoinBatch(NodeCall& n, std::vector<std::vector<Term>> elements) {
  std::vector<Term> joined;
  for (size_t k = 0; k < elements[0].size(); ++k) {
    Operands parts;
    for (std::vector<Term>& outputs : elements) {
      if (!outputs[k].operand && !outputs[k].elements)
        return n.Unsupported() << "a loop-carried value that is not a tensor is not supported";
      const Operand x = Materialize(n.import(), outputs[k]);
      Dims dims = n.DimsOf(x);
      dims.insert(dims.begin(), n.ir().Int(1));
      parts.push_back(n.Reshape(x, dims));
    }
    joined.emplace_back(
        parts.size() == 1
            ? parts[0]
            : n.Op("relax.concat", {transform::BlockBuilder::Tuple(parts)}, {{"axis", 0}}));
  }
  return joined;
}

// Imports the iterations one by one.
absl::StatusOr<std::vector<Term>> UnrolledScan(NodeCall& n, const Graph& body,
                                               std::vector<Term> state, const Sequences& along,
                                               int64_t length) {
  const size_t carried = state.size();
  const auto directions = n.Ints("scan_input_directions");
  std::vector<std::vector<Term>> scan_outputs(body.outputs.size() - carried);
  for (int64_t iteration = 0; iteration < length; ++iteration) {
    std::vector<Term> inputs = state;
    for (size_t k = 0; k < along.tensors.size(); ++k) {
      const int64_t at = EntryOrZero(directions, k) != 0 ? length - 1 - iteration : iteration;
      inputs.emplace_back(ElementOf(n, along.tensors[k], along.axes[k], n.ir().Int(at)));
    }
    LATHE_ASSIGN_OR_RETURN(std::vector<Term> results,
                           ImportSubgraph(n.import(), n.scope(), body, inputs));
    state.assign(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(carried));
    for (size_t k = 0; k < scan_outputs.size(); ++k) {
      scan_outputs[k].push_back(results[carried + k]);
    }
  }
  const auto out_axes = n.Ints("scan_output_axes"),
             output_directions = n.Ints("scan_output_directions");
  std::vector<Term> outputs = state;
  if (length == 0 && !scan_outputs.empty()) {
    std::vector<Term> inputs = state;
    for (size_t k = 0; k < along.tensors.size(); ++k) {
      Dims dims = n.DimsOf(along.tensors[k]);
      dims.erase(dims.begin() + along.axes[k]);
      inputs.emplace_back(n.Op("relax.zeros", {NodeCall::Shape(std::move(dims))},
                               {{"dtype", n.TypeOf(along.tensors[k])}}));
    }
    LATHE_ASSIGN_OR_RETURN(const std::vector<ScanOutput> none,
                           ScanOutputsWithoutIterations(n, body, inputs, carried));
    for (size_t k = 0; k < none.size(); ++k) {
      LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(EntryOrZero(out_axes, k),
                                                    static_cast<int>(none[k].dims.size()) + 1));
      outputs.emplace_back(EmptyScanOutput(n, none[k], axis));
    }
  }
  for (size_t k = 0; k < scan_outputs.size() && length > 0; ++k) {
    LATHE_ASSIGN_OR_RETURN(const Operand stacked,
                           Stack(n, scan_outputs[k], EntryOrZero(out_axes, k),
                                 EntryOrZero(output_directions, k) != 0));
    outputs.emplace_back(stacked);
  }
  return outputs;
}

// Requires at run time that the first dimension of `x` is `batch`.
Operand WithBatch(NodeCall& n, const Operand& x, int64_t batch) {
  Dims dims = n.DimsOf(x);
  if (NodeCall::IntOf(dims[0])) return x;
  dims[0] = n.ir().Int(batch);
  return n.builder().MatchCast(x, n.ir().Tensor(dims, n.TypeOf(x)));
}

// Imports a scan over `inputs`, or over those of one element of a batch.
absl::StatusOr<Results> ScanOf(NodeCall& n, const Graph& body, std::vector<Term> inputs,
                               bool in_batch) {
  const auto axes = n.Ints("scan_input_axes");
  const int64_t scanned = n.Int("num_scan_inputs", 0);
  const auto first = inputs.end() - static_cast<std::ptrdiff_t>(scanned);
  std::vector<Term> state(inputs.begin(), first);
  Operands sequences;
  std::vector<int> along;
  PrimRef most = nullptr;
  for (int64_t k = 0; k < scanned; ++k) {
    sequences.push_back(Materialize(n.import(), first[k]));
    LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(EntryOrZero(axes, static_cast<size_t>(k)),
                                                  n.Rank(sequences.back())));
    const PrimRef size = n.DimsOf(sequences.back())[static_cast<size_t>(axis)];
    if (k > 0 && NodeCall::IntOf(n.Simplify(n.math().Sub(size, most))) != 0) {
      return n.Unsupported()
             << "sequences that are not known to have equal lengths are not supported";
    }
    most = size;
    along.push_back(axis);
  }
  if (NodeCall::IntOf(most).value_or(0) >= kFewestUniformIterations) {
    if (auto outputs = UniformScan(n, body, state, {sequences, along, most})) {
      return Results(*std::move(outputs));
    }
  }
  const int64_t length = NodeCall::IntOf(most).value_or(kMaxUnrolledIterations + 1);
  if (length > kMaxUnrolledIterations) {
    if (in_batch) return n.Unsupported() << "batched sequences of dynamic length are not supported";
    return ScanAtRunTime(n, body, std::move(state), {sequences, along, most});
  }
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> outputs,
                         UnrolledScan(n, body, std::move(state), {sequences, along, most}, length));
  return Results(std::move(outputs));
}

}  // namespace

absl::StatusOr<Results> ImportScan(NodeCall& n) {
  const Graph* body = n.Subgraph("body");
  const int64_t scanned = n.Int("num_scan_inputs", 0);
  // Operator set 8 has a batch axis and an optional first input of lengths.
  const bool batched = n.opset() < 9;
  const int first = batched ? 1 : 0;
  const int64_t carried = scanned < 1 ? -1 : n.inputs() - first - scanned;
  if (body == nullptr || carried < 0 || std::ssize(body->inputs) != carried + scanned ||
      std::ssize(body->outputs) < carried) {
    return n.Error() << "the body is missing or does not match the inputs";
  }
  if (!batched) {
    std::vector<Term> given;
    for (int k = 0; k < n.inputs(); ++k) given.push_back(k < carried ? n.term(k) : Term(n.In(k)));
    return ScanOf(n, *body, std::move(given), false);
  }
  if (n.Has(0)) return n.Unsupported() << "lengths of sequences are not supported";
  std::optional<int64_t> batch;
  for (int k = first; k < n.inputs(); ++k) {
    LATHE_RETURN_IF_ERROR(n.NeedRank(n.In(k), 1));
    const auto size = NodeCall::IntOf(n.DimsOf(n.In(k))[0]);
    if (size && batch && size != batch) return n.Error() << "the batches of the inputs differ";
    if (size) batch = size;
  }
  constexpr int64_t kMaxBatch = 64;
  const int64_t outer = n.import().batches;
  if (!batch || *batch < 1 || *batch > kMaxBatch / outer) {
    return n.Unsupported() << "a batch that is not a constant from 1 to " << kMaxBatch / outer
                           << " is not supported" << (outer > 1 ? " in a batch" : "");
  }
  Operands inputs;
  for (int k = first; k < n.inputs(); ++k) inputs.push_back(WithBatch(n, n.In(k), *batch));
  LATHE_RETURN_IF_ERROR(n.status());
  n.import().batches = outer * *batch;
  absl::Cleanup restore = [&] { n.import().batches = outer; };
  std::vector<std::vector<Term>> elements;
  for (int64_t b = 0; b < *batch; ++b) {
    std::vector<Term> given;
    for (const Operand& x : inputs) given.emplace_back(ElementOf(n, x, 0, n.ir().Int(b)));
    LATHE_ASSIGN_OR_RETURN(Results outputs, ScanOf(n, *body, std::move(given), true));
    elements.push_back(std::move(outputs.terms));
  }
  return JoinBatch(n, std::move(elements));
}

}  // namespace lathe::onnx
