// Lists the subgraphs of a model that become exported functions.
#ifndef LATHE_READER_TFLITE_EXPORTS_H_
#define LATHE_READER_TFLITE_EXPORTS_H_

#include <vector>

#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// Returns one for each signature; for a model without signatures, its first subgraph. Inputs and
// outputs have the names of the signature or, without one, of the tensors.
std::vector<Export> ExportsOf(const Model& model);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_EXPORTS_H_
