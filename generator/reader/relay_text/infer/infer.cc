#include "generator/reader/relay_text/infer/infer.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/infer/exhaustive.h"
#include "generator/reader/relay_text/infer/inference.h"
#include "generator/reader/relay_text/syntax/each_expr.h"
#include "generator/reader/relay_text/syntax/limits.h"

namespace lathe::relay {

void Inference::DeclareSignatures() {
  const int errors_before = diags_.error_count();
  for (size_t i = 0; i < m_.tree.definitions.size(); ++i) {
    const Definition& d = m_.tree.definitions[i];
    const auto [it, inserted] = m_.definitions.try_emplace(d.name.text, static_cast<int>(i));
    if (!inserted) {
      const Definition& first = m_.tree.definitions[static_cast<size_t>(it->second)];
      Error(d.name.loc, "relay-duplicate").Note(first.name.loc, "first defined here")
          << "function @" << d.name.text << " is defined twice";
    }
    Declare(*d.function);
  }
  signatures_failed_ = diags_.error_count() > errors_before;
}

// Callees come before callers, so that a result without annotation is known at its calls.
std::vector<int> Inference::CalleesFirst() {
  const size_t count = m_.tree.definitions.size();
  std::vector<std::vector<int>> callees(count);
  for (size_t i = 0; i < count; ++i) {
    ForEachExpr(m_.tree, m_.tree.definitions[i].function->body, [&](ExprId id) {
      const auto* global = At(id).As<GlobalRef>();
      if (global == nullptr) return;
      const auto found = m_.definitions.find(global->name);
      if (found != m_.definitions.end()) callees[i].push_back(found->second);
    });
  }
  std::vector<int> order;
  std::vector<bool> entered(count, false);
  struct Visit {
    int definition;
    size_t next = 0;
  };
  for (size_t root = 0; root < count; ++root) {
    if (entered[root]) continue;
    std::vector<Visit> stack = {{static_cast<int>(root)}};
    entered[root] = true;
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto& out = callees[static_cast<size_t>(top.definition)];
      if (top.next == out.size()) {
        order.push_back(top.definition);
        stack.pop_back();
        continue;
      }
      const int callee = out[top.next++];
      if (entered[static_cast<size_t>(callee)]) continue;
      entered[static_cast<size_t>(callee)] = true;
      stack.push_back({callee});
    }
  }
  return order;
}

// Repeats while something could be decided; each round decides what the last one made known.
void Inference::SolvePending() {
  bool progress = true;
  while (progress && !pending_.empty()) {
    progress = false;
    std::vector<Pending> left;
    for (Pending& p : std::exchange(pending_, {})) {
      if (p.solve()) {
        progress = true;
      } else {
        left.push_back(std::move(p));
      }
    }
    pending_.insert(pending_.begin(), std::make_move_iterator(left.begin()),
                    std::make_move_iterator(left.end()));
  }
}

void Inference::ReportPending() {
  for (const Pending& p : pending_) {
    Error(p.loc, "relay-cannot-infer")
        << "cannot infer the type of " << p.what << "; annotate the parameters of the function";
  }
  pending_.clear();
}

void Inference::CheckMatches() {
  for (const ExprId id : std::exchange(matches_, {})) {
    const auto& match = *At(id).As<MatchTree>();
    if (!match.complete) continue;
    const auto missing = FindUnmatched(m_, match, m_.expr_types[match.value]);
    if (!missing) continue;
    Error(At(id).loc, "relay-not-exhaustive")
        << "the match does not cover " << *missing
        << "; add a clause, or write 'match?' to end the run for such a value";
  }
}

// Parameters and results without a type are reported unless another error may be the cause.
void Inference::CheckHoles(const Definition& definition, int errors_before) {
  if (signatures_failed_ || diags_.error_count() > errors_before) return;
  const FuncType& type = *m_.signatures[definition.function.get()].type->As<FuncType>();
  for (const VarId param : definition.function->params) {
    if (!types_.HasHoles(m_.var_types[param])) continue;
    const Var& var = m_.tree.vars[param];
    Error(var.loc, "relay-cannot-infer")
        << "cannot infer the type of parameter %" << var.name << "; annotate it";
  }
  if (types_.HasHoles(type.ret) && diags_.error_count() == errors_before) {
    Error(definition.name.loc, "relay-cannot-infer")
        << "cannot infer the result of @" << definition.name.text << ", which has type "
        << types_.ToString(type.ret) << "; annotate it";
  }
}

void Inference::InferDefinition(const Definition& definition) {
  const int errors_before = diags_.error_count();
  InferBody(*definition.function);
  SolvePending();
  if (diags_.error_count() > errors_before) pending_.clear();
  ReportPending();
  if (diags_.error_count() == errors_before) CheckMatches();
  matches_.clear();
  CheckHoles(definition, errors_before);
}

void Inference::Run() {
  m_.expr_types = IdVector<ExprId, TypeRef>(m_.tree.exprs.size(), nullptr);
  m_.var_types = IdVector<VarId, TypeRef>(m_.tree.vars.size(), nullptr);
  DeclareDataTypes();
  DeclareSignatures();
  for (const int i : CalleesFirst()) {
    if (diags_.error_count() >= kMaxErrors) return;
    InferDefinition(m_.tree.definitions[static_cast<size_t>(i)]);
  }
}

void InferTypes(ir::Context& context, TypedModule& module, Diagnostics& diags) {
  Inference(context, module, diags).Run();
}

}  // namespace lathe::relay
