#include "generator/reader/relay_text/infer/exhaustive.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::relay {
namespace {

constexpr int kMaxSteps = 100'000;

const Pattern kWildcard;

using Row = std::vector<const Pattern*>;
using Witness = std::vector<std::string>;

// Removes clauses column by column: for each constructor of the first column, the clauses that
// match it, with its fields as further columns.
class Coverage {
 public:
  explicit Coverage(TypedModule& module) : m_(module) {}

  std::optional<Witness> Unmatched(const std::vector<Row>& rows, std::vector<TypeRef> types) {
    if (++steps_ > kMaxSteps) return std::nullopt;
    if (types.empty()) return rows.empty() ? std::optional<Witness>(Witness()) : std::nullopt;
    const TypeRef head = m_.types.Resolve(types.front());
    const std::vector<TypeRef> rest(types.begin() + 1, types.end());
    const bool refutable = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
      return row[0]->kind == Pattern::Kind::kConstructor || row[0]->kind == Pattern::Kind::kTuple;
    });
    if (refutable && head->As<DataType>() != nullptr) return ByConstructor(rows, head, rest);
    if (refutable && head->As<TupleType>() != nullptr) {
      const std::vector<TypeRef>& fields = head->As<TupleType>()->fields;
      return ByFields(rows, nullptr, fields, rest);
    }
    std::vector<Row> others;
    for (const Row& row : rows) others.emplace_back(row.begin() + 1, row.end());
    std::optional<Witness> found = Unmatched(others, rest);
    if (found) found->insert(found->begin(), "_");
    return found;
  }

 private:
  std::optional<Witness> ByConstructor(const std::vector<Row>& rows, TypeRef type,
                                       const std::vector<TypeRef>& rest) {
    const auto& data_type = *type->As<DataType>();
    const Data& data = m_.data[data_type.data];
    TypeArgs args;
    for (size_t i = 0; i < data.type_params.size() && i < data_type.args.size(); ++i) {
      args[data.type_params[i]] = data_type.args[i];
    }
    for (const Constructor& c : data.constructors) {
      std::vector<TypeRef> fields;
      for (TypeRef field : c.fields) fields.push_back(m_.types.Substitute(field, args));
      if (auto found = ByFields(rows, &c, fields, rest)) return found;
    }
    return std::nullopt;
  }

  // `constructor` is null for tuples.
  std::optional<Witness> ByFields(const std::vector<Row>& rows, const Constructor* constructor,
                                  const std::vector<TypeRef>& fields,
                                  const std::vector<TypeRef>& rest) {
    std::vector<Row> matching;
    for (const Row& row : rows) {
      const Pattern& p = *row[0];
      Row next;
      if (p.kind == Pattern::Kind::kConstructor || p.kind == Pattern::Kind::kTuple) {
        if (constructor != nullptr && p.name != constructor->name) continue;
        for (const Pattern& field : p.fields) next.push_back(&field);
        next.resize(fields.size(), &kWildcard);
      } else {
        next.assign(fields.size(), &kWildcard);
      }
      next.insert(next.end(), row.begin() + 1, row.end());
      matching.push_back(std::move(next));
    }
    std::vector<TypeRef> types = fields;
    types.insert(types.end(), rest.begin(), rest.end());
    const std::optional<Witness> found = Unmatched(matching, std::move(types));
    if (!found) return std::nullopt;
    const auto split = found->begin() + static_cast<std::ptrdiff_t>(fields.size());
    std::string shown = absl::StrJoin(found->begin(), split, ", ");
    if (constructor == nullptr) {
      shown = absl::StrCat("(", shown, ")");
    } else {
      shown = fields.empty() ? constructor->name : absl::StrCat(constructor->name, "(", shown, ")");
    }
    Witness witness = {std::move(shown)};
    witness.insert(witness.end(), split, found->end());
    return witness;
  }

  TypedModule& m_;
  int steps_ = 0;
};

}  // namespace

std::optional<std::string> FindUnmatched(TypedModule& module, const MatchTree& match,
                                         TypeRef type) {
  std::vector<Row> rows;
  for (const Arm& arm : match.arms) rows.push_back({&arm.pattern});
  const std::optional<Witness> found = Coverage(module).Unmatched(rows, {type});
  if (!found) return std::nullopt;
  return found->front();
}

}  // namespace lathe::relay
