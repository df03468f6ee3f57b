// Prints the constants of a model in its source, as numbers or as 64-bit words, or as a binary
// file.
#ifndef LATHE_EMIT_C_PRINT_CONSTANTS_H_
#define LATHE_EMIT_C_PRINT_CONSTANTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Returns the dtype and the shape of a constant for a comment: "float32[4, 4]".
std::string DescribeConstant(const ir::Tensor& tensor);

// Returns the attribute that aligns the constants of `program`, with a blank before it, or "". A
// load of a vector that crosses a cache line takes twice as long.
std::string ConstantAttribute(const ir::Program& program, const Target& target);

// Prints `bytes` as little-endian 64-bit words "UINT64_C(0x...),", three words a line. Prints one
// zero word if `bytes` is empty.
std::string WordsText(absl::string_view bytes);
// Returns the number of words that WordsText() prints.
size_t WordCount(absl::string_view bytes);

// Sets model.constants and returns the constants for the template of the source. Adds their names
// to `names`. If the model's weights are a file, returns an empty list and appends the constants to
// `blob`; each one starts at a multiple of the target's alignment.
absl::StatusOr<TemplateValue::List> PrintConstants(Model& model, std::string& blob,
                                                   std::vector<std::string>& names);

// Returns true if a constant of PrintConstants() is printed as words, which depend on the byte
// order.
bool HaveWords(const TemplateValue::List& constants);

// Returns the checksum that init computes of the file `blob`: an FNV-1a hash of its 32-bit
// words, folded after each.
uint32_t BlobChecksum(absl::string_view blob);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CONSTANTS_H_
