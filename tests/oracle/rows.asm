hiaton assembly 1
# ROWs whose operands are both tokens, of ints, of an array without elements, and one that nothing takes.
stage image
tensor 0 even real[2, 3] = 1.0, -2.0, 3.5, 4.0, 5.0, -6.0
tensor 1 none real[0] =
function 0 result () -> ([real], [int], [int], int)
in result
  %t load constant 0 -> %a.0, %b.0, %c.0
  %i const.int 1 -> %a.1, %j.0
  %j sub.int _, 1 -> %b.1
  %a row.real _, _ -> %o.0
  %b row.int _, _ -> %p.0, %l.0
  %l length.int _ -> %r.0
  %n load constant 1 -> %d.0
  %d row.int _, 0 -> %q.0
  %c row.int _, 1 -> -
  %o output.[real] _, part 0
  %p output.[int] _, part 1
  %q output.[int] _, part 2
  %r output.int _, part 3
