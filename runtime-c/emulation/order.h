// Checks the order of work in several streams: it is defined only by the order within a stream,
// events, and waits of the host, whatever order the emulation executes.
#ifndef LATHE_EMULATION_ORDER_H_
#define LATHE_EMULATION_ORDER_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

namespace lathe_emulation {

// For each strand, how much of its work is complete.
using Clock = std::vector<uint32_t>;
void Join(Clock& clock, const Clock& other);

// Sequential work: a stream, or a captured stream in a running graph.
struct Strand {
  uint32_t number = 0;
  Clock clock;  // what is known to be complete
};
Strand NewStrand();

// Starts work that knows what the host knew; it is the current work of this thread until it ends.
class Working {
 public:
  Working(Strand& strand, const Clock& host);
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  Strand* const outer_;
};

// The work reads or writes these bytes. Ends the program if there is an unordered conflicting
// access.
void NoteAccess(uintptr_t at, size_t bytes, bool writes);
// Forgets all accesses to these bytes.
void ForgetAccesses(uintptr_t at, size_t bytes);

}  // namespace lathe_emulation

#endif  // LATHE_EMULATION_ORDER_H_
