#include "tests/support/run_lathe.h"

#include <cstdio>
#include <cstdlib>

#include "generator/driver/cli/command_line.h"
#include "generator/driver/cli/response_file.h"

namespace lathe {
namespace {

// A stream that keeps what is written to it.
class Capture {
 public:
  Capture() : file_(open_memstream(&bytes_, &size_)) {}
  ~Capture() {
    std::fclose(file_);
    std::free(bytes_);
  }
  Capture(const Capture&) = delete;
  std::FILE* file() { return file_; }
  std::string Text() {
    std::fflush(file_);
    return std::string(bytes_, size_);
  }

 private:
  char* bytes_ = nullptr;
  size_t size_ = 0;
  std::FILE* file_;
};

}  // namespace

LatheRun RunLatheOn(const std::vector<std::string>& args, const std::string& typed) {
  Capture out;
  Capture err;
  // fmemopen refuses a length of zero before glibc 2.22 and NUL-terminates what it writes; a
  // temporary file has no such corners.
  std::FILE* in = std::tmpfile();
  std::fwrite(typed.data(), 1, typed.size(), in);
  std::rewind(in);
  LatheRun run;
  run.exit = driver::RunLathe(args, {in, out.file(), err.file()});
  std::fclose(in);
  run.out = out.Text();
  run.err = err.Text();
  return run;
}

LatheRun RunLatheWords(const std::string& args, const std::string& typed) {
  return RunLatheOn(driver::SplitResponseWords(args), typed);
}

}  // namespace lathe
