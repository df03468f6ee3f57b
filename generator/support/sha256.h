// Computes SHA-256 (FIPS 180-4), the checksum that `sha256sum` prints.
#ifndef LATHE_SUPPORT_SHA256_H_
#define LATHE_SUPPORT_SHA256_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe {

class Sha256 {
 public:
  void Add(absl::string_view bytes);
  // Returns the checksum of all bytes in hexadecimal digits. Ends the use of the object.
  std::string Hex();

 private:
  static constexpr size_t kBlock = 64;

  void AddBlock(const unsigned char* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_;  // bytes after the last whole block
  uint64_t size_ = 0;
};

// Returns the checksum of `bytes`.
std::string Sha256Of(absl::string_view bytes);
// Returns the checksum of the file at `path`, which is read in parts.
absl::StatusOr<std::string> Sha256OfFile(const std::string& path);

}  // namespace lathe

#endif  // LATHE_SUPPORT_SHA256_H_
