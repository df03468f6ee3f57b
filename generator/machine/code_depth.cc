#include "generator/machine/code_depth.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/machine/decode.h"
#include "generator/machine/decode_avr.h"

namespace lathe::machine {
namespace {

constexpr int kMaxNesting = 200;        // nested calls
constexpr int64_t kMaxBytes = 1 << 20;  // reached by loops that push
constexpr int64_t kMaxSteps = 20'000'000;

// The address of an instruction; addresses of Thumb functions are odd.
uint64_t Address(const ElfFile& file, uint64_t value) {
  return file.cpu == Cpu::kArm ? value & ~uint64_t{1} : value;
}

bool IsThumbOrOther(const ElfFile& file, const Symbol& symbol) {
  return file.cpu != Cpu::kArm || (symbol.value & 1) != 0;
}

// Returns whether execution does not continue after the instruction.
bool Ends(const Instruction& in) {
  return in.flow == Flow::kJump || in.flow == Flow::kReturn || in.flow == Flow::kIndirectJump ||
         in.flow == Flow::kStop;
}

// Tracks constants in registers along straight-line code.
class Constants {
 public:
  std::optional<int64_t> In(int reg) const {
    const auto it = values_.find(reg);
    return it == values_.end() ? std::nullopt : std::optional<int64_t>(it->second);
  }

  void After(const Instruction& in) {
    if (in.flow == Flow::kCall || in.flow == Flow::kIndirectCall) return values_.clear();
    std::optional<int64_t> value;
    if (in.sets >= 0 && !in.is_shift && !in.is_sum) value = in.constant;
    if (const auto old = In(in.sets); old && in.is_sum) value = *old + in.constant;
    if (const auto old = In(in.sets); old && in.is_shift && in.constant < 31) {
      value = *old << in.constant;
    }
    for (auto it = values_.begin(); it != values_.end();) {
      it = (in.writes >> it->first & 1) != 0 ? values_.erase(it) : std::next(it);
    }
    if (value) values_[in.sets] = *value;
  }

 private:
  std::map<int, int64_t> values_;
};

}  // namespace

int64_t BytesBelow(const ElfFile& file) { return file.cpu == Cpu::kX86_64 ? 128 : 0; }

int64_t BytesOfCall(const ElfFile& file) {
  if (file.cpu != Cpu::kAvr) return 0;
  constexpr uint64_t kArchitecture = 0x7f, kAvr6 = 6;  // devices with more than 128 KiB of code
  return (file.flags & kArchitecture) == kAvr6 ? 3 : 2;
}

struct CodeDepth::Walk {
  std::map<uint64_t, int64_t> deepest;  // depth before each reached instruction
  std::vector<std::pair<uint64_t, int64_t>> open;
  std::map<uint64_t, int64_t> table_jumps;
  std::set<uint64_t> table_targets;
  int64_t most = 0;
  int64_t steps = 0;
  std::string why_not;
};

CodeDepth::CodeDepth(const ElfFile& program) : program_(program) {
  for (const Symbol& symbol : program.symbols) {
    if (symbol.section < 0) continue;
    const bool mapping = absl::StartsWith(symbol.name, "$");
    if (program.cpu == Cpu::kArm && mapping && symbol.name.size() > 1) {
      data_in_code_[symbol.value] = symbol.name[1] == 'd';
    }
    if (symbol.name.empty() || mapping || symbol.kind == SymbolKind::kSection) continue;
    const uint64_t at = Address(program, symbol.value);
    names_.emplace(at, symbol.name);
    by_name_.emplace(symbol.name, &symbol);
    if (symbol.kind == SymbolKind::kFunction && symbol.size > 0) functions_.emplace(at, &symbol);
  }
}

const CodeDepth::Bound& CodeDepth::Of(const std::string& function) {
  static const Bound kMissing = {std::nullopt, "is not defined"};
  static const Bound kOtherMode = {std::nullopt, "is not in Thumb code"};
  // AVR's switch helper, which jumps into the calling function.
  static const Bound kSwitch = {0, ""};
  if (program_.cpu == Cpu::kAvr && function == "__tablejump2__") return kSwitch;
  const auto it = by_name_.find(function);
  if (it == by_name_.end()) return kMissing;
  const Symbol& symbol = *it->second;
  if (symbol.kind == SymbolKind::kFunction && !IsThumbOrOther(program_, symbol)) return kOtherMode;
  return At(Address(program_, symbol.value), 0);
}

bool CodeDepth::IsData(uint64_t address) const {
  const auto next = data_in_code_.upper_bound(address);
  return next != data_in_code_.begin() && std::prev(next)->second;
}

const Section* CodeDepth::CodeAt(uint64_t address) const {
  for (const Section& s : program_.sections) {
    if (s.executable && address >= s.address && address - s.address < s.bytes.size()) return &s;
  }
  return nullptr;
}

std::string CodeDepth::NameAt(uint64_t address) const {
  auto it = names_.upper_bound(address);
  if (it == names_.begin()) return absl::StrCat("code at ", absl::Hex(address));
  --it;
  return it->second;
}

// GCC's millicode for RISC-V, which saves registers 0 to N and returns by the alternate link
// register: the stack it uses.
std::optional<int64_t> CodeDepth::RegistersSaved(uint64_t target) const {
  const auto [from, to] = names_.equal_range(target);
  int64_t most = -1;
  for (auto it = from; it != to; ++it) {
    absl::string_view name = it->second;
    int64_t last = 0;
    if (absl::ConsumePrefix(&name, "__riscv_save_") && absl::SimpleAtoi(name, &last)) {
      most = std::max(most, last);
    }
  }
  if (most < 0) return std::nullopt;
  const int64_t bytes = (most + 1) * (program_.wide ? 8 : 4);
  return (bytes + 15) / 16 * 16;
}

// The same for AVR: four constants before the jump are the frame size and the return address; the
// entry point determines the number of pushed registers.
std::optional<int64_t> CodeDepth::SavedOnAvr(const Code& code, uint64_t at, uint64_t target) const {
  if (program_.cpu != Cpu::kAvr || NameAt(target) != "__prologue_saves__") return std::nullopt;
  const auto constant = [&](uint64_t place, uint32_t reg) -> std::optional<int64_t> {
    const uint32_t half = code.Half(place);
    if ((half & 0xf000) != 0xe000 || (half >> 4 & 15) + 16 != reg) return std::nullopt;
    return (half >> 4 & 0xf0) | (half & 15);
  };
  const auto low = constant(at - 8, 26), high = constant(at - 6, 27);
  if (!low || !high || !constant(at - 4, 30) || !constant(at - 2, 31)) return std::nullopt;
  int64_t pushes = 0;
  for (uint64_t place = target; DecodeAvr(code, place).grows == 1; place += 2) ++pushes;
  return pushes + *low + (*high << 8);
}

bool CodeDepth::LeavesByMillicode(uint64_t target) const {
  const std::string name = NameAt(target);
  return absl::StartsWith(name, "__riscv_restore_") || name == "__epilogue_restores__";
}

const CodeDepth::Bound& CodeDepth::At(uint64_t address, int nesting) {
  if (const auto it = done_.find(address); it != done_.end()) return it->second;
  static const Bound kDeep = {std::nullopt, "has too deeply nested calls"};
  if (nesting > kMaxNesting) return kDeep;
  open_.insert(address);
  Bound bound = Follow(address, nesting);
  open_.erase(address);
  return done_[address] = std::move(bound);
}

CodeDepth::Bound CodeDepth::Follow(uint64_t entry, int nesting) {
  Walk walk;
  walk.open.emplace_back(entry, 0);
  while (!walk.open.empty()) {
    while (!walk.open.empty()) {
      const auto [from, depth] = walk.open.back();
      walk.open.pop_back();
      if (!Step(walk, from, depth, nesting)) return {std::nullopt, walk.why_not};
    }
    for (const auto& [jump, depth] : walk.table_jumps) AddTableTargets(walk, jump);
    if (!walk.table_jumps.empty() && walk.table_targets.empty()) {
      return {std::nullopt, absl::StrCat(NameAt(entry), " jumps through a pointer")};
    }
    for (const auto& [jump, depth] : walk.table_jumps) {
      for (uint64_t target : walk.table_targets) {
        const auto reached = walk.deepest.find(target);
        if (reached == walk.deepest.end() || reached->second < depth) {
          walk.open.emplace_back(target, depth);
        }
      }
    }
  }
  return {walk.most, ""};
}

// Adds possible targets of a table jump: instructions of its function that follow a non-continuing
// one and are not reached otherwise.
void CodeDepth::AddTableTargets(Walk& walk, uint64_t jump) const {
  auto it = functions_.upper_bound(jump);
  if (it == functions_.begin()) return;
  const Symbol& function = *(--it)->second;
  const uint64_t begin = it->first, end = begin + function.size;
  const Section* section = CodeAt(begin);
  if (section == nullptr || jump >= end) return;
  const Code code(*section);
  bool ended = false;
  for (uint64_t at = begin; at < end;) {
    if (IsData(at)) {
      const auto data = data_in_code_.upper_bound(at);
      at = data == data_in_code_.end() ? end : data->first;
      ended = true;
      continue;
    }
    const Instruction in = Decode(program_, code, at);
    if (in.size == 0) break;
    // Skips alignment padding, which is not a target.
    const uint32_t half = code.Half(at);
    const bool fills = ended && (half == 0x46c0 || half == 0xbf00 || half == 0x0001);
    if (ended && !fills && walk.deepest.count(at) == 0) walk.table_targets.insert(at);
    ended = fills || Ends(in);
    at += static_cast<uint64_t>(in.size);
  }
}

bool CodeDepth::Call(const Instruction& in, uint64_t at, int64_t& depth, Walk& walk, int nesting) {
  const uint64_t next = at + static_cast<uint64_t>(in.size);
  const int64_t pushed = BytesOfCall(program_);
  if (pushed > 0 &&
      in.target == next) {  // AVR reserves two or three bytes with a call to the next instruction
    depth += pushed;
    walk.most = std::max(walk.most, depth);
    return true;
  }
  if (in.links_beside) {
    const auto saved = RegistersSaved(in.target);
    if (!saved) {
      walk.why_not = absl::StrCat(NameAt(at),
                                  " calls an unknown function through the alternate link register");
      return false;
    }
    depth += *saved;
    walk.most = std::max(walk.most, depth);
    return true;
  }
  if (in.target == 0) {
    walk.why_not = absl::StrCat(NameAt(at), " calls an undefined function");
    return false;
  }
  if (open_.count(in.target) > 0) {
    walk.why_not = absl::StrCat(NameAt(in.target), " calls itself");
    return false;
  }
  const Bound& callee = At(in.target, nesting + 1);
  if (!callee.bytes) {
    walk.why_not = callee.why_not;
    return false;
  }
  walk.most = std::max(walk.most, depth + pushed + *callee.bytes);
  return true;
}

// Follows straight-line code from `from` and records its jump targets.
bool CodeDepth::Step(Walk& walk, uint64_t from, int64_t depth, int nesting) {
  const Section* section = CodeAt(from);
  Constants constants;
  int conditional = 0;
  int64_t popped = 0;  // registers popped by the previous instruction, one of which may hold the
                       // return address (Thumb-1)
  for (uint64_t at = from;;) {
    const auto fail = [&](absl::string_view why) {
      walk.why_not = absl::StrCat(NameAt(at), " ", why);
      return false;
    };
    if (section == nullptr || IsData(at)) return fail("reaches memory that is not code");
    const auto [it, is_new] = walk.deepest.try_emplace(at, depth);
    if (!is_new && it->second >= depth) return true;
    it->second = depth;
    if (depth > kMaxBytes || ++walk.steps > kMaxSteps) return fail("grows its frame in a loop");
    const Code code(*section);
    const Instruction in = Decode(program_, code, at);
    if (in.size == 0) return fail("has an unknown instruction");
    const bool maybe = conditional > 0;
    conditional = in.conditional > 0 ? in.conditional : std::max(conditional - 1, 0);
    int64_t grows = in.grows;
    if (in.adds >= 0) {
      const std::optional<int64_t> value = constants.In(in.adds);
      if (!value) return fail("moves its stack pointer by a computed amount");
      grows = -in.sign * *value;
    }
    if (in.computed) return fail("computes its stack pointer");
    constants.After(in);
    if (grows > 0 || !maybe) depth += grows;
    walk.most = std::max(walk.most, depth);
    const uint64_t next = at + static_cast<uint64_t>(in.size);
    switch (in.flow) {
      case Flow::kNext:
        break;
      case Flow::kSkip: {
        const Instruction skipped = Decode(program_, code, next);
        walk.open.emplace_back(next + static_cast<uint64_t>(skipped.size), depth);
        break;
      }
      case Flow::kBranch:
      case Flow::kJump:
        if (LeavesByMillicode(in.target)) {
          if (in.flow == Flow::kJump) return true;
          break;
        }
        if (const auto saved = SavedOnAvr(code, at, in.target)) {
          depth += *saved;
          walk.most = std::max(walk.most, depth);
          break;
        }
        walk.open.emplace_back(in.target, depth);
        if (in.flow == Flow::kJump && !maybe) return true;
        break;
      case Flow::kCall:
        if (!Call(in, at, depth, walk, nesting)) return false;
        // ARMv6-M's switch helper: the table follows the call.
        if (absl::StartsWith(NameAt(in.target), "__gnu_thumb1_case_")) {
          walk.table_jumps[at] = std::max(walk.table_jumps[at], depth);
          return true;
        }
        break;
      case Flow::kReturn:
        if (!maybe) return true;
        break;
      case Flow::kIndirectCall:
        return fail("calls through a pointer");
      case Flow::kIndirectJump: {
        const uint32_t half = code.Half(at);
        if (program_.cpu == Cpu::kArm && (half & 0xff87) == 0x4700) {  // bx
          // A bx after popping that register is ARMv6-M's return.
          if ((popped >> (half >> 3 & 15) & 1) != 0) return true;
          return fail("jumps through a pointer");
        }
        int64_t& deepest = walk.table_jumps.try_emplace(at, depth).first->second;
        deepest = std::max(deepest, depth);
        if (!maybe) return true;
        break;
      }
      case Flow::kStop:
        return true;
    }
    const uint32_t half = code.Half(at);
    popped = in.size == 2 && (half & 0xff00) == 0xbc00 ? half & 0xff : 0;
    at = next;
    if (!section || !code.Has(at, 2)) section = CodeAt(at);
  }
}

}  // namespace lathe::machine
