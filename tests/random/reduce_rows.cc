// Rows of operators along axes: reductions, scans, sorts, and data-dependent results.
#include <algorithm>

#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

AttrMap SomeAxes(Sketch& s, int ndim) {
  AttrMap attrs = {{"keepdims", AttrValue(s.dice.Percent(40))}};
  if (ndim == 0 || s.dice.Percent(25)) return attrs;
  std::vector<int64_t> axes = {s.dice.Between(0, ndim - 1)};
  if (ndim > 1 && s.dice.Percent(35)) axes.push_back((axes[0] + 1) % ndim);
  if (s.dice.Percent(30)) axes[0] -= ndim;
  attrs["axis"] = Ints(axes);
  return attrs;
}

void Reduce(Sketch& s, const std::string& op, Kind kind) {
  Tensor x = s.Any(kind);
  s.Op(op, {x.value}, SomeAxes(s, x.ndim()));
}
void ReduceNumbers(Sketch& s, const std::string& op) { Reduce(s, op, Kind::kNumber); }
void ReduceFloats(Sketch& s, const std::string& op) { Reduce(s, op, Kind::kFloat); }

void Median(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1);
  AttrMap attrs = SomeAxes(s, x.ndim());
  const auto axes = attrs.find("axis");
  if (axes != attrs.end()) attrs["axis"] = Ints({s.dice.Between(-x.ndim(), x.ndim() - 1)});
  s.Op(op, {x.value}, attrs);
}

void ArgReduce(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1);
  AttrMap attrs = {{"keepdims", AttrValue(s.dice.Percent(40))}};
  if (s.dice.Percent(75)) attrs["axis"] = AttrValue(s.dice.Between(-x.ndim(), x.ndim() - 1));
  s.Op(op, {x.value}, attrs);
}

void Cumulative(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1, 3);
  AttrMap attrs = {{"exclusive", AttrValue(s.dice.Percent(30))}};
  if (s.dice.Percent(75)) attrs["axis"] = AttrValue(s.dice.Between(-x.ndim(), x.ndim() - 1));
  if (s.dice.Percent(20)) attrs["dtype"] = AttrValue(s.SomeDType(Kind::kNumber));
  s.Op(op, {x.value}, attrs);
}

void Sort(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1, 3);
  s.Op(op, {x.value},
       {{"axis", AttrValue(s.dice.Between(-x.ndim(), x.ndim() - 1))},
        {"descending", AttrValue(s.dice.Percent(50))}});
}

void Topk(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1, 3);
  const int64_t axis = s.dice.Between(0, x.ndim() - 1);
  const int64_t size = s.SizeOf(x.dims[axis]);
  const std::string kept = s.dice.Of({"both", "values", "indices"});
  const Operand all = s.Op(op, {x.value},
                           {{"k", AttrValue(s.dice.Between(size > 0 ? 1 : 0, size))},
                            {"axis", AttrValue(axis)},
                            {"ret_type", AttrValue(kept)},
                            {"largest", AttrValue(s.dice.Percent(50))}});
  if (kept == "both") s.Keep(s.builder.Field(all, static_cast<int>(s.dice.Below(2))));
}

void Softmax(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kFloat, 1);
  s.Op(op, {x.value}, {{"axis", AttrValue(s.dice.Between(-x.ndim(), x.ndim() - 1))}});
}

void Bucketize(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber);
  s.Op(op, {x.value, s.Constant(x.dtype, {3}, {0, 1, 2})},
       {{"out_int32", AttrValue(s.dice.Percent(50))}, {"right", AttrValue(s.dice.Percent(50))}});
}

// What comes out is as large as the data says: its shape is learnt by a cast.
void Learn(Sketch& s, const Operand& value, int ndim, DType dtype) {
  s.Note("match_cast: rank only");
  s.Keep(s.builder.MatchCast(value, s.context.Tensor(ndim, dtype)));
}

void Nonzero(Sketch& s, const std::string& op) {
  Learn(s, s.Op(op, {s.Any(Kind::kAny, 1).value}), 2, DType::Int(64));
}

void Unique(Sketch& s, const std::string& op) {
  Tensor x = s.Any(Kind::kNumber, 1);
  const auto flag = [&](bool value) { return Operand{ir::PrimValue{s.context.Bool(value)}}; };
  const bool counts = s.dice.Percent(40);
  const Operand all = s.Op(op, {x.value, flag(true), flag(false), flag(false), flag(counts)});
  if (!counts) Learn(s, all, 1, x.dtype);
}

constexpr OpRow kReduceRows[] = {
    {"relax.argmax", ArgReduce},
    {"relax.argmin", ArgReduce},
    {"relax.argsort", Sort},
    {"relax.bucketize", Bucketize},
    {"relax.cumprod", Cumulative},
    {"relax.cumsum", Cumulative},
    {"relax.max", ReduceNumbers, true},
    {"relax.mean", ReduceFloats, true},
    {"relax.median", Median},
    {"relax.min", ReduceNumbers, true},
    {"relax.nn.log_softmax", Softmax},
    {"relax.nn.softmax", Softmax},
    {"relax.nonzero", Nonzero},
    {"relax.prod", ReduceNumbers},
    {"relax.sort", Sort},
    {"relax.std", ReduceFloats},
    {"relax.sum", ReduceNumbers},
    {"relax.topk", Topk},
    {"relax.unique", Unique},
    {"relax.variance", ReduceFloats},
};

}  // namespace

absl::Span<const OpRow> ReduceRows() { return kReduceRows; }

}  // namespace lathe::random
