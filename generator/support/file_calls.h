// The calls of the operating system that change files, one by one: a test passes its own and makes
// any of them fail.
#ifndef LATHE_SUPPORT_FILE_CALLS_H_
#define LATHE_SUPPORT_FILE_CALLS_H_

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace lathe {

// Each leaves its reason in errno when it returns false or -1.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  virtual bool MakeFolder(const std::string& path);
  // A descriptor of an empty file.
  virtual int Create(const std::string& path);
  // May write less than `size`.
  virtual ssize_t Write(int file, const char* bytes, size_t size);
  virtual bool Sync(int file);
  virtual bool Close(int file);
  // A second name for the file at `from`.
  virtual bool Link(const std::string& from, const std::string& to);
  virtual bool Rename(const std::string& from, const std::string& to);
  // `a` becomes `b` and `b` becomes `a`, in one step. Not every file system can.
  virtual bool Exchange(const std::string& a, const std::string& b);
  // A file, or an empty folder.
  virtual bool Remove(const std::string& path);
};

// All of `bytes`, on the disk when it returns; false leaves a part or nothing.
bool WriteAll(FileCalls& calls, const std::string& path, const std::string& bytes);

}  // namespace lathe

#endif  // LATHE_SUPPORT_FILE_CALLS_H_
