#include "generator/reader/tflite/format/flatbuffer.h"

namespace lathe::tflite {
namespace {

// Bytes of vectors read from one file, beyond its own size. Files of converters share few vectors.
constexpr uint64_t kMaxRepeatedBytes = uint64_t{64} << 20;
constexpr uint64_t kVtableHeader = 4;

}  // namespace

void FlatBuffer::Fail(absl::string_view what, uint64_t at) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(absl::StrCat("byte ", at, ": ", what));
}

FlatTable FlatBuffer::Root() {
  const uint64_t root = Follow(0);
  return status_.ok() ? FlatTable(this, root) : FlatTable();
}

uint64_t FlatBuffer::Elements(uint64_t at, uint64_t size, uint64_t& count) {
  count = 0;
  const uint64_t length = Read<uint32_t>(at);
  if (!status_.ok()) return 0;
  const uint64_t first = at + sizeof(uint32_t);
  if (length > (bytes_.size() - first) / size) {
    Fail("a vector or string ends outside the file", at);
    return 0;
  }
  read_ += length * size;
  if (read_ > bytes_.size() + kMaxRepeatedBytes) {
    if (status_.ok()) {
      status_ = absl::ResourceExhaustedError(
          absl::StrCat("byte ", at, ": vectors of the file are referenced so often that they have ",
                       "more than ", kMaxRepeatedBytes >> 20, " MiB in all"));
    }
    return 0;
  }
  count = length;
  return first;
}

FlatTable::FlatTable(FlatBuffer* file, uint64_t at) : at_(at) {
  const int64_t vtable = static_cast<int64_t>(at) - file->Read<int32_t>(at);
  if (!file->status().ok()) return;
  if (vtable < 0) {
    file->Fail("a table's vtable lies before the file", at);
    return;
  }
  vtable_ = static_cast<uint64_t>(vtable);
  const uint64_t bytes = file->Read<uint16_t>(vtable_);
  size_ = file->Read<uint16_t>(vtable_ + 2);
  if (!file->status().ok()) return;
  if (bytes < kVtableHeader || bytes % 2 != 0 || bytes > file->bytes().size() - vtable_) {
    file->Fail("a vtable has an invalid size", vtable_);
    return;
  }
  if (size_ < sizeof(int32_t) || size_ > file->bytes().size() - at) {
    file->Fail("a table has an invalid size", at);
    return;
  }
  fields_ = (bytes - kVtableHeader) / 2;
  file_ = file;
}

uint64_t FlatTable::FieldAt(int slot) const {
  if (file_ == nullptr || static_cast<uint64_t>(slot) >= fields_) return 0;
  const uint64_t offset =
      file_->Read<uint16_t>(vtable_ + kVtableHeader + 2 * static_cast<uint64_t>(slot));
  if (offset == 0) return 0;
  if (offset >= size_) {
    file_->Fail("a field lies outside its table", at_);
    return 0;
  }
  return at_ + offset;
}

FlatTable FlatTable::Table(int slot) const {
  const uint64_t field = FieldAt(slot);
  if (field == 0) return {};
  const uint64_t at = file_->Follow(field);
  return file_->status().ok() ? FlatTable(file_, at) : FlatTable();
}

absl::string_view FlatTable::String(int slot) const { return Bytes(slot); }

absl::string_view FlatTable::Bytes(int slot) const {
  const uint64_t field = FieldAt(slot);
  if (field == 0) return {};
  uint64_t count = 0;
  const uint64_t first = file_->Elements(file_->Follow(field), 1, count);
  return count == 0 ? absl::string_view() : file_->bytes().substr(first, count);
}

std::vector<FlatTable> FlatTable::Tables(int slot) const {
  std::vector<FlatTable> tables;
  const uint64_t field = FieldAt(slot);
  if (field == 0) return tables;
  uint64_t count = 0;
  const uint64_t first = file_->Elements(file_->Follow(field), sizeof(uint32_t), count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = file_->Follow(first + i * sizeof(uint32_t));
    if (!file_->status().ok()) break;
    tables.emplace_back(file_, at);
  }
  return tables;
}

}  // namespace lathe::tflite
