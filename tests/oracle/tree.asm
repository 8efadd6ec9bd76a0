hiaton assembly 1
# Data with fields of all types, in a loop that makes and drops it, and data that contains itself.
stage image
input n int = 5
constructor Leaf of Tree 0
constructor Node of Tree 1 (data left, [int], tensor, real weight)
constructor Cell of Ring 0 (data next, int)
tensor 0 w real[2] = 1.0, 2.0
function result () -> (int, real, data)
loop up (int, int) -> (int)
site result -> up

in result
  %0   enter.int 1, site 0, param 0     -> %20.0
  %1   enter.int 0, site 0, param 1     -> %21.0
  %2   output.int _, part 0
  %3   construct constructor Node       -> %4.0, %5.0, %6.0, %7.0, %8.0, %14.0
  %4   fill.real _, 2.5, field Node.3
  %5   fill.data _, Leaf, field Node.0
  %6   fill.tensor _, _, field Node.2
  %7   field.real _, field Node.3       -> %13.0
  %8   fill.[int] _, _, field Node.1
  %9   load constant 0                  -> %6.1
  %10  alloc.int 2                      -> %8.1, %11.0, %12.0
  %11  index.int _, 0                   -> %15.0
  %12  index.int _, 1                   -> %16.0
  %13  output.real _, part 1
  %14  output.data _, part 2
  %15  store.int _, 7
  %16  store.int _, 8
  %17  construct constructor Cell       -> %18.0, %18.1, %19.0
  %18  fill.data _, _, field Cell.0
  %19  fill.int _, 1, field Cell.1

in up
  %20  merge.int _                      -> %22.0, %23.0
  %21  merge.int _                      -> %24.0
  %22  le.int _, $n                     -> %23.1, %24.1
  %23  switch.int _, _                  -> %25.0, %27.0, %28.1 | -
  %24  switch.int _, _                  -> %33.0 | %35.0
  %25  add.int _, 1                     -> %26.0
  %26  next.int _, site 0, param 0      -> %20.0
  %27  construct _, constructor Cell    -> %28.0, %29.0, %30.0
  %28  fill.int _, _, field Cell.1
  %29  fill.data _, Leaf, field Cell.0
  %30  field.int _, field Cell.1        -> %33.1
  %33  add.int _, _                     -> %34.0
  %34  next.int _, site 0, param 1      -> %21.0
  %35  exit.int _, site 0, part 0       -> %2.0
