hiaton assembly 1
# PAIRs of every kernel of three tensors, and of one with numbers, of elements of two sizes; one is a result, and one has no destination.
stage image
tensor 0 rows real[3, 2] = 1.0, -2.0, 3.5, 4.0, 5.0, 6.0
tensor 1 more real[2, 2] = 7.0, 8.0, 9.0, 10.0
tensor 2 at int[2] = 2, 2
tensor 3 holds bool[2] = true, false
tensor 4 short real32[1] = 1.5
tensor 5 around real = 0.5
function 0 result () -> (tensor, tensor, tensor, tensor, tensor)
in result
  %t load constant 0 -> %u.0, %a.0, %s.0
  %m load constant 1 -> %p.1, %q.1
  %i load constant 2 -> %p.0, %b.0
  %h load constant 3 -> %c.0, %w.0
  %f load constant 4 -> %w.1
  %p pair _, _ -> %u.1, %a.1
  %q pair _, _ -> -
  %w pair _, _ -> %o3.0
  %u combine _, _, kernel update -> %o1.0, %r.0
  %a combine _, _, kernel scatter_add -> %o2.0, %q.0
  %v load constant 5 -> %b.1
  %b pair _, _ -> %e.1
  %e combine _, _, kernel pad_with.0 -> %o5.0
  %s map _, kernel neg -> %r.1, %e.0
  %r pair _, _ -> %c.1
  %c combine _, _, kernel select -> %o4.0
  %o1 output.tensor _, part 0
  %o2 output.tensor _, part 1
  %o3 output.tensor _, part 2
  %o4 output.tensor _, part 3
  %o5 output.tensor _, part 4
