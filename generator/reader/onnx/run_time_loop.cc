#include "generator/reader/onnx/run_time_loop.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/check_declared.h"
#include "generator/reader/onnx/tensor_data.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

using transform::BlockBuilder;

// `all` with `element` as row `turn`, or as that from the end.
Operand Put(NodeCall& n, const Operand& all, const Operand& turn, const Operand& element,
            bool backwards) {
  return n.Kernel("put", {all, turn, element}, [&](Te& te) {
    ScalarMath& m = te.math();
    const Dims dims = te.Input(0)->shape;
    return te.Compute("out", dims, n.TypeOf(all), [&](const Indices& at) {
      PrimRef row = te.At(te.Input(1), {});
      if (backwards) row = m.Sub(m.Sub(dims[0], m.Int(1)), row);
      const PrimRef own = te.At(te.Input(2), {at.begin() + 1, at.end()});
      return m.Select(m.Eq(at[0], row), own, te.At(te.Input(0), at));
    });
  });
}

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

class Writer {
 public:
  Writer(NodeCall& n, RunTimeLoop loop) : n_(n), loop_(std::move(loop)) {}

  absl::StatusOr<std::vector<Term>> Write() {
    BlockBuilder& b = n_.builder();
    Operands first = {n_.IntsTensor({0}),
                      loop_.go ? *loop_.go : b.Constant(DType::Bool(), {}, {1})};
    first[0] = n_.Reshape(first[0], {});
    for (Term& state : loop_.states) {
      if (!state.operand && !state.elements) {
        return n_.Unsupported() << "what a turn hands to the next has to be a tensor, where the "
                                   "number of turns shows when it runs (--like DIR says how many)";
      }
      first.push_back(Materialize(n_.import(), state));
    }
    for (const Collected& c : loop_.collected) {
      Dims dims = c.dims;
      dims.insert(dims.begin(), loop_.most);
      first.push_back(n_.Op("relax.zeros", {NodeCall::Shape(dims)}, {{"dtype", c.dtype}}));
    }
    std::vector<BlockBuilder::Param> params;
    std::vector<ir::StructInfoRef> infos;
    for (size_t i = 0; i < first.size(); ++i) {
      infos.push_back(b.InfoOf(first[i]));
      params.push_back({i == 0 ? "turn" : i == 1 ? "go" : absl::StrCat("state_", i - 2), infos[i]});
    }
    infos.erase(infos.begin() + 1);
    BlockBuilder::FunctionOptions options;
    options.exported = false;
    options.ret = n_.ir().Tuple(std::move(infos));
    const Operand self = b.LocalFunction(
        "loop", params, [&](const Operands& in, const Operand& own) { return Body(in, own); },
        options);
    LATHE_RETURN_IF_ERROR(status_);
    return Results(b.Call(self, first, "turned"));
  }

 private:
  Operand Body(const Operands& in, const Operand& self) {
    Operand goes = in[1];
    if (loop_.trips) {
      const Operand more = n_.Op("relax.less", {in[0], *loop_.trips});
      goes = n_.Op("relax.logical_and", {goes, more});
    }
    return n_.builder().If(
        goes,
        [&] {
          absl::StatusOr<Operand> next = NextTurn(in, self);
          if (!next.ok()) status_ = next.status();
          return next.ok() ? *next : Last(in);
        },
        [&] { return Last(in); });
  }

  static Operand Last(const Operands& in) {
    Operands results = in;
    results.erase(results.begin() + 1);
    return BlockBuilder::Tuple(std::move(results));
  }

  absl::StatusOr<Operand> NextTurn(const Operands& in, const Operand& self) {
    std::vector<Term> states;
    for (size_t k = 0; k < loop_.states.size(); ++k) {
      states.emplace_back(in[k + 2]);
      states.back().format = loop_.states[k].format;
    }
    LATHE_ASSIGN_OR_RETURN(Turn turn, loop_.body(in[0], in[1], states));
    Operands next = {n_.Op("relax.add", {in[0], n_.Reshape(n_.IntsTensor({1}), {})}),
                     turn.go ? *turn.go : in[1]};
    for (size_t k = 0; k < states.size(); ++k) {
      LATHE_ASSIGN_OR_RETURN(Operand state,
                             Alike(turn.states[k], in[k + 2], "what it hands to the next"));
      next.push_back(std::move(state));
    }
    for (size_t k = 0; k < loop_.collected.size(); ++k) {
      const Operand& all = in[k + 2 + states.size()];
      const Collected& c = loop_.collected[k];
      LATHE_ASSIGN_OR_RETURN(const Operand element,
                             Alike(turn.elements[k], c.dims, c.dtype, "an element"));
      next.push_back(Put(n_, all, in[0], element, c.backwards));
    }
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
    int field = 1;
    for (const Term& state : loop_.states) {
      results.emplace_back(n_.Field(turned, field++));
      results.back().format = state.format;
    }
    PrimRef count = nullptr;
    for (const Collected& c : loop_.collected) {
      const Operand all = n_.Field(turned, field++);
      if (loop_.may_end && count == nullptr) count = SizeOf(n_, n_.Field(turned, 0));
      results.emplace_back(loop_.may_end ? Rows(n_, all, count, c.backwards) : all);
    }
    return results;
  }

  NodeCall& n_;
  RunTimeLoop loop_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::vector<Term>> TurnAtRunTime(NodeCall& n, RunTimeLoop loop) {
  if (n.import().folding) return n.Unsupported() << "a loop where numbers are computed";
  return Writer(n, std::move(loop)).Write();
}

absl::StatusOr<Collected> CollectedOf(NodeCall& n, const ValueInfo& output) {
  const auto dims = DimsOf(n.import(), output.type);
  const auto dtype = DTypeOf(output.type.element_type);
  if (dims && dtype) return Collected{*dims, *dtype};
  return n.Unsupported() << "'" << output.name << "' of each turn, whose shape the body does not "
                         << "declare, where the number of turns shows when it runs, or is 0";
}

PrimRef SizeOf(NodeCall& n, const Operand& scalar, absl::string_view name) {
  const PrimRef size = n.builder().ShapeVar(name);
  const Operand shape = n.Op("relax.tensor_to_shape", {n.Reshape(scalar, {n.ir().Int(1)})});
  n.builder().MatchCast(shape, n.ir().Shape({size}));
  return size;
}

}  // namespace lathe::onnx
