// What a name of an ONNX graph stands for while the graph is imported.
#ifndef LATHE_READER_ONNX_TERM_H_
#define LATHE_READER_ONNX_TERM_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::onnx {

// The elements of an integer tensor, as expressions of shape variables: what shapes are computed
// with before they are used as shapes.
struct Elements {
  ir::DType dtype;
  int rank = 0;  // 0 or 1
  std::vector<ir::PrimRef> values;
};

// Strings are known when the model is imported, or not at all.
struct Strings {
  std::vector<int64_t> shape;
  std::vector<std::string> values;
};

struct Term {
  Term() = default;
  Term(ir::Operand o) : operand(std::move(o)) {}
  Term(Elements e) : elements(std::move(e)) {}
  static Term OfSequence(std::vector<Term> items) {
    Term term;
    term.sequence = std::make_shared<const std::vector<Term>>(std::move(items));
    return term;
  }

  // A tensor of the program; nothing where only the elements are known and nobody asked for more.
  std::optional<ir::Operand> operand;
  std::optional<Elements> elements;
  // A list of values whose length is known; null where it is none.
  std::shared_ptr<const std::vector<Term>> sequence;
  std::shared_ptr<const Strings> strings;
  // The published number of an element type that travels as bytes (small_formats.h); 0: none.
  int32_t format = 0;
  // Why the shape of the operand is not known (unequal_sizes.h); null where nothing is to be said.
  std::shared_ptr<const std::string> why_no_shape;
  bool none = false;        // an optional that holds nothing
  bool unimported = false;  // of a node that could not be imported, or of one that depends on it
  // Of an input of the model: the integers that the program may be made for (likely_values.h).
  std::shared_ptr<const std::vector<int64_t>> likely;
};

// The results of a node.
struct Results {
  Results(ir::Operand one) : terms{Term(std::move(one))} {}
  Results(Term one) : terms{std::move(one)} {}
  Results(std::vector<Term> several) : terms(std::move(several)) {}
  Results(const std::vector<ir::Operand>& several) {
    for (const ir::Operand& o : several) terms.emplace_back(o);
  }
  std::vector<Term> terms;
};

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_TERM_H_
