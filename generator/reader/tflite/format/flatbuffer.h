// Reads tables, vectors and strings of a FlatBuffer in place. Every offset is checked; a malformed
// file gives an error and default values, never an access outside the file.
//
//   FlatBuffer file(bytes);
//   FlatTable model = file.Root();
//   int64_t version = model.Int<uint32_t>(0, 0);
//   LATHE_RETURN_IF_ERROR(file.status());
#ifndef LATHE_READER_TFLITE_FORMAT_FLATBUFFER_H_
#define LATHE_READER_TFLITE_FORMAT_FLATBUFFER_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::tflite {

class FlatTable;

class FlatBuffer {
 public:
  explicit FlatBuffer(absl::string_view bytes) : bytes_(bytes) {}
  FlatBuffer(const FlatBuffer&) = delete;
  FlatBuffer& operator=(const FlatBuffer&) = delete;

  absl::string_view bytes() const { return bytes_; }
  FlatTable Root();
  // Returns the first error, or OK.
  const absl::Status& status() const { return status_; }
  void Fail(absl::string_view what, uint64_t at);

  template <typename T>
  T Read(uint64_t at) {
    T value = 0;
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) {
      Fail("an offset points outside the file", at);
    } else {
      std::memcpy(&value, bytes_.data() + at, sizeof(T));
    }
    return value;
  }
  // Returns the position that the 32-bit offset at `at` points to.
  uint64_t Follow(uint64_t at) { return at + Read<uint32_t>(at); }
  // Returns the first element of the vector at `at`, whose elements take `size` bytes. `count`
  // receives the number of elements, 0 after an error. Elements are counted against a limit,
  // because a small file can repeat one vector many times.
  uint64_t Elements(uint64_t at, uint64_t size, uint64_t& count);

 private:
  absl::string_view bytes_;
  absl::Status status_;
  uint64_t read_ = 0;  // bytes of vectors that were read
};

// A table at a position of the file, or no table: then every field has its default.
class FlatTable {
 public:
  FlatTable() = default;
  FlatTable(FlatBuffer* file, uint64_t at);

  explicit operator bool() const { return file_ != nullptr; }

  template <typename T>
  T Value(int slot, T otherwise) const {
    const uint64_t at = FieldAt(slot);
    return at == 0 ? otherwise : file_->Read<T>(at);
  }
  bool Has(int slot) const { return FieldAt(slot) != 0; }
  // Returns the table that a field points to; no table if it is absent.
  FlatTable Table(int slot) const;
  absl::string_view String(int slot) const;  // "" if absent
  absl::string_view Bytes(int slot) const;   // the contents of a vector of bytes
  std::vector<FlatTable> Tables(int slot) const;
  template <typename T>
  std::vector<T> Values(int slot) const {
    std::vector<T> values;
    const uint64_t field = FieldAt(slot);
    if (field == 0) return values;
    uint64_t count = 0;
    const uint64_t first = file_->Elements(file_->Follow(field), sizeof(T), count);
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), file_->bytes().data() + first, count * sizeof(T));
    return values;
  }

 private:
  // Returns the position of a field's value, or 0.
  uint64_t FieldAt(int slot) const;

  FlatBuffer* file_ = nullptr;
  uint64_t at_ = 0, vtable_ = 0;
  uint64_t fields_ = 0;  // number of entries of the vtable
  uint64_t size_ = 0;    // bytes of the table
};

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_FLATBUFFER_H_
