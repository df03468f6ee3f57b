"""Holds the data types and functions of random Relay programs, and what each function computes."""

TEXT = """#[version = "0.0.5"]
type List[A] { Cons(A, List[A]), Nil }
type Option[A] { Some(A), None }
type Tree[A] { Rose(A, List[Tree[A]]) }
type Either[A, B] { Left(A), Right(B) }
type Colour { Red, Green(int32), Blue(int32, Colour) }
type Nest[A] { End, Deep(A, Nest[(A, A)]) }
type Even { Zero, AfterOdd(int32, Odd) }
type Odd { AfterEven(int32, Even) }
type Action { Keep(int32), Apply(fn (int32) -> int32), Both(Action, Action) }
def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {
  match (%l) { Cons(%x, %t) => Cons(%f(%x), @map(%f, %t)), Nil => Nil }
}
def @foldl[A, B](%f: fn (A, B) -> A, %z: A, %l: List[B]) -> A {
  match (%l) { Cons(%x, %t) => @foldl(%f, %f(%z, %x), %t), Nil => %z }
}
def @foldr[A, B](%f: fn (A, B) -> B, %z: B, %l: List[A]) -> B {
  match (%l) { Cons(%x, %t) => %f(%x, @foldr(%f, %z, %t)), Nil => %z }
}
def @filter[A](%p: fn (A) -> bool, %l: List[A]) -> List[A] {
  match (%l) {
    Cons(%x, %t) => if (%p(%x)) { Cons(%x, @filter(%p, %t)) } else { @filter(%p, %t) },
    Nil => Nil
  }
}
def @zip[A, B](%l: List[A], %m: List[B]) -> List[(A, B)] {
  match (%l, %m) { (Cons(%x, %t), Cons(%y, %u)) => Cons((%x, %y), @zip(%t, %u)), _ => Nil }
}
def @upto(%n: int32) -> List[int32] { if (%n > 0) { Cons(%n, @upto(%n - 1)) } else { Nil } }
def @first[A](%l: List[A], %d: A) -> A { match (%l) { Cons(%x, _) => %x, Nil => %d } }
def @compose[A, B, C](%f: fn (B) -> C, %g: fn (A) -> B) -> fn (A) -> C { fn (%x: A) -> C { %f(%g(%x)) } }
def @chain[A](%l: List[fn (A) -> A]) -> fn (A) -> A {
  match (%l) { Cons(%f, %t) => @compose(%f, @chain(%t)), Nil => fn (%x: A) -> A { %x } }
}
def @twice[A](%f: fn (A) -> A, %x: A) -> A { %f(%f(%x)) }
def @swap[A, B](%p: (A, B)) -> (B, A) { (%p.1, %p.0) }
def @maybe[A, B](%o: Option[A], %d: B, %f: fn (A) -> B) -> B { match (%o) { Some(%x) => %f(%x), None => %d } }
def @either[A, B, C](%e: Either[A, B], %f: fn (A) -> C, %g: fn (B) -> C) -> C {
  match (%e) { Left(%x) => %f(%x), Right(%y) => %g(%y) }
}
def @even(%n: int32) -> bool { if (%n <= 0) { True } else { @odd(%n - 1) } }
def @odd(%n: int32) -> bool { if (%n <= 0) { False } else { @even(%n - 1) } }
def @red(%n: int32, %s: int32) -> int32 { if (%n <= 0) { %s } else { @green(%n - 1, %s + %n) } }
def @green(%n: int32, %s: int32) -> int32 { if (%n <= 0) { %s * 2 } else { @blue(%n - 2, %s - 1) + 1 } }
def @blue(%n: int32, %s: int32) -> int32 { if (%n <= 0) { %s * 3 } else { @red(%n - 1, %s * 2) } }
def @treesum(%t: Tree[int32]) -> int32 {
  match (%t) {
    Rose(%x, %c) => %x + @foldl(fn (%a: int32, %b: Tree[int32]) -> int32 { %a + @treesum(%b) }, 0, %c)
  }
}
def @sumeven(%e: Even) -> int32 { match (%e) { Zero => 0, AfterOdd(%n, %o) => %n + @sumodd(%o) } }
def @sumodd(%o: Odd) -> int32 { match (%o) { AfterEven(%n, %e) => %n * 2 - @sumeven(%e) } }
def @evens(%n: int32) -> Even { if (%n <= 0) { Zero } else { AfterOdd(%n, @odds(%n - 1)) } }
def @odds(%n: int32) -> Odd { AfterEven(%n, @evens(%n - 1)) }
def @depth[A](%n: Nest[A]) -> int32 { match (%n) { End => 0, Deep(_, %t) => 1 + @depth(%t) } }
def @nestsum[A](%f: fn (A) -> int32, %n: Nest[A]) -> int32 {
  match (%n) {
    End => 0,
    Deep(%x, %t) => %f(%x) + @nestsum(fn (%p: (A, A)) -> int32 { %f(%p.0) - %f(%p.1) }, %t)
  }
}
def @act(%a: Action, %x: int32) -> int32 {
  match (%a) { Keep(%k) => %k, Apply(%f) => %f(%x), Both(%p, %q) => @act(%q, @act(%p, %x)) }
}
def @any(%v: Tensor[(?), int32]) -> Tensor[(?), int32] { %v }
def @grow(%n: int32, %v: Tensor[(?), int32]) -> Tensor[(?), int32] {
  if (%n <= 0) { %v } else { @grow(%n - 1, concatenate((%v, reshape(%n, newshape=[1])))) }
}
"""


def wrap(value, bits=32):
    return (value + 2**(bits - 1)) % 2**bits - 2**(bits - 1)


def stages(colour, n, s):
    """@red, @green and @blue."""
    if n <= 0:
        return wrap(s * {"red": 1, "green": 2, "blue": 3}[colour])
    if colour == "red":
        return stages("green", n - 1, wrap(s + n))
    if colour == "green":
        return wrap(stages("blue", n - 2, wrap(s - 1)) + 1)
    return stages("red", n - 1, wrap(s * 2))


def evens(n):
    return ("Zero",) if n <= 0 else ("AfterOdd", n, ("AfterEven", n - 1, evens(n - 2)))


def sum_even(even):
    if even[0] == "Zero":
        return 0
    return wrap(even[1] + even[2][1] * 2 - sum_even(even[2][2]))


def nest_sum(function, nest):
    """A nest is the list of its elements, of which the next one is always a pair."""
    if not nest:
        return 0
    rest = nest_sum(lambda p: wrap(function(p[0]) - function(p[1])), nest[1:])
    return wrap(function(nest[0]) + rest)


def act(action, x):
    if action[0] == "Keep":
        return action[1]
    if action[0] == "Apply":
        return action[1](x)
    return act(action[2], act(action[1], x))
