hiaton assembly 1
# A contribution to an element that has its total: whether it comes before depends on the machine.
stage image
function 0 result () -> ([int])
in result
  %a accumulate_add.int 1 -> %i.0, %j.0, %o.0
  %i index.int _, 0 -> %c.0
  %j index.int _, 0 -> %t.0
  %c contribute.int _, 3 -> -
  %t total.int _, 4
  %o output.[int] _, part 0
