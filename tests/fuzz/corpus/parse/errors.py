def f(x, y:
    a = (1,
    return x

def g()
    b = 1 +
  c = 2
	if x = 3:
      y
    else if z:
      y
    f(a b)
z = "abc
w = f(a.b=1)
"a" = 3
class :
  x: int
k = [1, 2)
(((
