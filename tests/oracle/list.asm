hiaton assembly 1
# result = (sum(build(n)), build(3)), of
#   data List = Nil | Cons(head: int, tail: List)
#   build(n) = if n == 0 then Nil else Cons(n, build(n - 1))
#   sum(l) = case l of Nil -> 0 | Cons(h, t) -> h + sum(t)
stage image
input n int = 4
constructor Nil of List 0
constructor Cons of List 1 (int head, data tail)
function result () -> (int, data)
function build (int) -> (data)
function sum (data) -> (int)
site result -> build
site result -> sum
site result -> build
site build -> build
site sum -> sum

in result
  %0   call.int $n, site 0, param 0     -> %10.0 | %1.1
  %1   return.data _, _, site 0, part 0 -> %2.0
  %2   call.data _, site 1, param 0     -> %30.0 | %3.1
  %3   return.int _, _, site 1, part 0  -> %4.0
  %4   output.int _, part 0
  %5   call.int 3, site 2, param 0      -> %10.0 | %6.1
  %6   return.data _, _, site 2, part 0 -> %7.0
  %7   output.data _, part 1

in build
  %10  merge.int _                      -> %11.0, %12.0
  %11  eq.int _, 0                      -> %12.1
  %12  switch.int _, _                  -> %13.1 | %14.0, %16.1, %17.0
  %13  const.data Nil, _                -> %20.0
  %14  sub.int _, 1                     -> %15.0
  %15  call.int _, site 3, param 0      -> %10.0 | %19.1
  %16  fill.int _, _, field Cons.0
  %17  construct _, constructor Cons    -> %16.0, %18.0, %20.0
  %18  fill.data _, _, field Cons.1
  %19  return.data _, _, site 3, part 0 -> %18.1
  %20  mergeif.data _                     -> return 0

in sum
  %30  merge.data _                     -> %31.0, %33.0
  %31  constructor _                    -> %32.0
  %32  eq.int _, 0                      -> %33.1, %34.1
  %33  switch.data _, _                 -> - | %35.0, %36.0
  %34  switch.int 0, _                  -> %39.0 | -
  %35  field.int _, field Cons.0        -> %38.0
  %36  field.data _, field Cons.1       -> %37.0
  %37  call.data _, site 4, param 0     -> %30.0 | %40.1
  %38  add.int _, _                     -> %39.0
  %40  return.int _, _, site 4, part 0  -> %38.1
  %39  mergeif.int _                      -> return 0
