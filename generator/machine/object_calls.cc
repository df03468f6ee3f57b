#include "generator/machine/object_calls.h"

#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "generator/machine/decode.h"

namespace lathe::machine {
namespace {

using Place = std::pair<int, uint64_t>;  // a section and an offset into it

class Finder {
 public:
  explicit Finder(const ElfFile& file) : file_(file) {
    for (const Symbol& symbol : file.symbols) {
      if (symbol.section < 0) continue;
      const uint64_t odd = file.cpu == Cpu::kArm ? symbol.value & 1 : 0;
      const Place place = {symbol.section, symbol.value - odd};
      if (symbol.kind == SymbolKind::kFunction) {
        names_.emplace_back(place, &symbol);
        functions_.emplace(place, &symbol);
      }
      if (file.cpu == Cpu::kArm && absl::StartsWith(symbol.name, "$") && symbol.name.size() > 1) {
        data_in_code_[place] = symbol.name[1] == 'd';
      }
    }
    for (const Relocation& r : file.relocations) {
      // Relocations without a symbol describe how another may be changed (RISC-V relaxation).
      if (r.symbol != 0) relocations_[{r.section, r.offset}] = &r;
    }
  }

  std::map<std::string, FunctionCalls> Run() {
    std::map<std::string, FunctionCalls> all;
    for (const auto& [place, symbol] : names_) {
      FunctionCalls& calls = all[symbol->name];
      calls.local = symbol->local;
      if (CanDecode(file_)) Read(place, *symbol, calls);
      const Symbol* other = functions_.at(place);
      if (other == symbol) continue;
      calls.same_as = other->name;
      all[other->name].same_as = symbol->name;
    }
    return all;
  }

 private:
  void Read(const Place& place, const Symbol& function, FunctionCalls& calls) {
    // In a relocatable object, code has addresses relative to its section.
    const Code code(file_.sections[static_cast<size_t>(place.first)]);
    const uint64_t end = place.second + function.size;
    for (uint64_t at = place.second; at < end;) {
      const auto data = data_in_code_.upper_bound({place.first, at});
      if (data != data_in_code_.begin() && std::prev(data)->first.first == place.first &&
          std::prev(data)->second) {
        const bool more = data != data_in_code_.end() && data->first.first == place.first;
        at = more ? data->first.second : end;
        continue;
      }
      const Instruction in = Decode(file_, code, at);
      if (in.size == 0) {
        calls.through_pointer = true;  // unknown instruction: may do anything
        return;
      }
      Note(in, {place.first, at}, function, calls);
      at += static_cast<uint64_t>(in.size);
    }
  }

  void Note(const Instruction& in, const Place& at, const Symbol& function, FunctionCalls& calls) {
    switch (in.flow) {
      case Flow::kIndirectCall:
      case Flow::kIndirectJump:
        calls.through_pointer = calls.through_pointer || !IsTableJump(at);
        return;
      case Flow::kCall:
      case Flow::kJump:
      case Flow::kBranch:
        break;
      default:
        return;
    }
    std::string callee;
    Place to = {at.first, in.target};
    auto it = relocations_.lower_bound(at);
    const bool relocated = it != relocations_.end() && it->first.first == at.first &&
                           it->first.second < at.second + static_cast<uint64_t>(in.size);
    if (relocated) {
      const Symbol& symbol = file_.symbols[static_cast<size_t>(it->second->symbol)];
      const bool has_place = symbol.section >= 0 && symbol.kind != SymbolKind::kFunction;
      if (!has_place) {
        callee = symbol.name;
      } else if (symbol.kind != SymbolKind::kSection) {
        to = {symbol.section, symbol.value + static_cast<uint64_t>(it->second->addend)};
      } else {
        // Arm's addend is encoded in the instruction's target.
        const uint64_t inline_addend = file_.cpu == Cpu::kArm ? in.target - at.second : 0;
        to = {symbol.section,
              symbol.value + static_cast<uint64_t>(it->second->addend) + inline_addend};
      }
    }
    if (callee.empty()) {
      const Symbol* there = FunctionAt(to);
      if (there == nullptr) return;
      callee = there->name;
    }
    if (callee == function.name && in.flow != Flow::kCall) return;  // a loop
    calls.callees.insert(callee);
  }

  // Arm's tbb and tbh, and its loads of the program counter, jump by tables.
  bool IsTableJump(const Place& at) const {
    if (file_.cpu != Cpu::kArm) return false;
    const Code code(file_.sections[static_cast<size_t>(at.first)]);
    const uint32_t half = code.Half(at.second);
    return half >> 11 >= 0x1d || (half & 0xff87) == 0x4687;
  }

  const Symbol* FunctionAt(const Place& place) const {
    auto it = functions_.upper_bound(place);
    if (it == functions_.begin()) return nullptr;
    --it;
    const bool inside =
        it->first.first == place.first && place.second < it->first.second + it->second->size;
    return inside ? it->second : nullptr;
  }

  const ElfFile& file_;
  std::vector<std::pair<Place, const Symbol*>> names_;
  std::map<Place, const Symbol*> functions_;  // the first of several names
  std::map<Place, bool> data_in_code_;        // Arm's mapping symbols: whether data starts here
  std::map<Place, const Relocation*> relocations_;
};

}  // namespace

std::map<std::string, FunctionCalls> FindObjectCalls(const ElfFile& object) {
  return Finder(object).Run();
}

}  // namespace lathe::machine
