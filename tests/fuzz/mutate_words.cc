#include "tests/fuzz/mutate_words.h"

#include <cstdint>
#include <cstring>

namespace lathe::fuzz {

std::string MutateWords(absl::string_view bytes, absl::string_view donor,
                        std::minstd_rand& random) {
  std::string made(bytes);
  if (made.size() < 16) return made;
  const unsigned choice = random() % 32;
  if (choice == 0) {
    made.resize(random() % made.size());
    return made;
  }
  const size_t size = size_t{1} << (random() % 4);
  const size_t at = random() % (made.size() / size) * size;
  uint64_t value = 0;
  std::memcpy(&value, made.data() + at, size);
  if (choice < 8) {
    const absl::string_view from = random() % 2 == 0 || donor.size() < size ? bytes : donor;
    std::memcpy(&value, from.data() + random() % (from.size() / size) * size, size);
  } else if (choice < 20) {
    value += random() % 9 - 4;
  } else if (choice < 28) {
    constexpr uint64_t kOdd[] = {0,      1,      2,          3,          4,          7,
                                 8,      16,     32,         127,        128,        255,
                                 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, ~uint64_t{0}};
    value = kOdd[random() % std::size(kOdd)];
  } else {
    value ^= uint64_t{1} << (random() % (8 * size));
  }
  std::memcpy(made.data() + at, &value, size);
  return made;
}

}  // namespace lathe::fuzz
