#include "generator/reader/onnx/list_unsupported.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/import_function.h"
#include "generator/reader/onnx/op_rows.h"
#include "generator/support/closest_name.h"

namespace lathe::onnx {
namespace {

// Maximum number of nodes to list per operator.
constexpr size_t kShownOfKind = 5;

struct Missing {
  const Node* first = nullptr;
  size_t count = 0;
  std::string names;
};

class UnsupportedSearch {
 public:
  explicit UnsupportedSearch(const Model& model) : model_(model) {}

  // Searches the functions that `nodes` call too.
  void In(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      const Function* function = FindFunction(model_, node);
      if (function != nullptr) {
        if (called_.insert(function).second) open_.push_back(function);
      } else if (FindOpRow(node.domain, node.op) == nullptr) {
        Missing& m = missing_[{node.domain, node.op}];
        if (m.first == nullptr) m.first = &node;
        if (++m.count <= kShownOfKind) {
          absl::StrAppend(&m.names, m.count == 1 ? "" : ", ", "#", node.index,
                          node.name.empty() ? "" : absl::StrCat(" '", node.name, "'"));
        }
      }
      for (const Attribute& a : node.attributes) {
        if (a.graph != nullptr) In(a.graph->nodes);
      }
    }
  }
  void InCalled() {
    while (!open_.empty()) {
      const Function* function = open_.back();
      open_.pop_back();
      In(function->nodes);
    }
  }
  const std::map<std::pair<std::string, std::string>, Missing>& missing() const { return missing_; }

 private:
  const Model& model_;
  absl::flat_hash_set<const Function*> called_;  // no order comes from it
  std::vector<const Function*> open_;
  std::map<std::pair<std::string, std::string>, Missing> missing_;
};

}  // namespace

absl::Status ListUnsupported(Import& import) {
  UnsupportedSearch search(import.model);
  search.In(import.model.graph.nodes);
  search.InCalled();
  // Suggests what to do about an operator without a similar name.
  const auto hint = [](const std::string& op) -> std::string {
    for (const OpRow& row : AllOpRows()) {
      const absl::string_view domain = *row.domain == '\0' ? "ai.onnx" : row.domain;
      if (row.name == op) return absl::StrCat("; '", domain, "' has an operator of that name");
    }
    return "; define it in the model as a function, or end the graph before it with --outputs";
  };
  absl::Status status;
  for (const auto& [key, m] : search.missing()) {
    const auto& [domain, op] = key;
    std::vector<absl::string_view> known;
    for (const OpRow& row : AllOpRows()) {
      if (row.domain == domain) known.push_back(row.name);
    }
    const std::string close = DidYouMean(op, known);
    status = import.diags.Unsupported(LocationOf(import, *m.first), "onnx-unsupported-operator")
             << "operator '" << op << "'"
             << (domain.empty() ? "" : absl::StrCat(" of '", domain, "'")) << " is not supported; "
             << m.count << (m.count == 1 ? " node has" : " nodes have") << " it: " << m.names
             << (m.count > kShownOfKind ? ", ..." : "") << (close.empty() ? hint(op) : close);
  }
  return status;
}

}  // namespace lathe::onnx
