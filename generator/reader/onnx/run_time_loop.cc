#include "generator/reader/onnx/run_time_loop.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/element_of.h"
#include "generator/reader/onnx/tensor_data.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using transform::BlockBuilder;

// The first `count` rows, or the last.
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
      : n_(n), loop_(std::move(loop)), turn_(n.builder().ShapeVar("turn")) {}

  absl::StatusOr<std::vector<Term>> Write() {
    BlockBuilder& b = n_.builder();
    for (Term& state : loop_.states) {
      if (!state.operand && !state.elements) {
        return n_.Unsupported() << "what a turn hands to the next has to be a tensor, where the "
                                   "number of turns shows when it runs (--like DIR says how many)";
      }
    }
    Operands first = {NodeCall::Shape({n_.ir().Int(0)})};
    std::vector<BlockBuilder::Param> params = {{"turn", n_.ir().Shape({turn_})}};
    std::vector<ir::StructInfoRef> results;
    const auto take = [&](const std::string& name, const Operand& value, bool is_result) {
      params.push_back({name, b.InfoOf(value)});
      if (is_result) results.push_back(params.back().info);
      first.push_back(value);
    };
    if (loop_.go) take("go", *loop_.go, false);
    if (CountsTurns()) results.push_back(n_.ir().Tensor(Dims(), DType::Int(64)));
    for (size_t k = 0; k < loop_.states.size(); ++k) {
      take(absl::StrCat("state_", k), Copied(Materialize(n_.import(), loop_.states[k])), true);
    }
    for (size_t k = 0; k < loop_.collected.size(); ++k) {
      take(absl::StrCat("all_", k), Room(loop_.collected[k]), true);
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
  // Where the turns that there were are fewer than the elements that there is room for.
  bool CountsTurns() const { return loop_.go.has_value() && !loop_.collected.empty(); }

  // `x` in memory of its own, which may be written into.
  Operand Copied(const Operand& x) {
    return n_.Kernel("copy", {x}, [&](Te& te) {
      return te.Compute("out", te.Input(0)->shape, n_.TypeOf(x),
                        [&](const Indices& at) { return te.At(te.Input(0), at); });
    });
  }

  // Memory for what is collected: each turn writes its own.
  Operand Room(const Collected& c) {
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
      absl::StatusOr<Operand> turned = NextTurn(in, self);
      if (!turned.ok()) status_ = turned.status();
      return turned.ok() ? *turned : Last(in);
    };
    const auto last = [&] { return Last(in); };
    BlockBuilder& b = n_.builder();
    if (loop_.most == nullptr) return b.If(in[1], next, last);
    const Operand more = ScalarOf(n_, n_.math().Lt(turn_, loop_.most));
    if (!loop_.go) return b.If(more, next, last);
    return b.If(
        more, [&] { return b.If(in[1], next, last); }, last);
  }

  Operand Last(const Operands& in) {
    Operands results(in.begin() + static_cast<std::ptrdiff_t>(FirstState()), in.end());
    if (CountsTurns()) results.insert(results.begin(), ScalarOf(n_, turn_));
    return BlockBuilder::Tuple(std::move(results));
  }

  absl::StatusOr<Operand> NextTurn(const Operands& in, const Operand& self) {
    std::vector<Term> states;
    for (size_t k = 0; k < loop_.states.size(); ++k) {
      states.emplace_back(in[k + FirstState()]);
      states.back().format = loop_.states[k].format;
    }
    const Operand go = loop_.go ? in[1] : n_.builder().Constant(DType::Bool(), {}, {1});
    LATHE_ASSIGN_OR_RETURN(Turn turn, loop_.body(turn_, go, states));
    Operands next = {NodeCall::Shape({n_.math().Add(turn_, n_.math().Int(1))})};
    if (loop_.go) next.push_back(turn.go ? *turn.go : go);
    // All are computed before any takes the place of what they are computed from.
    Operands after;
    for (size_t k = 0; k < states.size(); ++k) {
      LATHE_ASSIGN_OR_RETURN(
          Operand state, Alike(turn.states[k], in[k + FirstState()], "what it hands to the next"));
      after.push_back(loop_.makes_states ? std::move(state) : Copied(state));
    }
    Operands filled;
    for (size_t k = 0; k < loop_.collected.size(); ++k) {
      const Operand& all = in[k + FirstState() + states.size()];
      const Collected& c = loop_.collected[k];
      LATHE_ASSIGN_OR_RETURN(const Operand element,
                             Alike(turn.elements[k], c.dims, c.dtype, "an element"));
      PrimRef at = turn_;
      if (c.backwards) at = n_.math().Sub(n_.math().Sub(loop_.most, n_.math().Int(1)), turn_);
      filled.push_back(WithElement(n_, all, element, {c.axis, at, c.part, c.parts}));
    }
    for (size_t k = 0; k < after.size(); ++k) {
      next.push_back(StoredIn(n_, in[k + FirstState()], after[k]));
    }
    next.insert(next.end(), filled.begin(), filled.end());
    return n_.builder().Call(self, next, "turned");
  }

  absl::StatusOr<Operand> Alike(Term& term, const Operand& model, absl::string_view what) {
    return Alike(term, n_.DimsOf(model), n_.TypeOf(model), what);
  }

  // The tensor, whose dimensions are seen to be these when it runs where they are not known to be.
  absl::StatusOr<Operand> Alike(Term& term, const Dims& dims, DType dtype, absl::string_view what) {
    if (!term.operand && !term.elements) return n_.Unsupported() << what << " is no tensor";
    const Operand x = Materialize(n_.import(), term);
    const Dims own = n_.DimsOf(x);
    if (n_.TypeOf(x) != dtype || own.size() != dims.size()) {
      return n_.Error() << what << " changes its type from turn to turn";
    }
    bool same = true;
    for (size_t i = 0; i < dims.size(); ++i) {
      const auto apart = NodeCall::IntOf(n_.Simplify(n_.math().Sub(own[i], dims[i])));
      if (apart && *apart != 0) {
        return n_.Unsupported() << what << " changes its shape from turn to turn, where the number "
                                << "of turns shows when it runs";
      }
      same = same && apart.has_value();
    }
    return same ? x : n_.builder().MatchCast(x, n_.ir().Tensor(dims, dtype));
  }

  std::vector<Term> Results(const Operand& turned) {
    std::vector<Term> results;
    int field = 0;
    PrimRef count = nullptr;
    if (CountsTurns()) count = SizeOf(n_, n_.Field(turned, field++));
    for (const Term& state : loop_.states) {
      results.emplace_back(n_.Field(turned, field++));
      results.back().format = state.format;
    }
    for (const Collected& c : loop_.collected) {
      const Operand all = n_.Field(turned, field++);
      results.emplace_back(count != nullptr ? Rows(n_, all, count, c.backwards) : all);
    }
    return results;
  }

  NodeCall& n_;
  RunTimeLoop loop_;
  const PrimRef turn_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::vector<Term>> TurnAtRunTime(NodeCall& n, RunTimeLoop loop) {
  if (n.import().folding) return n.Unsupported() << "a loop where numbers are computed";
  return LoopWriter(n, std::move(loop)).Write();
}

absl::StatusOr<Collected> CollectedOf(NodeCall& n, const ValueInfo& output) {
  const auto dims = DimsOf(n.import(), output.type);
  const auto dtype = DTypeOf(output.type.element_type);
  if (dims && dtype) return Collected{*dims, *dtype};
  return n.Unsupported() << "'" << output.name << "' of each turn, whose shape the body does not "
                         << "declare, where the number of turns shows when it runs, or is 0";
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
