#include "generator/reader/onnx/specialized_values.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Makes every tensor in `term` depend on the check of the specialized inputs. Returns false if
// there is none.
bool Hold(NodeCall& n, Term& term) {
  if (term.sequence != nullptr) {
    std::vector<Term> items = *term.sequence;
    bool held = false;
    for (Term& item : items) held |= Hold(n, item);
    term.sequence = std::make_shared<const std::vector<Term>>(std::move(items));
    return held;
  }
  if (!term.operand && !term.elements) return false;
  Operands said;
  for (const NodeCall::SpecializedInput& specialized_inputs : n.specialized_inputs())
    said.push_back(specialized_inputs.input);
  Term held(Checked(n, Materialize(n.import(), term), said, [&](Te& te) {
    ScalarMath& m = te.math();
    int input = 1;
    for (const NodeCall::SpecializedInput& specialized_inputs : n.specialized_inputs()) {
      ir::BufferRef buffer = te.Input(input++);
      const std::string wrong = absl::StrCat(n.op(), " was compiled for an input of ",
                                             absl::StrJoin(specialized_inputs.values, ", "));
      PrimRef count = m.Int(1);
      for (PrimRef dim : buffer->shape) count = m.Mul(count, dim);
      te.Need(m.Eq(count, m.Int(static_cast<int64_t>(specialized_inputs.values.size()))), wrong);
      for (size_t i = 0; i < specialized_inputs.values.size(); ++i) {
        const PrimRef place = m.Int(static_cast<int64_t>(i));
        const PrimRef value = te.At(buffer, m.Unflatten(place, buffer->shape));
        const int64_t wanted = specialized_inputs.values[i];
        const PrimRef same = value->dtype().is_bool()
                                 ? m.Eq(value, m.ir().Bool(wanted != 0))
                                 : m.Eq(value, m.ir().Int(wanted, value->dtype()));
        te.Need(same, wrong);
      }
    }
  }));
  held.format = term.format;
  term = std::move(held);
  return true;
}

}  // namespace

std::optional<std::vector<int64_t>> SpecializeInts(NodeCall& n, Term& term) {
  const std::optional<ir::Constant> constant = ConstantOf(n.import(), term);
  if (constant && (constant->dtype.is_integer() || constant->dtype.is_bool())) {
    std::vector<int64_t> values(interp::CountElements(constant->shape).value_or(0));
    for (size_t k = 0; k < values.size(); ++k) {
      values[k] = interp::ToInt64(constant->dtype,
                                  interp::ReadElement(constant->bytes->data(), constant->dtype, k));
    }
    return values;
  }
  if (term.specialized == nullptr || !term.operand) return std::nullopt;
  n.Take(*term.operand, *term.specialized);
  return *term.specialized;
}

std::optional<std::vector<int64_t>> SpecializeInts(NodeCall& n, int input) {
  if (!n.Has(input)) return std::nullopt;
  return SpecializeInts(n, n.term(input));
}

std::optional<int64_t> ConstantInt(NodeCall& n, const Term& term) {
  const auto constant = ConstantOf(n.import(), term);
  if (!constant || constant->bytes->empty() ||
      !(constant->dtype.is_integer() || constant->dtype.is_bool())) {
    return std::nullopt;
  }
  return interp::ToInt64(constant->dtype,
                         interp::ReadElement(constant->bytes->data(), constant->dtype, 0));
}

std::optional<int64_t> SpecializeInt(NodeCall& n, Term& term) {
  const auto values = SpecializeInts(n, term);
  return values && values->size() == 1 ? std::optional((*values)[0]) : std::nullopt;
}

absl::Status RequireSpecializedInputs(NodeCall& n, Results& results) {
  if (n.specialized_inputs().empty()) return absl::OkStatus();
  bool held = false;
  for (Term& term : results.terms) held |= Hold(n, term);
  if (held) return absl::OkStatus();
  return n.Unsupported() << "its results contain no tensor, so the values that the program is "
                            "specialized for cannot be checked at run time";
}

}  // namespace lathe::onnx
