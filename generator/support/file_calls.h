// Wraps the system calls that change files, one by one, so that tests can make any of them fail.
#ifndef LATHE_SUPPORT_FILE_CALLS_H_
#define LATHE_SUPPORT_FILE_CALLS_H_

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace lathe {

// Each sets errno if it returns false or -1.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  virtual bool MakeFolder(const std::string& path);
  // Opens a file for writing and returns its descriptor. The file is created, or emptied if it
  // exists.
  virtual int Create(const std::string& path);
  // May write less than `size`.
  virtual ssize_t Write(int file, const char* bytes, size_t size);
  virtual bool Sync(int file);
  virtual bool Close(int file);
  // Creates a hard link to `from`.
  virtual bool Link(const std::string& from, const std::string& to);
  virtual bool Rename(const std::string& from, const std::string& to);
  // Exchanges `a` and `b` atomically. Not supported by every file system.
  virtual bool Exchange(const std::string& a, const std::string& b);
  // Removes a file or an empty folder.
  virtual bool Remove(const std::string& path);
};

// Replaces the content of the file by `bytes` and syncs it. On failure it returns false and sets
// errno, and the file contains a part of `bytes`, nothing, or does not exist.
bool WriteAll(FileCalls& calls, const std::string& path, const std::string& bytes);

}  // namespace lathe

#endif  // LATHE_SUPPORT_FILE_CALLS_H_
