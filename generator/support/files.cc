#include "generator/support/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"

namespace lathe {
namespace {

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

absl::Status Trouble(absl::string_view verb, const std::string& path) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", verb, " '", path, "': ", std::strerror(errno)));
}

// Messages name the requested file, not the temporary one.
absl::Status WriteBytes(const std::string& path, const std::string& name, absl::string_view bytes) {
  File f(std::fopen(path.c_str(), "wb"));
  if (!f) return Trouble("write", name);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), f.get()) == bytes.size();
  const bool closed = std::fclose(f.release()) == 0;
  return written && closed ? absl::OkStatus() : Trouble("write", name);
}

}  // namespace

absl::StatusOr<std::string> ReadStream(std::FILE* f, const std::string& name, uint64_t max_bytes) {
  std::string bytes;
  char chunk[1 << 16];
  while (const size_t n = std::fread(chunk, 1, sizeof chunk, f)) {
    bytes.append(chunk, n);
    if (bytes.size() > max_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("'", name, "' is larger than ", max_bytes, " bytes"));
    }
  }
  if (std::ferror(f)) return Trouble("read", name);
  return bytes;
}

absl::StatusOr<std::string> ReadFile(const std::string& path, uint64_t max_bytes) {
  File f(std::fopen(path.c_str(), "rb"));
  if (!f) return Trouble("read", path);
  return ReadStream(f.get(), path, max_bytes);
}

absl::Status WriteFile(const std::string& path, absl::string_view bytes) {
  struct stat info;
  // A device or pipe has no old content to preserve, and must not be replaced by a rename.
  const bool special = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  if (special) return WriteBytes(path, path, bytes);
  if (auto old = ReadFile(path, bytes.size()); old.ok() && *old == bytes) return absl::OkStatus();
  const std::string temporary = absl::StrCat(path, ".", ::getpid(), ".tmp");
  absl::Status status = WriteBytes(temporary, path, bytes);
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    status = Trouble("write", path);
  }
  if (!status.ok()) std::remove(temporary.c_str());
  return status;
}

}  // namespace lathe
