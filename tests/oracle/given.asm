hiaton assembly 1
# GIVENs of ints, reals and bools, of constants and of inputs, at top level and in a function, where
# each call makes an array; of no elements; and one that nothing takes.
stage image
tensor 0 x int[4] = 3, -1, 4, 1
tensor 1 e.0 int[3] = 0, 1, 2
tensor 2 e.1 real[3] = 0.5, 1.5, -0.0
tensor 3 flags bool[2] = true, false
tensor 4 none real[0] =
tensor 5 w real[2, 2] = 1.0, 2.0, 3.0, 4.0
input 0 x [int] = tensors 0 to 0
input 1 k int = 1
input 2 e [int] = tensors 1 to 2
input 3 none [real] = tensors 4 to 4
input 4 w tensor = tensors 5 to 5
cell 0 x [int]
function 0 result () -> ([int], int, [real], int, real, real, bool)
function 1 f (int) -> (int)
site 0 result -> f
site 1 result -> f
in result
  %x given.int constant 0 -> %s.0
  %s write.[int] _, cell 0
  %y read.[int] cell 0 -> %o.0
  %o output.[int] _, part 0
  %g call.int 3, site 0, param 0 -> %a.0 | %b.1
  %b return.int _, _, site 0, part 0 -> %i.1
  %e given.int constant 1 -> %i.0
  %i index.int _, _ -> %j.0
  %j fetch.int _ -> %p.0
  %p output.int _, part 1
  %n given.real constant 4 -> %q.0, %l.0
  %q output.[real] _, part 2
  %l length.real _ -> %h.0
  %h call.int _, site 1, param 0 -> %a.0 | %c.1
  %c return.int _, _, site 1, part 0 -> %r.0
  %r output.int _, part 3
  %d given.real constant 2 -> %k.0
  %k index.real _, 2 -> %m.0
  %m fetch.real _ -> %t.0
  %t output.real _, part 4
  %w load constant 5 -> %u.0
  %u item _, 3 -> %v.0
  %v output.real _, part 5
  %z given.bool constant 3 -> %A.0
  %A index.bool _, $k -> %B.0
  %B fetch.bool _ -> %C.0
  %C output.bool _, part 6
  %D given.bool constant 3 -> -
in f
  %a merge.int _ -> %E.0, %F.1
  %E given.int _, constant 0 -> %F.0
  %F index.int _, _ -> %G.0
  %G fetch.int _ -> return 0
