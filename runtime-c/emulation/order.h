// The order of work in several streams: what comes before what only because a stream goes on in
// turn, waits for an event, or the host has waited. Nothing else orders work, whenever it happens
// to run here.
#ifndef LATHE_TESTS_CUDA_EMULATION_ORDER_H_
#define LATHE_TESTS_CUDA_EMULATION_ORDER_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

namespace lathe_emulation {

// Of each strand, how much of its work has been done.
using Clock = std::vector<uint32_t>;
void Join(Clock& clock, const Clock& other);

// What goes on in turn: a stream, or what was one in a graph that runs.
struct Strand {
  uint32_t number = 0;
  Clock clock;  // what is known to be done
};
Strand NewStrand();

// Work begins that knows of what the host knew; it is that of this thread until it ends.
class Working {
 public:
  Working(Strand& strand, const Clock& host);
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  Strand* const outer_;
};

// The work reads or writes these bytes. Ends the program where other work wrote them, or reads what
// this writes, and nothing says which comes first.
void NoteAccess(uintptr_t at, size_t bytes, bool writes);
// Nobody has touched these bytes.
void ForgetAccesses(uintptr_t at, size_t bytes);

}  // namespace lathe_emulation

#endif  // LATHE_TESTS_CUDA_EMULATION_ORDER_H_
