// Names the symbolic sizes of a model's inputs, so that `-D` can bind or bound them.
#ifndef LATHE_READER_ONNX_SYMBOLIC_SIZES_H_
#define LATHE_READER_ONNX_SYMBOLIC_SIZES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/reader/onnx/format/model.h"
#include "generator/support/source.h"

namespace lathe::onnx {

// Returns the key of a size: its dim_param or, without one, "<input>_<dimension>".
std::string SizeKey(const std::string& input, const Dim& dim, size_t dimension);

// Return the keys of the bytes per string of an input, and of the entries of a map.
std::string WidthKey(const std::string& input);
std::string MapSizeKey(const std::string& input);
// A map is two inputs, whose names end with these.
inline constexpr char kMapKeys[] = "_keys", kMapValues[] = "_values";

// Finds `key`, or its name in the program, in `sizes`. Returns null if it is absent.
const analysis::Interval* SizeOf(const std::map<std::string, analysis::Interval>& sizes,
                                 const std::string& key);

// Translates the keys of `sizes` to names of the program. Fails if a key is not a symbolic size of
// an input, and lists those that are, or if two keys give one size different values. Does not
// report a malformed model; the reader does.
absl::StatusOr<std::map<std::string, analysis::Interval>> NameSizes(
    const SourceFile& file, const std::map<std::string, analysis::Interval>& sizes);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SYMBOLIC_SIZES_H_
