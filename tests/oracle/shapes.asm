hiaton assembly 1
# SHAPEs of tensors of each element and of ranks 0 to 4, and what takes extents; one has no destination.
stage image
tensor 0 rows real[3, 1] = 1.0, -2.0, 3.5
tensor 1 cube real32[2, 3, 1, 2] = 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, -0.5
tensor 2 at int[5] = 2, 2, 1, 0, 4
tensor 3 wide real[2, 3, 4] = 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0
tensor 4 front real[2, 3] = -0.0, 2.0, 3.0, 4.0, 5.0, 6.0
function 0 result () -> (tensor, tensor, tensor, tensor, tensor, tensor)
in result
  %r load constant 0 -> %sr.0, %p.0, %lost.0
  %c load constant 1 -> %sc.0
  %i load constant 2 -> %si.0
  %w load constant 3 -> %sw.0, %u.0
  %f load constant 4 -> %l.0
  %n scalar 2.5 -> %sn.0, %n2.0
  %sr shape _ -> %u.1
  %sc shape _ -> %o1.0
  %si shape _ -> %o2.0
  %sw shape _ -> %p.1, %l.1, %ss.0
  %ss shape _ -> %z.1
  %sn shape _ -> %o3.0, %n2.1
  %lost shape _ -> -
  %n2 combine _, _, kernel sum_to -> %z.0
  %z combine _, _, kernel spread_to -> %o4.0
  %u combine _, _, kernel sum_to -> %o5.0
  %p combine _, _, kernel spread_to -> %x.0
  %l combine _, _, kernel spread_last_to -> %x.1
  %x combine _, _, kernel add -> %o6.0
  %o1 output.tensor _, part 0
  %o2 output.tensor _, part 1
  %o3 output.tensor _, part 2
  %o4 output.tensor _, part 3
  %o5 output.tensor _, part 4
  %o6 output.tensor _, part 5
