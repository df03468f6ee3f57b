// Defines the value that a name of an ONNX graph has during the import.
#ifndef LATHE_READER_ONNX_TERM_H_
#define LATHE_READER_ONNX_TERM_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::onnx {

// The elements of an integer tensor as expressions of shape variables, used by shape arithmetic.
struct Elements {
  ir::DType dtype;
  int rank = 0;  // 0 or 1
  std::vector<ir::PrimRef> values;
};

// Constant strings. Other strings are rows of bytes.
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

  // A tensor of the program. Empty if only the elements are known and no tensor was created yet.
  std::optional<ir::Operand> operand;
  std::optional<Elements> elements;
  // A sequence of known length; null if the term is not a sequence.
  std::shared_ptr<const std::vector<Term>> sequence;
  std::shared_ptr<const Strings> strings;
  // The keys and the values of a map, two tensors of one length; null if the term is not a map.
  std::shared_ptr<const std::vector<Term>> map;
  // The labels of the columns of a tensor, integers or strings, for users of the program; null: not
  // known.
  std::shared_ptr<const ir::AttrList> keys;
  // The ONNX element type of a tensor that is stored as bytes (small_formats.h); 0: none.
  int32_t format = 0;
  // Why the shape of the operand is unknown (unequal_sizes.h), for messages; may be null.
  std::shared_ptr<const std::string> why_no_shape;
  bool none = false;        // an empty optional
  bool unimported = false;  // the result of a node that was not imported, or that depends on one
  // For an input of the model: the elements that nodes may be specialized for
  // (specialized_values.h).
  std::shared_ptr<const std::vector<int64_t>> specialized;
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
