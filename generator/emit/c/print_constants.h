// The numbers of a model: in its source, as 64-bit words, or in a file beside it.
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

// `bytes` as "UINT64_C(0x...)," in lines of three, the first byte lowest; one word where there are
// none.
std::string WordsText(absl::string_view bytes);
size_t WordCount(absl::string_view bytes);

// Sets model.constants. The result is what the template of the source reads; empty, with `blob`
// filled, where the model's weights are a file: each constant then starts at a multiple of the
// target's alignment. `names` are those of the constants in the source.
absl::StatusOr<TemplateValue::List> PrintConstants(Model& model, std::string& blob,
                                                   std::vector<std::string>& names);

// What init computes of a blob: a hash of its 32-bit words.
uint32_t BlobChecksum(absl::string_view blob);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CONSTANTS_H_
