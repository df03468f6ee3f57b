#!/usr/bin/env python3
"""Tests that check_local_names.py finds clashes and accepts names that do not clash."""
import sys
import unittest

sys.dont_write_bytecode = True
import check_local_names


def layer(first, second, header=""):
    inside = "namespace lathe::ir {{\nnamespace {{\n{}\n}}}}\n}}}}\n"
    return list(check_local_names.clashes({"a.cc": inside.format(first), "b.cc": inside.format(second),
                                           "c.h": "namespace lathe::ir {\n" + header + "\n}\n"}))


class LocalNamesTest(unittest.TestCase):
    def test_clashes(self):
        for first, second in (
                ("class Walk {\n};", "struct Walk {\n  int x = 0;\n};"),
                ("constexpr int kLimit = 3;", "constexpr int64_t kLimit = int64_t{1} << 3;"),
                ("constexpr Row kRows[] = {\n    {1, {2}},\n};", "const std::map<int, int> kRows = {};"),
                ("using Result = absl::StatusOr<int>;", "using Result = absl::StatusOr<bool>;"),
                ("bool Is(PrimRef e) { return true; }", "bool Is(PrimRef other);"),
                ("bool Is(const ir::Stmt& e = {}) { return true; }", "int Is(const Stmt& s) { return 1; }"),
                ("struct Line {\n};", "std::string Line(int n) { return {}; }"),
                ("using testing::Ints;", "using reference::Ints;"),
                ("using testing::Numbers;", "int Numbers() { return 1; }"),
                ("TEST(Reads, Lines) {\n}", "TEST_F(Reads, Lines) {\n}"),
        ):
            found = layer(first, second)
            self.assertEqual(len(found), 1, (first, second, found))
            self.assertIn("may be compiled together", found[0])

    def test_header(self):
        found = layer("int CountOf(int n) { return n; }", "", "std::optional<int> CountOf(const Loop& loop);")
        self.assertEqual(len(found), 1, found)
        self.assertIn("c.h declares the name too", found[0])

    def test_no_clashes(self):
        for first, second in (
                ("class Walk {\n};", "class Talk {\n  int Walk();\n};"),
                ("using Json = nlohmann::json;", "using Json = nlohmann::json;"),
                ("using testing::Ints;", "using ::lathe::testing::Ints;"),
                ("bool Is(PrimRef e) { return true; }", "bool Is(StmtRef s) { return true; }"),
                ("// class Walk {};", "class Walk {\n};"),
                ("TEST(Reads, Lines) {\n}", "TEST(Reads, Words) {\n}"),
                ("constexpr char kText[] = \"class Walk {};\";", "class Walk {\n};"),
        ):
            self.assertEqual(layer(first, second), [])
        self.assertEqual(layer("}\nclass Walk {\n};\nnamespace {", "class Talk {\n};"), [])


if __name__ == "__main__":
    unittest.main()
