hiaton assembly 1
# Two equal tokens of different instructions are in a worker's own list.
# settings: executor.workers=1 executor.inline=tag queue.discipline=lifo executor.live.latency=10
stage image
function 0 result () -> (int)
in result
  %k const.int 1 -> %a.0, %b.0
  %a add.int _, 1 -> %m.0
  %b mul.int _, 2 -> %m.0
  %m merge.int _ -> %o.0
  %o output.int _, part 0
