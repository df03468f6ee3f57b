// The sizes that the inputs of a model leave open, and what is said of them when it is read.
#ifndef LATHE_READER_ONNX_OPEN_SIZES_H_
#define LATHE_READER_ONNX_OPEN_SIZES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/reader/onnx/model.h"
#include "generator/support/source.h"

namespace lathe::onnx {

// What a size is called: its dim_param, or, where it has none, "<input>_<dimension>".
std::string SizeKey(const std::string& input, const Dim& dim, size_t dimension);

// What of `sizes` is said of `key`, or of its name in the program; null where nothing is.
const analysis::Interval* SizeOf(const std::map<std::string, analysis::Interval>& sizes,
                                 const std::string& key);

// `sizes` by the names that they have in the program. Fails when one is a size that no input of the
// model leaves open, and lists those that are; leaves it to the reader to say that there is no
// model.
absl::StatusOr<std::map<std::string, analysis::Interval>> NameSizes(
    const SourceFile& file, const std::map<std::string, analysis::Interval>& sizes);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_OPEN_SIZES_H_
