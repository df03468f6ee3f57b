// Simulates an operating system that fails at a given call.
#ifndef LATHE_TESTS_SUPPORT_FAILING_FILE_CALLS_H_
#define LATHE_TESTS_SUPPORT_FAILING_FILE_CALLS_H_

#include <cerrno>
#include <string>

#include "generator/support/file_calls.h"

namespace lathe {

class FailingFileCalls : public FileCalls {
 public:
  enum class After {
    kError,  // only that call fails
    kFull,   // further calls that need space fail too
    kKill,   // the process ends
  };
  // Call number `fails` fails, counted from 1; 0: none.
  FailingFileCalls(int fails, After after) : fails_(fails), after_(after) {}

  int count() const { return count_; }
  bool failed() const { return fails_ > 0 && count_ >= fails_; }

  bool MakeFolder(const std::string& path) override {
    return Works(true) && FileCalls::MakeFolder(path);
  }
  int Create(const std::string& path) override {
    return Works(true) ? FileCalls::Create(path) : -1;
  }
  // Writes in two parts, so that the disk can become full within a file.
  ssize_t Write(int file, const char* bytes, size_t size) override {
    if (!Works(true)) return -1;
    return FileCalls::Write(file, bytes, size <= 40 ? size : size - 40);
  }
  bool Sync(int) override { return Works(true); }
  // Closes the file, which would otherwise outlive the test.
  bool Close(int file) override {
    const bool works = Works(false);
    return FileCalls::Close(file) && works;
  }
  bool Link(const std::string& from, const std::string& to) override {
    return Works(true) && FileCalls::Link(from, to);
  }
  bool Rename(const std::string& from, const std::string& to) override {
    return Works(false) && FileCalls::Rename(from, to);
  }
  bool Exchange(const std::string& a, const std::string& b) override {
    if (!Works(false)) return false;
    if (!can_exchange) {
      errno = EINVAL;
      return false;
    }
    return FileCalls::Exchange(a, b);
  }
  bool Remove(const std::string& path) override { return Works(false) && FileCalls::Remove(path); }

  bool can_exchange = true;

 private:
  bool Works(bool needs_room) {
    ++count_;
    const bool fails = fails_ > 0 && (count_ == fails_ || (count_ > fails_ && Later(needs_room)));
    if (fails) errno = ENOSPC;
    return !fails;
  }
  bool Later(bool needs_room) const {
    return after_ == After::kKill || (after_ == After::kFull && needs_room);
  }

  const int fails_;
  const After after_;
  int count_ = 0;
};

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_FAILING_FILE_CALLS_H_
