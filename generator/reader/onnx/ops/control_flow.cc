// Imports If.
#include <algorithm>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/specialized_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Returns true if a branch returns an optional, which no value of a program represents.
bool GivesOptionals(const Graph& branch) {
  return std::any_of(branch.outputs.begin(), branch.outputs.end(), [](const ValueInfo& output) {
    return output.type.kind == TypeKind::kOptional;
  });
}

// Returns a tensor, or the items of a sequence as a tuple.
absl::StatusOr<Operand> ValueOf(NodeCall& n, Term& term) {
  if (term.operand || term.elements) return Materialize(n.import(), term);
  if (term.sequence == nullptr)
    return n.Unsupported() << "a branch whose result is not a tensor is not supported";
  Operands items;
  for (Term item : *term.sequence) {
    LATHE_ASSIGN_OR_RETURN(Operand value, ValueOf(n, item));
    items.push_back(std::move(value));
  }
  return transform::BlockBuilder::Tuple(std::move(items));
}

bool HaveEqualTypes(const Term& a, const Term& b) {
  if ((a.sequence == nullptr) != (b.sequence == nullptr) || a.format != b.format) return false;
  if (a.sequence == nullptr) return true;
  return std::equal(a.sequence->begin(), a.sequence->end(), b.sequence->begin(), b.sequence->end(),
                    HaveEqualTypes);
}

// Returns field `k` of a tuple as a term with the structure of `shape`.
Term FieldOf(NodeCall& n, const Operand& tuple, int k, const Term& shape) {
  const Operand field = n.Field(tuple, k);
  if (shape.sequence == nullptr) {
    Term term(field);
    term.format = shape.format;
    return term;
  }
  std::vector<Term> items;
  for (size_t i = 0; i < shape.sequence->size(); ++i) {
    items.push_back(FieldOf(n, field, static_cast<int>(i), (*shape.sequence)[i]));
  }
  return Term::OfSequence(std::move(items));
}

}  // namespace

absl::StatusOr<Results> ImportIf(NodeCall& n) {
  const Graph* then_graph = n.Subgraph("then_branch");
  const Graph* else_graph = n.Subgraph("else_branch");
  if (then_graph == nullptr || else_graph == nullptr)
    return n.Error() << "'then_branch' or 'else_branch' is missing";
  auto known = ConstantInt(n, n.term(0));
  if (!known && (GivesOptionals(*then_graph) || GivesOptionals(*else_graph))) {
    known = SpecializeInt(n, n.term(0));
  }
  if (known) {
    LATHE_ASSIGN_OR_RETURN(
        std::vector<Term> results,
        ImportSubgraph(n.import(), n.scope(), *known != 0 ? *then_graph : *else_graph, {}));
    return results;
  }
  if (n.import().folding)
    return n.Unsupported() << "a branch inside a constant-folded node is not supported";
  absl::Status status;
  std::vector<Term> shapes[2];  // types of the results of each branch; shape variables of a branch
                                // are not visible outside
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
    if (k >= shapes[1].size() || !HaveEqualTypes(shapes[0][k], shapes[1][k])) {
      return n.Unsupported()
             << "branches that return sequences of different lengths, or elements of different "
                "types, are not supported";
    }
    results.push_back(FieldOf(n, both, static_cast<int>(k), shapes[0][k]));
  }
  return results;
}

}  // namespace lathe::onnx
