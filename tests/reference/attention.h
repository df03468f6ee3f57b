// Scaled dot product attention over [batch, sequence, heads, head size], as PyTorch defines it.
#ifndef LATHE_TESTS_REFERENCE_ATTENTION_H_
#define LATHE_TESTS_REFERENCE_ATTENTION_H_

#include <functional>

#include "tests/reference/array.h"

namespace lathe::reference {

// Whether query `i` sees key `j`.
using Sees = std::function<bool(int64_t i, int64_t j)>;

// softmax(q k' * scale + bias) v for each head; queries may have more heads than keys and values,
// which then serve several, one after the other. A query that sees no key gives NaN.
Array Attention(const Array& q, const Array& k, const Array& v, const Array& bias, double scale,
                const Sees& sees);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_ATTENTION_H_
