#include "generator/bundle/write_bundle.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::bundle {
namespace {

namespace fs = std::filesystem;

absl::Status IoError(absl::string_view verb, const fs::path& path) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", verb, " '", path.string(), "': ", std::strerror(errno)));
}

bool SameFile(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

// Removes created files and folders in its destructor unless Keep() is called.
class Scratch {
 public:
  explicit Scratch(FileCalls& calls) : calls_(calls) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    for (size_t i = made_.size(); i-- > 0;) (void)calls_.Remove(made_[i].string());
  }

  // Creates `path` and its missing parents.
  absl::Status MakeFolders(const fs::path& path) {
    std::error_code ignored;
    if (path.empty() || fs::is_directory(path, ignored)) return absl::OkStatus();
    LATHE_RETURN_IF_ERROR(MakeFolders(path.parent_path()));
    if (!calls_.MakeFolder(path.string()) && errno != EEXIST) return IoError("create folder", path);
    made_.push_back(path);
    return absl::OkStatus();
  }
  void Add(fs::path path) { made_.push_back(std::move(path)); }
  void Keep() { made_.clear(); }

 private:
  FileCalls& calls_;
  std::vector<fs::path> made_;
};

class Writer {
 public:
  Writer(FileCalls& calls, fs::path folder, absl::Span<const emit::OutputFile> files)
      : calls_(calls), folder_(std::move(folder)), files_(files) {
    for (const emit::OutputFile& file : files) {
      const auto old = ReadFile((folder_ / file.name).string(), file.text.size());
      if (old.ok() && *old == file.text) unchanged_.insert(file.name);
    }
  }

  absl::Status Write() {
    std::error_code error;
    const bool there = fs::exists(folder_, error);
    if (there && !fs::is_directory(folder_, error)) {
      errno = ENOTDIR;
      return IoError("create folder", folder_);
    }
    if (there && unchanged_.size() == files_.size()) return absl::OkStatus();
    if (there && !CanBeExchanged()) return WriteInPlace();
    return WriteBeside(there);
  }

 private:
  // Returns true if every entry of the folder is a regular file, which can be hard-linked, in a
  // folder that the bundle has too, and if it is not the current folder.
  bool CanBeExchanged() {
    struct stat info;
    if (SameFile(folder_, ".") || ::stat(folder_.c_str(), &info) != 0) return false;
    if (info.st_uid != ::geteuid()) return false;
    mode_ = info.st_mode & 07777;
    std::set<fs::path> own_folders, own_files;
    for (const emit::OutputFile& file : files_) {
      own_files.insert(file.name);
      for (fs::path p = fs::path(file.name).parent_path(); !p.empty(); p = p.parent_path()) {
        own_folders.insert(p);
      }
    }
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end;
         it.increment(error)) {
      const fs::path name = it->path().lexically_relative(folder_);
      const fs::file_status status = it->symlink_status(error);
      if (error || others_.size() >= kMaxOthers) return false;
      if (fs::is_directory(status) ? own_folders.count(name) == 0 : !fs::is_regular_file(status)) {
        return false;
      }
      if (fs::is_regular_file(status) && own_files.count(name) == 0) others_.push_back(name);
    }
    return !error;
  }

  absl::Status WriteBeside(bool exchange) {
    Scratch scratch(calls_);
    LATHE_RETURN_IF_ERROR(scratch.MakeFolders(folder_.parent_path()));
    Scratch staged(calls_);
    const fs::path stage = Temporary(folder_);
    for (const emit::OutputFile& file : files_) {
      const fs::path path = stage / file.name;
      // Reports the requested name, not the temporary one.
      if (!staged.MakeFolders(path.parent_path()).ok()) return IoError("create folder", folder_);
      staged.Add(path);
      if (unchanged_.count(file.name) > 0) {
        LATHE_RETURN_IF_ERROR(Link(folder_ / file.name, path));
      } else if (!WriteAll(calls_, path.string(), file.text)) {
        return IoError("write", folder_ / file.name);
      }
    }
    for (const fs::path& other : others_) {
      staged.Add(stage / other);
      LATHE_RETURN_IF_ERROR(Link(folder_ / other, stage / other));
    }
    if (exchange) {
      (void)::chmod(stage.c_str(), mode_);
      if (!calls_.Exchange(stage.string(), folder_.string())) {
        return errno == ENOSPC || errno == EIO ? IoError("write", folder_) : WriteInPlace();
      }
      // After the exchange, `stage` is the old bundle, whose files may differ from the new ones.
      RemoveTree(stage);
      staged.Keep();
    } else if (!calls_.Rename(stage.string(), folder_.string())) {
      // Another process has created the folder in the meantime.
      if (errno == ENOTEMPTY || errno == EEXIST) return WriteInPlace();
      return IoError("write", folder_);
    } else {
      staged.Keep();
    }
    scratch.Keep();
    return absl::OkStatus();
  }

  absl::Status WriteInPlace() {
    Scratch scratch(calls_);
    std::vector<std::pair<fs::path, fs::path>> moves;  // from, to
    for (const emit::OutputFile& file : files_) {
      if (unchanged_.count(file.name) > 0) continue;
      const fs::path path = folder_ / file.name;
      LATHE_RETURN_IF_ERROR(scratch.MakeFolders(path.parent_path()));
      moves.emplace_back(Temporary(path), path);
      scratch.Add(moves.back().first);
      if (!WriteAll(calls_, moves.back().first.string(), file.text)) return IoError("write", path);
    }
    Scratch backups(calls_);
    std::set<fs::path> had;
    for (const auto& [from, to] : moves) {
      std::error_code ignored;
      if (!fs::exists(to, ignored)) continue;
      LATHE_RETURN_IF_ERROR(Link(to, Backup(to)));
      backups.Add(Backup(to));
      had.insert(to);
    }
    for (size_t i = 0; i < moves.size(); ++i) {
      if (calls_.Rename(moves[i].first.string(), moves[i].second.string())) continue;
      const absl::Status status = IoError("write", moves[i].second);
      while (i-- > 0) {
        const std::string to = moves[i].second.string();
        (void)(had.count(to) > 0 ? calls_.Rename(Backup(to).string(), to) : calls_.Remove(to));
      }
      return status;
    }
    scratch.Keep();
    return absl::OkStatus();
  }

  absl::Status Link(const fs::path& from, const fs::path& to) {
    return calls_.Link(from.string(), to.string()) ? absl::OkStatus() : IoError("write", from);
  }

  void RemoveTree(const fs::path& root) {
    std::vector<fs::path> paths = {root};
    std::error_code error;
    for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
         it.increment(error)) {
      paths.push_back(it->path());
    }
    for (size_t i = paths.size(); i-- > 0;) (void)calls_.Remove(paths[i].string());
  }

  static fs::path Temporary(const fs::path& path) {
    return absl::StrCat(path.string(), ".", ::getpid(), ".tmp");
  }
  static fs::path Backup(const fs::path& path) {
    return absl::StrCat(path.string(), ".", ::getpid(), ".old");
  }

  static constexpr size_t kMaxOthers = 1000;

  FileCalls& calls_;
  const fs::path folder_;
  const absl::Span<const emit::OutputFile> files_;
  std::set<std::string> unchanged_;
  std::vector<fs::path> others_;  // files of the folder that are not the bundle's
  mode_t mode_ = 0777;
};

// Resolves symbolic links, which must not be renamed themselves, and removes a trailing slash.
fs::path RealFolder(const std::string& folder) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  return error ? fs::path(folder) : real.has_filename() ? real : real.parent_path();
}

}  // namespace

absl::Status WriteBundle(FileCalls& calls, const std::string& folder,
                         absl::Span<const emit::OutputFile> files) {
  return Writer(calls, RealFolder(folder), files).Write();
}

absl::Status WriteBundle(const std::string& folder, absl::Span<const emit::OutputFile> files) {
  FileCalls calls;
  return WriteBundle(calls, folder, files);
}

}  // namespace lathe::bundle
