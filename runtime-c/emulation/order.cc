#include "order.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "emulation.h"

namespace lathe_emulation {
namespace {

// Identifies work: one plus the number of the strand, and its position in the strand.
struct Stamp {
  uint32_t strand = 0;  // 0: none
  uint32_t time = 0;
};

// Of a byte: the last write, and the reads since that are not known to precede another one.
struct OrderCell {
  Stamp write, read;
};
constexpr uintptr_t kOrderPage = 64;
using OrderPage = std::array<OrderCell, kOrderPage>;

struct History {
  std::unordered_map<uintptr_t, OrderPage> pages;
  std::unordered_map<uintptr_t, std::vector<Stamp>> more_reads;  // by several strands
};
History& TheHistory() {
  static History history;
  return history;
}

uint32_t strands = 0;
Strand* working = nullptr;

bool IsBefore(const Stamp& stamp) {
  if (stamp.strand == 0) return true;
  const Clock& clock = working->clock;
  return stamp.strand <= clock.size() && clock[stamp.strand - 1] >= stamp.time;
}

void Check(uintptr_t at, const Stamp& before, const char* now, const char* then) {
  if (IsBefore(before)) return;
  Fail(
      "order: work of stream %u %s %p, which work of stream %u %s, and no event says which is "
      "first",
      working->number, now, (void*)at, before.strand - 1, then);
}

}  // namespace

void Join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

Strand NewStrand() {
  Strand strand;
  strand.number = strands++;
  strand.clock.resize(strands, 0);
  return strand;
}

Working::Working(Strand& strand, const Clock& host) : outer_(working) {
  Join(strand.clock, host);
  ++strand.clock[strand.number];
  working = &strand;
}
Working::~Working() { working = outer_; }

void NoteAccess(uintptr_t at, size_t bytes, bool writes) {
  if (strands < 2 || working == nullptr) return;
  History& history = TheHistory();
  const Stamp now = {working->number + 1, working->clock[working->number]};
  OrderPage* page = nullptr;
  for (size_t i = 0; i < bytes; ++i) {
    const uintptr_t byte = at + i;
    if (page == nullptr || byte % kOrderPage == 0) page = &history.pages[byte / kOrderPage];
    OrderCell& cell = (*page)[byte % kOrderPage];
    Check(byte, cell.write, writes ? "writes" : "reads", "writes");
    if (!writes) {
      if (!IsBefore(cell.read)) history.more_reads[byte].push_back(cell.read);
      cell.read = now;
      continue;
    }
    Check(byte, cell.read, "writes", "reads");
    if (const auto more = history.more_reads.find(byte); more != history.more_reads.end()) {
      for (const Stamp& read : more->second) Check(byte, read, "writes", "reads");
      history.more_reads.erase(more);
    }
    cell = {now, {}};
  }
}

void ForgetAccesses(uintptr_t at, size_t bytes) {
  History& history = TheHistory();
  for (uintptr_t byte = at; byte < at + bytes; ++byte) history.more_reads.erase(byte);
  for (uintptr_t page = at / kOrderPage; page <= (at + bytes) / kOrderPage; ++page)
    history.pages.erase(page);
}

}  // namespace lathe_emulation
