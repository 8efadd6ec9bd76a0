hiaton assembly 1
# Iteration n needs what iteration n + 1 stores: it goes on beyond its bound.
stage image
function 0 result () -> ([int])
loop 1 result.loop (int, [int]) -> () bound 1
site 0 result -> result.loop
in result
  %a alloc.int 4 -> %e1.0, %o.0
  %e0 enter.int 0, site 0, param 0 -> %m0.0
  %e1 enter.[int] _, site 0, param 1 -> %m1.0
  %o output.[int] _, part 0
in result.loop
  %m0 merge.int _ -> %c.0, %s0.0
  %m1 merge.[int] _ -> %s1.0
  %c lt.int _, 3 -> %s0.1, %s1.1
  %s0 switch.int _, _ -> %i.1, %p.0, %j.0 | %x.1
  %s1 switch.[int] _, _ -> %i.0, %q.0, %n1.0 | %x.0
  %j add.int _, 1 -> %n0.0
  %p add.int _, 1 -> %q.1
  %q index.int _, _ -> %f.0
  %f fetch.int _ -> %g.0
  %g add.int _, 1 -> %st.1
  %i index.int _, _ -> %st.0
  %st store.int _, _
  %x index.int _, _ -> %xs.0
  %xs store.int _, 10
  %n0 next.int _, site 0, param 0 -> %m0.0
  %n1 next.[int] _, site 0, param 1 -> %m1.0
