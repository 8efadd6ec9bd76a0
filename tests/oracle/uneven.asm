hiaton assembly 1
# Arrays in one pair of brackets of the result differ in length.
stage image
function 0 result () -> ([int], [int])
shape "[(_, _)]"
in result
  %a alloc.int 1 -> %i.0, %o.0
  %b alloc.int 2 -> %j.0, %k.0, %p.0
  %i index.int _, 0 -> %s.0
  %j index.int _, 0 -> %t.0
  %k index.int _, 1 -> %u.0
  %s store.int _, 1
  %t store.int _, 2
  %u store.int _, 3
  %o output.[int] _, part 0
  %p output.[int] _, part 1
