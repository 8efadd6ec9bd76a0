hiaton assembly 1
# VECTORs of scalars and vectors, of every element, whose operands are both tokens; one that nothing takes.
stage image
tensor 0 even real[3] = 1.0, -2.0, 3.5
tensor 1 none real[0] =
tensor 2 short real32[2] = 1.5, 2.5
function 0 result () -> (tensor, tensor, tensor, tensor, int)
in result
  %t load constant 0 -> %a.0, %b.0, %b.1, %d.0
  %n load constant 1 -> %a.1
  %h load constant 2 -> %e.1
  %x scalar 0.5 -> %d.1
  %f scalar.real32 0.1 -> %e.0
  %i scalar.int 7 -> %c.0, %c.1
  %p scalar.bool true -> %q.0, %q.1
  %a vector _, _ -> %o1.0
  %b vector _, _ -> -
  %d vector _, _ -> %m.0
  %m map _, kernel reduce_sum -> %o2.0
  %e vector _, _ -> %o3.0
  %c vector _, _ -> %g.0
  %g item.int _, 1 -> %o5.0
  %q vector _, _ -> %o4.0
  %o1 output.tensor _, part 0
  %o2 output.tensor _, part 1
  %o3 output.tensor _, part 2
  %o4 output.tensor _, part 3
  %o5 output.int _, part 4
