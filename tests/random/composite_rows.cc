// Rows of operators that decompose_composites expands. The expansion rounds differently, so
// arguments are bounded and results compared with a tolerance.
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

// Numbers of 0 to 1.
Operand Bounded(Sketch& s, DType dtype, const Dims& dims) {
  return s.Op("relax.sigmoid", {s.Like(dtype, dims)});
}

DType SomeFloat(Sketch& s) {
  return s.dice.Of({DType::Float(32), DType::Float(32), DType::Float(16), DType::Float(64)});
}

void Soft(Sketch& s, const std::string& op, Operands args, AttrMap attrs, bool several = false) {
  s.Touch(true);
  const Operand result = s.Op(op, std::move(args), std::move(attrs));
  if (several) s.Keep(s.builder.Field(result, 0));
}

// Where all values are equal what is divided by the root of their variance is rounding alone: with
// the usual 1e-5 that would be compared, 300 times as large.
constexpr double kEpsilon = 0.01;

void BatchNorm(Sketch& s, const std::string& op) {
  const DType dtype = SomeFloat(s);
  const Dims dims = s.SomeDims(static_cast<int>(s.dice.Between(2, 4)));
  const int64_t axis = s.dice.Between(0, static_cast<int64_t>(dims.size()) - 1);
  Operands args = {Bounded(s, dtype, dims)};
  for (int i = 0; i < 4; ++i) args.push_back(Bounded(s, dtype, {dims[axis]}));
  Soft(s, op, args,
       {{"axis", AttrValue(axis)},
        {"epsilon", AttrValue(kEpsilon)},
        {"center", AttrValue(s.dice.Percent(70))},
        {"scale", AttrValue(s.dice.Percent(70))},
        {"training", AttrValue(s.dice.Percent(50))}},
       true);
}

void LayerNorm(Sketch& s, const std::string& op) {
  const DType dtype = SomeFloat(s);
  const Dims dims = s.SomeDims(static_cast<int>(s.dice.Between(1, 3)));
  std::vector<int64_t> axes = {-1};
  Dims weight = {dims.back()};
  if (dims.size() > 1 && s.dice.Percent(40)) {
    axes = {-2, -1};
    weight.insert(weight.begin(), dims[dims.size() - 2]);
  }
  Operands args = {Bounded(s, dtype, dims), Bounded(s, dtype, weight)};
  AttrMap attrs = {{"axes", Ints(axes)}, {"epsilon", AttrValue(kEpsilon)}};
  if (op == "relax.nn.layer_norm") {
    args.push_back(Bounded(s, dtype, weight));
    attrs["center"] = AttrValue(s.dice.Percent(70));
    attrs["scale"] = AttrValue(s.dice.Percent(70));
  }
  Soft(s, op, args, attrs);
}

void GroupNorm(Sketch& s, const std::string& op) {
  const DType dtype = SomeFloat(s);
  const PrimRef channels = s.Int(2 * s.Size(1, 2));
  const Dims dims = {s.Dim(), channels, s.Dim(), s.Dim()};
  Operands args = {Bounded(s, dtype, dims), Bounded(s, dtype, {channels}),
                   Bounded(s, dtype, {channels})};
  AttrMap attrs = {
      {"channel_axis", AttrValue(1)}, {"axes", Ints({2, 3})}, {"epsilon", AttrValue(kEpsilon)}};
  if (op == "relax.nn.group_norm") attrs["num_groups"] = AttrValue(s.dice.Of({1, 2}));
  Soft(s, op, args, attrs);
}

void Attention(Sketch& s, const std::string& op) {
  const DType dtype = s.dice.Of({DType::Float(32), DType::Float(16)});
  const PrimRef batch = s.Dim(), queries = s.Dim(), keys = s.Dim(), heads = s.Int(s.Size(2, 2)),
                size = s.Dim();
  Operands args = {Bounded(s, dtype, {batch, queries, heads, size}),
                   Bounded(s, dtype, {batch, keys, heads, size}),
                   Bounded(s, dtype, {batch, keys, heads, s.Dim()})};
  AttrMap attrs;
  if (op == "relax.nn.attention_bias") {
    args.push_back(Bounded(s, dtype, {batch, heads, queries, keys}));
  }
  if (s.dice.Percent(30)) attrs["scale"] = AttrValue(0.5);
  if (s.dice.Percent(40)) attrs["causal_mask"] = AttrValue(s.dice.Of({"TopLeft", "BottomRight"}));
  Soft(s, op, args, attrs);
}

void AttentionVarLen(Sketch& s, const std::string& op) {
  const DType dtype = DType::Float(32);
  const PrimRef size = s.Dim(), heads = s.Int(1), one = s.Int(1), tokens = s.Int(4);
  const Operand starts = s.Constant(DType::Int(32), {3}, {0, 1, 4});
  const Operand longest = s.Constant(DType::Int(32), {}, {3});
  Soft(
      s, op,
      {Bounded(s, dtype, {one, tokens, heads, size}), Bounded(s, dtype, {one, tokens, heads, size}),
       Bounded(s, dtype, {one, tokens, heads, size}), starts, starts, longest, longest},
      {});
}

constexpr OpRow kCompositeRows[] = {
    {"relax.nn.attention", Attention, true},
    {"relax.nn.attention_bias", Attention, true},
    {"relax.nn.attention_var_len", AttentionVarLen, true},
    {"relax.nn.batch_norm", BatchNorm, true},
    {"relax.nn.group_norm", GroupNorm, true},
    {"relax.nn.instance_norm", GroupNorm, true},
    {"relax.nn.layer_norm", LayerNorm, true},
    {"relax.nn.rms_norm", LayerNorm, true},
};

}  // namespace

absl::Span<const OpRow> CompositeRows() { return kCompositeRows; }

}  // namespace lathe::random
