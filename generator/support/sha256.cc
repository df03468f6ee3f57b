#include "generator/support/sha256.h"

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lathe {
namespace {

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr uint32_t kRounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t BigEndian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

absl::Status CannotRead(const std::string& path) {
  return absl::UnavailableError(absl::StrCat("cannot read '", path, "': ", std::strerror(errno)));
}

}  // namespace

void Sha256::AddBlock(const unsigned char* block) {
  uint32_t words[64];
  for (int i = 0; i < 16; ++i) words[i] = BigEndian(block + 4 * i);
  for (int i = 16; i < 64; ++i) {
    const uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + words[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  std::array<uint32_t, 8> s = state_;
  for (int i = 0; i < 64; ++i) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                           choice + kRounds[i] + words[i];
    const uint32_t second =
        (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (int i = 0; i < 8; ++i) state_[i] += s[i];
}

void Sha256::Add(absl::string_view bytes) {
  size_ += bytes.size();
  if (!rest_.empty()) {
    const absl::string_view head = bytes.substr(0, kBlock - rest_.size());
    absl::StrAppend(&rest_, head);
    bytes.remove_prefix(head.size());
    if (rest_.size() < kBlock) return;
    AddBlock(reinterpret_cast<const unsigned char*>(rest_.data()));
    rest_.clear();
  }
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
    AddBlock(reinterpret_cast<const unsigned char*>(bytes.data()));
  }
  rest_ = std::string(bytes);
}

std::string Sha256::Hex() {
  const uint64_t bits = size_ * 8;
  std::string end(1, '\x80');
  while ((size_ + end.size() + 8) % kBlock != 0) end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(bits >> shift & 0xff);
  Add(end);
  std::string hex;
  for (const uint32_t word : state_) absl::StrAppendFormat(&hex, "%08x", word);
  return hex;
}

std::string Sha256Of(absl::string_view bytes) {
  Sha256 sum;
  sum.Add(bytes);
  return sum.Hex();
}

absl::StatusOr<std::string> Sha256OfFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) return CannotRead(path);
  Sha256 sum;
  std::string part(size_t{1} << 20, '\0');
  while (const size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
    sum.Add(absl::string_view(part).substr(0, count));
  }
  if (std::ferror(file.get()) != 0) {
    return CannotRead(path);
  }
  return sum.Hex();
}

}  // namespace lathe
