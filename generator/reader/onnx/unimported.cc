#include "generator/reader/onnx/unimported.h"

#include <map>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace lathe::onnx {
namespace {

// Maximum number of nodes to list per message.
constexpr size_t kShownNodes = 5;

std::string Named(const ModelNode& node) {
  return absl::StrCat("#", node.index, node.name.empty() ? "" : absl::StrCat(" '", node.name, "'"));
}

bool IsUnimported(const Scope& scope, const std::string& name) {
  if (name.empty()) return false;
  const Term* term = scope.Find(name);
  return term != nullptr && term->unimported;
}

// Ignores that a name in the subgraph may hide one outside: this skips too many nodes at worst.
bool Uses(const Scope& scope, const Graph& graph) {
  const auto used = [&](const ValueInfo& output) { return IsUnimported(scope, output.name); };
  return absl::c_any_of(graph.outputs, used) || absl::c_any_of(graph.nodes, [&](const Node& node) {
           return DependsOnUnimported(scope, node);
         });
}

// Removes numbers and quoted names, which differ between nodes, from a message.
std::string KindOf(absl::string_view message) {
  std::string kind;
  bool quoted = false;
  for (const char c : message) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c < '0' || c > '9')) kind += c;
  }
  return kind;
}

struct Group {
  Diagnostic first;
  size_t others = 0;
  std::string names;  // the first of the others
};

}  // namespace

bool DependsOnUnimported(const Scope& scope, const Node& node) {
  const auto used = [&](const std::string& name) { return IsUnimported(scope, name); };
  if (absl::c_any_of(node.inputs, used)) return true;
  return absl::c_any_of(node.attributes, [&](const Attribute& a) {
    return a.graph != nullptr && Uses(scope, *a.graph);
  });
}

void LeaveUnimported(Import& import, Scope& scope, const Node& node) {
  import.has_unimported = true;
  for (const std::string& name : node.outputs) {
    if (name.empty()) continue;
    Term term;
    term.unimported = true;
    scope.terms.emplace(name, std::move(term));
  }
}

void GroupDiagnostics(const Import& import, const Diagnostics& found, Diagnostics& diags) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, size_t> index;
  for (const Diagnostic& d : found.all()) {
    const auto* node = std::get_if<std::shared_ptr<const ModelNode>>(&d.loc);
    const bool grouped = d.blame == Blame::kUnsupported && node != nullptr && *node != nullptr;
    if (grouped) {
      const auto [at, is_new] =
          index.emplace(std::tuple(d.code, (*node)->op, KindOf(d.message)), groups.size());
      if (!is_new) {
        Group& group = groups[at->second];
        if (++group.others <= kShownNodes) {
          absl::StrAppend(&group.names, group.names.empty() ? "" : ", ", Named(**node));
        }
        continue;
      }
    }
    groups.push_back({d, 0, ""});
  }
  for (Group& group : groups) {
    if (group.others == 0) continue;
    group.first.notes.push_back(
        {{},
         absl::StrCat("the same applies to ", group.others,
                      group.others == 1 ? " other node" : " others", ": ", group.names,
                      group.others > kShownNodes ? ", ..." : "")});
  }
  if (!groups.empty() && import.skipped_nodes > 0) {
    groups.back().first.notes.push_back(
        {{},
         absl::StrCat(import.skipped_nodes, import.skipped_nodes == 1 ? " node" : " nodes",
                      " that depend", import.skipped_nodes == 1 ? "s" : "", " on ",
                      groups.size() == 1 ? "it" : "these",
                      import.skipped_nodes == 1 ? " was" : " were", " skipped")});
  }
  for (Group& group : groups) diags.Add(std::move(group.first));
}

}  // namespace lathe::onnx
