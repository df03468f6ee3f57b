// Decodes the option tables of operators, by the field lists of option_tables.def.
#ifndef LATHE_READER_TFLITE_FORMAT_DECODE_OPTIONS_H_
#define LATHE_READER_TFLITE_FORMAT_DECODE_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"
#include "generator/reader/tflite/format/flatbuffer.h"

namespace lathe::tflite {

// Returns every field of option table `number`, absent ones with their defaults. `second` selects
// the second union. Unknown numbers have no fields.
ir::AttrMap DecodeOptions(int number, bool second, const FlatTable& table);

struct OptionField {
  std::string name;
  absl::string_view type;  // as option_tables.def writes it: "int"
  int64_t otherwise = 0;
};
// Returns the fields of an option table; a negative number is one of the second union.
std::vector<OptionField> OptionFields(int number);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_DECODE_OPTIONS_H_
