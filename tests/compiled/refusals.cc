#include "tests/compiled/refusals.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "absl/strings/match.h"

namespace lathe::compiled {
namespace {

// Without what is supported, and without names of the program's own.
std::string ReasonOf(absl::string_view message) {
  std::string reason;
  message = message.substr(0, message.find("; supported: "));
  for (size_t i = 0; i < message.size(); ++i) {
    reason += message[i];
    const size_t end = message[i] == '\'' ? message.find('\'', i + 1) : message.npos;
    if (end == message.npos || absl::StartsWith(message.substr(i + 1), "relax.")) continue;
    reason += "...'";
    i = end;
  }
  return reason;
}

}  // namespace

void Refusals::Add(absl::string_view message, const std::string& where) {
  Alike& alike = reasons_[ReasonOf(message)];
  if (alike.count++ == 0) alike.first = where;
  ++count_;
}

void Refusals::Print(absl::string_view verb) const {
  std::vector<std::pair<int64_t, std::string>> order;
  for (const auto& [why, alike] : reasons_) order.emplace_back(-alike.count, why);
  std::sort(order.begin(), order.end());
  for (const auto& [count, why] : order) {
    std::printf("%8lld %s: %s (%s)\n", static_cast<long long>(-count), std::string(verb).c_str(),
                why.c_str(), reasons_.at(why).first.c_str());
  }
}

}  // namespace lathe::compiled
