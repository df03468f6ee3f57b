#include "generator/support/file_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace lathe {

bool FileCalls::MakeFolder(const std::string& path) { return ::mkdir(path.c_str(), 0777) == 0; }

int FileCalls::Create(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

ssize_t FileCalls::Write(int file, const char* bytes, size_t size) {
  return ::write(file, bytes, size);
}

bool FileCalls::Sync(int file) { return ::fsync(file) == 0; }

bool FileCalls::Close(int file) { return ::close(file) == 0; }

bool FileCalls::Link(const std::string& from, const std::string& to) {
  return ::link(from.c_str(), to.c_str()) == 0;
}

bool FileCalls::Rename(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool FileCalls::Exchange(const std::string& a, const std::string& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  (void)a, (void)b;
  errno = ENOSYS;
  return false;
#endif
}

bool FileCalls::Remove(const std::string& path) { return std::remove(path.c_str()) == 0; }

bool WriteAll(FileCalls& calls, const std::string& path, const std::string& bytes) {
  const int file = calls.Create(path);
  if (file < 0) return false;
  bool good = true;
  for (size_t at = 0; good && at < bytes.size();) {
    const ssize_t written = calls.Write(file, bytes.data() + at, bytes.size() - at);
    if (written > 0) at += static_cast<size_t>(written);
    // A write of zero bytes without an error means a full disk.
    if (written == 0) errno = ENOSPC;
    good = written > 0 || (written < 0 && errno == EINTR);
  }
  good = good && calls.Sync(file);
  const int reason = errno;
  const bool closed = calls.Close(file);
  if (!good) errno = reason;
  return good && closed;
}

}  // namespace lathe
