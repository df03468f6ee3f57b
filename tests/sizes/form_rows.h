// Programs of several operators for kernel forms that no single operator has: epilogues, rows,
// windows, integers, movements.
#ifndef LATHE_TESTS_SIZES_FORM_ROWS_H_
#define LATHE_TESTS_SIZES_FORM_ROWS_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "tests/random/dice.h"
#include "tests/random/write_program.h"

namespace lathe::sizes {

// A dimension of a parameter: a number, or a variable of that size.
struct FormDim {
  std::string text;
  int64_t size;
};

// Draws dimensions and attributes, and puts the program's text together.
class FormText {
 public:
  FormText(const random::OpSizes& sizes, uint64_t seed) : sizes_(sizes), dice(seed) {}

 private:
  const random::OpSizes& sizes_;

 public:
  random::Dice dice;
  FormDim Open();   // the variables n0 and m1 mostly
  FormDim Fixed();  // a number
  FormDim Few();    // a small one
  // "(2, n0)"
  static std::string Shape(const std::vector<FormDim>& dims);
  // A parameter of the main function: its name.
  std::string Param(const std::vector<FormDim>& dims, const std::string& dtype = "float32");
  // A constant of float32.
  static std::string Weights(const std::vector<FormDim>& dims);
  // Another line: the name of what it computes.
  std::string Line(const std::string& value);
  // The program that gives `out`.
  std::string Program(const std::string& out) const;

 private:
  std::string params_, lines_;
  int count_ = 0;
};

struct FormRow {
  const char* name;
  std::string (*make)(FormText& t);  // the name of what is returned
  double unit = 0;  // that integers may be one off: quantized operators may round once less
};

absl::Span<const FormRow> FormRows();

}  // namespace lathe::sizes

#endif  // LATHE_TESTS_SIZES_FORM_ROWS_H_
