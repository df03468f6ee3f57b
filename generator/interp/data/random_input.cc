#include "generator/interp/data/random_input.h"

#include <algorithm>

namespace lathe::interp {

RandomInput::RandomInput(uint64_t seed, absl::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  state_ = seed ^ hash;
}

uint64_t RandomInput::Next64() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Bits RandomInput::Next(ir::DType t) {
  const uint64_t r = Next64();
  if (t.is_bool()) return r >> 63;
  if (t.is_floating()) {
    return FromDouble(t, static_cast<double>(static_cast<int64_t>(r >> 40) - (1 << 23)) /
                             static_cast<double>(1 << 23));
  }
  const int width = std::min<int>(t.bits, 4);
  if (limit_ > 0) {
    const uint64_t place = (r >> 60) % limit_;
    return t.is_int() ? WrapSigned(place, t.bits) : WrapUnsigned(place, t.bits);
  }
  return t.is_int() ? WrapSigned(r >> 60, width) : WrapUnsigned(r >> 60, width);
}

void RandomInput::Fill(const Tensor& tensor) {
  const uint64_t count = tensor.num_elements();
  for (uint64_t n = 0; n < count; ++n) tensor.Set(n, Next(tensor.dtype));
}

}  // namespace lathe::interp
