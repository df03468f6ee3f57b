#include "generator/reader/onnx/run_time_loop.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/element_of.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using transform::BlockBuilder;

// Returns the first or the last `count` rows.
Operand Rows(NodeCall& n, const Operand& all, PrimRef count, bool last) {
  Dims dims = n.DimsOf(all);
  const PrimRef most = std::exchange(dims[0], count);
  return n.Kernel("rows", {all}, [&](Te& te) {
    return te.Compute("out", dims, n.TypeOf(all), [&](Indices at) {
      if (last) at[0] = te.math().Add(at[0], te.math().Sub(most, count));
      return te.At(te.Input(0), at);
    });
  });
}

class LoopWriter {
 public:
  LoopWriter(NodeCall& n, RunTimeLoop loop)
      : n_(n), loop_(std::move(loop)), iteration_(n.builder().ShapeVar("turn")) {}

  absl::StatusOr<std::vector<Term>> Write() {
    BlockBuilder& b = n_.builder();
    for (Term& state : loop_.states) {
      if (!state.operand && !state.elements) {
        return n_.Unsupported() << "loop-carried values must be tensors if the trip count is "
                                   "dynamic (--like DIR provides it)";
      }
    }
    Operands first = {NodeCall::Shape({n_.ir().Int(0)})};
    std::vector<BlockBuilder::Param> params = {{"turn", n_.ir().Shape({iteration_})}};
    std::vector<ir::StructInfoRef> results;
    const auto take = [&](const std::string& name, const Operand& value, bool is_result) {
      params.push_back({name, b.InfoOf(value)});
      if (is_result) results.push_back(params.back().info);
      first.push_back(value);
    };
    if (loop_.go) take("go", *loop_.go, false);
    if (CountsIterations()) results.push_back(n_.ir().Tensor(Dims(), DType::Int(64)));
    for (size_t k = 0; k < loop_.states.size(); ++k) {
      take(absl::StrCat("state_", k), Copied(Materialize(n_.import(), loop_.states[k])), true);
    }
    for (size_t k = 0; k < loop_.scan_outputs.size(); ++k) {
      take(absl::StrCat("all_", k), Room(loop_.scan_outputs[k]), true);
    }
    BlockBuilder::FunctionOptions options;
    options.exported = false;
    options.ret = n_.ir().Tuple(std::move(results));
    const Operand self = b.LocalFunction(
        "loop", params, [&](const Operands& in, const Operand& own) { return Body(in, own); },
        options);
    LATHE_RETURN_IF_ERROR(status_);
    return Results(b.Call(self, first, "turned"));
  }

 private:
  // Returns true if the loop may end before all rows of the scan outputs are written.
  bool CountsIterations() const { return loop_.go.has_value() && !loop_.scan_outputs.empty(); }

  // Copies `x` to memory that the loop may overwrite.
  Operand Copied(const Operand& x) {
    return n_.Kernel("copy", {x}, [&](Te& te) {
      return te.Compute("out", te.Input(0)->shape, n_.TypeOf(x),
                        [&](const Indices& at) { return te.At(te.Input(0), at); });
    });
  }

  // Allocates a scan output. Each iteration writes its element.
  Operand Room(const ScanOutput& c) {
    if (c.into) return *c.into;
    Dims dims = c.dims;
    if (c.parts > 0) dims.insert(dims.begin() + c.axis, n_.ir().Int(c.parts));
    dims.insert(dims.begin() + c.axis, loop_.most);
    return n_.Op("relax.builtin.alloc_tensor",
                 {NodeCall::Shape(dims), {ir::DTypeImm{c.dtype}}, n_.builder().Number(0)});
  }

  size_t FirstState() const { return loop_.go ? 2 : 1; }

  Operand Body(const Operands& in, const Operand& self) {
    const auto next = [&] {
      absl::StatusOr<Operand> next_call = NextIteration(in, self);
      if (!next_call.ok()) status_ = next_call.status();
      return next_call.ok() ? *next_call : Last(in);
    };
    const auto last = [&] { return Last(in); };
    BlockBuilder& b = n_.builder();
    if (loop_.most == nullptr) return b.If(in[1], next, last);
    const Operand more = ScalarOf(n_, n_.math().Lt(iteration_, loop_.most));
    if (!loop_.go) return b.If(more, next, last);
    return b.If(
        more, [&] { return b.If(in[1], next, last); }, last);
  }

  Operand Last(const Operands& in) {
    Operands results(in.begin() + static_cast<std::ptrdiff_t>(FirstState()), in.end());
    if (CountsIterations()) results.insert(results.begin(), ScalarOf(n_, iteration_));
    return BlockBuilder::Tuple(std::move(results));
  }

  absl::StatusOr<Operand> NextIteration(const Operands& in, const Operand& self) {
    std::vector<Term> states;
    for (size_t k = 0; k < loop_.states.size(); ++k) {
      states.emplace_back(in[k + FirstState()]);
      states.back().format = loop_.states[k].format;
    }
    const Operand go = loop_.go ? in[1] : n_.builder().Constant(DType::Bool(), {}, {1});
    LATHE_ASSIGN_OR_RETURN(Iteration result, loop_.body(iteration_, go, states));
    Operands next = {NodeCall::Shape({n_.math().Add(iteration_, n_.math().Int(1))})};
    if (loop_.go) next.push_back(result.go ? *result.go : go);
    // Computes all states before any of them is overwritten, since they may depend on each other.
    Operands after;
    for (size_t k = 0; k < states.size(); ++k) {
      LATHE_ASSIGN_OR_RETURN(
          Operand state, WithDims(result.states[k], in[k + FirstState()], "a loop-carried value"));
      after.push_back(loop_.computes_states ? std::move(state) : Copied(state));
    }
    Operands filled;
    for (size_t k = 0; k < loop_.scan_outputs.size(); ++k) {
      const Operand& all = in[k + FirstState() + states.size()];
      const ScanOutput& c = loop_.scan_outputs[k];
      LATHE_ASSIGN_OR_RETURN(const Operand element,
                             WithDims(result.elements[k], c.dims, c.dtype, "an element"));
      PrimRef at = iteration_;
      if (c.backwards) at = n_.math().Sub(n_.math().Sub(loop_.most, n_.math().Int(1)), iteration_);
      filled.push_back(WithElement(n_, all, element, {c.axis, at, c.part, c.parts}));
    }
    for (size_t k = 0; k < after.size(); ++k) {
      next.push_back(StoredIn(n_, in[k + FirstState()], after[k]));
    }
    next.insert(next.end(), filled.begin(), filled.end());
    return n_.builder().Call(self, next, "turned");
  }

  absl::StatusOr<Operand> WithDims(Term& term, const Operand& model, absl::string_view what) {
    return WithDims(term, n_.DimsOf(model), n_.TypeOf(model), what);
  }

  // Returns the tensor with the given dimensions, which are checked at run time if not provable.
  absl::StatusOr<Operand> WithDims(Term& term, const Dims& dims, DType dtype,
                                   absl::string_view what) {
    if (!term.operand && !term.elements) return n_.Unsupported() << what << " is not a tensor";
    const Operand x = Materialize(n_.import(), term);
    const Dims own = n_.DimsOf(x);
    if (n_.TypeOf(x) != dtype || own.size() != dims.size()) {
      return n_.Error() << what << " changes its type between iterations";
    }
    bool same = true;
    for (size_t i = 0; i < dims.size(); ++i) {
      const auto apart = NodeCall::IntOf(n_.Simplify(n_.math().Sub(own[i], dims[i])));
      if (apart && *apart != 0) {
        return n_.Unsupported() << what
                                << " changes its shape between iterations, which is not supported "
                                   "if the trip count is dynamic";
      }
      same = same && apart.has_value();
    }
    if (!same && loop_.proves_shapes) return absl::UnimplementedError("a shape is not proved");
    return same ? x : n_.builder().MatchCast(x, n_.ir().Tensor(dims, dtype));
  }

  std::vector<Term> Results(const Operand& turned) {
    std::vector<Term> results;
    int field = 0;
    PrimRef count = nullptr;
    if (CountsIterations()) count = SizeOf(n_, n_.Field(turned, field++));
    for (const Term& state : loop_.states) {
      results.emplace_back(n_.Field(turned, field++));
      results.back().format = state.format;
    }
    for (const ScanOutput& c : loop_.scan_outputs) {
      const Operand all = n_.Field(turned, field++);
      results.emplace_back(count != nullptr ? Rows(n_, all, count, c.backwards) : all);
    }
    return results;
  }

  NodeCall& n_;
  RunTimeLoop loop_;
  const PrimRef iteration_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::vector<Term>> EmitRunTimeLoop(NodeCall& n, RunTimeLoop loop) {
  if (n.import().folding)
    return n.Unsupported() << "a loop inside a constant-folded node is not supported";
  return LoopWriter(n, std::move(loop)).Write();
}

absl::StatusOr<ScanOutput> ScanOutputOf(NodeCall& n, const ValueInfo& output) {
  const auto dims = DimsOf(n.import(), output.type);
  const auto dtype = DTypeOf(output.type.element_type);
  if (dims && dtype) return ScanOutput{*dims, *dtype};
  return n.Unsupported() << "'" << output.name
                         << "' is a scan output whose shape the body does not declare; the shape "
                            "is required if the trip count is dynamic or 0";
}

Operand ScalarOf(NodeCall& n, PrimRef value) {
  return n.Kernel("scalar", {}, [&](Te& te) {
    return te.Compute("out", {}, value->dtype(), [&](const Indices&) { return value; });
  });
}

PrimRef SizeOf(NodeCall& n, const Operand& scalar, absl::string_view name) {
  const PrimRef size = n.builder().ShapeVar(name);
  const Operand shape = n.Op("relax.tensor_to_shape", {n.Reshape(scalar, {n.ir().Int(1)})});
  n.builder().MatchCast(shape, n.ir().Shape({size}));
  return size;
}

}  // namespace lathe::onnx
