// Implements libFuzzer's hooks for new inputs: a quarter by its byte mutations, the others by
// mutations that know the input format.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include "tests/fuzz/mutate.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

absl::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

size_t Write(const std::string& text, uint8_t* out, size_t max_size) {
  const size_t size = std::min(text.size(), max_size);
  std::memcpy(out, text.data(), size);
  return size;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(View(data, size));
  const int changes = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < changes; ++i) text = lathe::fuzz::Mutate(text, text, random);
  return Write(text, data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2, uint8_t* out,
                                            size_t max_out_size, unsigned seed) {
  std::minstd_rand random(seed);
  return Write(lathe::fuzz::Mutate(View(data1, size1), View(data2, size2), random), out,
               max_out_size);
}
