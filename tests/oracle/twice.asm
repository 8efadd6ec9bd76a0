hiaton assembly 1
# A part of the result comes twice. On these machines one of two equal tokens comes from another
# executor when a worker sends the other.
# settings: queue.discipline=lifo partition.by=random partition.machines=2 partition.seed=340 network.latency=1 network.bandwidth=16 executor.workers=75 executor.inline=none executor.live.latency=1 class.slow.pes=1-74 class.slow.executor.live.latency=0
# settings: partition.by=random partition.machines=2 partition.seed=322 network.latency=1 executor.workers=41 executor.live.latency=1 class.a.pes=1-4,30-38 class.a.executor.live.latency=0
stage image
function 0 result () -> (int)
in result
  %k const.int 1 -> %m.0, %n.0
  %n add.int _, 1 -> %m.0
  %m merge.int _ -> %o.0
  %o output.int _, part 0
