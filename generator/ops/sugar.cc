#include "generator/ops/sugar.h"

#include <string>
#include <utility>
#include <vector>

#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/ops/parse_schema.h"
#include "generator/support/check.h"

namespace lathe::ops {
namespace {

using ir::Call;
using ir::Operand;

Call MakeOpCall(ir::Context& context, absl::string_view name, std::vector<Operand> args,
                ir::AttrMap attrs = {}) {
  const ir::Op* op = FindOp(name);
  LATHE_CHECK(op != nullptr, "sugar expands to an operator that is not in the table");
  Call call{.callee = op, .attrs = std::move(attrs)};
  std::vector<std::optional<Operand>> given(std::make_move_iterator(args.begin()),
                                            std::make_move_iterator(args.end()));
  const absl::Status status = CompleteCall(context, *op, std::move(given), call);
  LATHE_CHECK(status.ok(), "sugar leaves out a required argument");
  return call;
}

Operand Bind(SugarContext& c, Call call, absl::string_view name) {
  return Operand{c.Emit(std::move(call), name)};
}

// True for the empty tuple, the default of optional arguments.
bool IsAbsent(const Operand& operand) {
  const auto* tuple = operand.As<ir::TupleExpr>();
  return tuple != nullptr && tuple->fields.empty();
}

// x @ weight.T (+ bias)
Call ExpandLinear(SugarContext& c, const Call& bound) {
  const Operand weight = Bind(c, MakeOpCall(c.ir(), "relax.permute_dims", {bound.args[1]}), "lv");
  Call product = MakeOpCall(c.ir(), "relax.matmul", {bound.args[0], weight}, bound.attrs);
  if (IsAbsent(bound.args[2])) return product;
  return MakeOpCall(c.ir(), "relax.add", {Bind(c, std::move(product), "lv"), bound.args[2]});
}

Call ExpandRelu6(SugarContext& c, const Call& bound) {
  const auto number = [&](int64_t value) { return Operand{ir::PrimValue{c.ir().Int(value)}}; };
  return MakeOpCall(c.ir(), "relax.clip", {bound.args[0], number(0), number(6)});
}

// where(mask, full_like(x, value), x): uses x's dtype, so that a number is valid for any element
// type.
Call ExpandMaskedFill(SugarContext& c, const Call& bound) {
  const Operand values =
      Bind(c, MakeOpCall(c.ir(), "relax.full_like", {bound.args[0], bound.args[2]}), "lv");
  return MakeOpCall(c.ir(), "relax.where", {bound.args[1], values, bound.args[0]});
}

Call ExpandAttention(SugarContext& c, const Call& bound) {
  std::vector<Operand> args = bound.args;
  const bool biased = !IsAbsent(args[3]);
  if (!biased) args.pop_back();
  return MakeOpCall(c.ir(), biased ? "relax.nn.attention_bias" : "relax.nn.attention",
                    std::move(args), bound.attrs);
}

// arange(n) is arange(0, n, 1); integers give int64, anything else float32.
Call ExpandArange(SugarContext& c, const Call& bound) {
  std::vector<Operand> args = bound.args;
  if (IsAbsent(args[1])) {
    args[1] = args[0];
    args[0] = Operand{ir::PrimValue{c.ir().Int(0)}};
  }
  ir::AttrMap attrs = bound.attrs;
  if (attrs["dtype"].is_none()) {
    bool integers = true;
    for (const Operand& arg : args) {
      const auto* prim = arg.As<ir::PrimValue>();
      integers &= prim != nullptr && prim->value->dtype().is_int();
    }
    attrs["dtype"] = integers ? ir::DType::Int(64) : ir::DType::Float(32);
  }
  return MakeOpCall(c.ir(), "relax.arange", std::move(args), std::move(attrs));
}

struct SugarRow {
  absl::string_view spelling;
  absl::string_view schema;
  Call (*expand)(SugarContext&, const Call&);
};
constexpr SugarRow kSugarRows[] = {
    {"arange", "start: prim, end: prim = (), step: prim = 1; dtype: dtype?", ExpandArange},
    {"linear", "data, weight, bias = (); out_dtype: dtype?", ExpandLinear},
    {"masked_fill", "x, mask, value: const", ExpandMaskedFill},
    {"nn.attention",
     "query, key, value, bias = (); scale: float?, causal_mask: str?, window_size: int?",
     ExpandAttention},
    {"nn.relu6", "data", ExpandRelu6},
};

std::vector<Sugar> BuildSugarTable() {
  std::vector<Sugar> table;
  for (const SugarRow& row : kSugarRows) {
    absl::StatusOr<Schema> schema = ParseSchema(row.schema);
    LATHE_CHECK(schema.ok(), "a schema of sugar cannot be read");
    Sugar sugar{.spelling = row.spelling, .expand = row.expand};
    sugar.signature.name = std::string(row.spelling);
    sugar.signature.params = std::move(schema->params);
    table.push_back(std::move(sugar));
  }
  return table;
}

}  // namespace

absl::Span<const Sugar> AllSugar() {
  static const std::vector<Sugar>& table = *new std::vector<Sugar>(BuildSugarTable());
  return table;
}

const Sugar* FindSugar(absl::string_view spelling) {
  for (const Sugar& sugar : AllSugar()) {
    if (sugar.spelling == spelling) return &sugar;
  }
  return nullptr;
}

}  // namespace lathe::ops
