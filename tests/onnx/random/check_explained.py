"""Checks that explained.list explains no wrong result of another kind.

Each planted problem is what run.py prints of a fault in the compiler. No row may match it.
"""
import sys

import run

PLANTED = [
    ("Cast(float->uint8)", "values: output 0: 1 of 12 elements differ, the first at 3; at most by 255"),
    ("Cast(float->int16)", "values: output 0: 1 of 12 elements differ, the first at 3; at most by 32768"),
    ("CastLike(float,int64->int64)", "values: output 0: 1 of 12 elements differ, the first at 3; at most by 9.22337e+18"),
    ("Cast(float->float8e5m2)", "values: output 0: 1 of 12 elements differ, the first at 3; at most by 128"),
    ("GridSample(float,float16->float)", "values: output 0: 3 of 8 elements differ, the first at 0; at most by 0.00401783"),
    ("GridSample(float,float->float)", "values: output 0: 3 of 8 elements differ, the first at 0; at most by 0.001"),
    ("QLinearAveragePool(uint8,float,uint8,float,uint8->uint8)",
     "values: output 0: 3 of 8 elements differ, the first at 0; at most by 1"),
    ("ReduceProd(int32->int32)", "values: output 0: 1 of 1 elements differ, the first at 0; at most by 2.1e+09"),
    ("ReduceSum(float,int64->float)", "values: output 0: 1 of 1 elements differ, the first at 0; at most by 1e-05"),
    ("DFT(float,,int64->float)", "values: output 0: 9 of 20 elements differ, the first at 0; at most by 0.001"),
    ("NegativeLogLikelihoodLoss(float,int64->float)",
     "run-out-of-bounds: 'x[0, 5]' is out of bounds: index 5 of dimension 1 must be less than 5"),
    ("LpNormalization(float->float)", "values: output 0: 1 of 8 elements differ, the first at 0; at most by 1"),
    ("Squeeze(float,int64->float)", "values: output 0: 1 of 8 elements differ, the first at 0; at most by 1"),
    ("Resize(float,float,float->float)", "values: output 0: 1 of 8 elements differ, the first at 0; at most by 1e-06"),
    ("Attention(float,float,float->float)", "import: onnx-bad-node: axis 2 is repeated"),
    ("Conv(float,float->float)", "onnx-declared-clash: the model declares that 'y' is 2 long in dimension 2, but it is 3"),
    ("Gather(float,int64->float)", "run-out-of-bounds: 'x[5]' is out of bounds: index 5 of dimension 0"),
]


def main():
    rows = run.explained()
    wrong = 0
    for operators, problem in PLANTED:
        for operator, pattern, reason in rows:
            if operator.search(operators) and pattern.search(problem):
                print("explained: %s: %s: %s" % (operators, problem, reason))
                wrong += 1
    print("%d planted problems, %d explained" % (len(PLANTED), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
