#include "generator/driver/options/read_source.h"

#include <utility>

#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Offsets into a source have 32 bits.
constexpr uint64_t kMaxSourceBytes = uint64_t{1} << 30;

}  // namespace

absl::StatusOr<SourceFile> ReadSource(const std::string& path, const Streams& io) {
  if (path == "-") {
    LATHE_ASSIGN_OR_RETURN(std::string text, ReadStream(io.in, "standard input", kMaxSourceBytes));
    return SourceFile("<stdin>", std::move(text));
  }
  LATHE_ASSIGN_OR_RETURN(std::string text, ReadFile(path, kMaxSourceBytes));
  return SourceFile(path, std::move(text));
}

}  // namespace lathe::driver
