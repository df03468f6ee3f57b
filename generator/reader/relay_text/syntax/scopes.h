// Resolves the names of local variables while text is parsed, innermost binding first.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_SCOPES_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_SCOPES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relay_text/syntax/tree.h"

namespace lathe::relay {

class Scopes {
 public:
  // Opens a scope for the lifetime of this object.
  class Open {
   public:
    explicit Open(Scopes& scopes) : scopes_(scopes), size_(scopes.bound_.size()) {}
    ~Open() { scopes_.CloseTo(size_); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    Scopes& scopes_;
    const size_t size_;
  };

  void Bind(const std::string& name, VarId var) {
    vars_[name].push_back(var);
    bound_.push_back(name);
  }
  std::optional<VarId> Find(absl::string_view name) const {
    const auto found = vars_.find(name);
    if (found == vars_.end() || found->second.empty()) return std::nullopt;
    return found->second.back();
  }

 private:
  void CloseTo(size_t size) {
    while (bound_.size() > size) {
      vars_[bound_.back()].pop_back();
      bound_.pop_back();
    }
  }

  absl::flat_hash_map<std::string, std::vector<VarId>> vars_;
  std::vector<std::string> bound_;  // in order
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_SCOPES_H_
