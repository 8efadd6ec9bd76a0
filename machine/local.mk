libinternal_a_SOURCES += \
  machine/checkpoint.h \
  machine/classes.c \
  machine/classes.h \
  machine/describe.c \
  machine/describe.h \
  machine/engine/cycle.c \
  machine/engine/cycle.h \
  machine/engine/engine.h \
  machine/engine/executor.c \
  machine/engine/executor.h \
  machine/engine/executor_divided.c \
  machine/engine/executor_network.c \
  machine/engine/executor_network.h \
  machine/engine/executor_run.h \
  machine/engine/executor_traced.c \
  machine/engine/general.c \
  machine/engine/general_issue.h \
  machine/engine/general_traced.c \
  machine/engine/plain.c \
  machine/engine/plain_classes.c \
  machine/engine/plain_issue.h \
  machine/engine/plain_pure.c \
  machine/engine/plain_pure_classes.c \
  machine/engine/plain_pure_traced.c \
  machine/engine/plain_traced.c \
  machine/engine/tensor_time.c \
  machine/engine/tensor_time.def \
  machine/engine/tf_cost.c \
  machine/engine/tf_cost.h \
  machine/events.c \
  machine/events.h \
  machine/fit.c \
  machine/gates.def \
  machine/last_parts.def \
  machine/machine.c \
  machine/machine.h \
  machine/needs.c \
  machine/needs.def \
  machine/needs.h \
  machine/network/box.c \
  machine/network/cluster.c \
  machine/network/crossbar.c \
  machine/network/crossbar.h \
  machine/network/crossbar_part.c \
  machine/network/fabric.c \
  machine/network/fabric.h \
  machine/network/fabric_channels.c \
  machine/network/fabric_channels.h \
  machine/network/fabric_internal.h \
  machine/network/fabric_part.c \
  machine/network/fabric_queues.c \
  machine/network/fabric_set.h \
  machine/network/fabric_state.c \
  machine/network/fabric_switch.c \
  machine/network/graph.c \
  machine/network/graph.h \
  machine/network/graph_internal.h \
  machine/network/network.c \
  machine/network/network.h \
  machine/network/product.c \
  machine/network/proof.c \
  machine/network/proof.h \
  machine/network/shape.c \
  machine/network/shape.h \
  machine/network/timetable.c \
  machine/network/timetable.h \
  machine/network/topologies.c \
  machine/network/topology_file.c \
  machine/network/transit.h \
  machine/network/ways.c \
  machine/network/ways.h \
  machine/nodes.h \
  machine/nodes/faults.c \
  machine/nodes/nodes.c \
  machine/nodes/nodes.def \
  machine/nodes/nodes_internal.h \
  machine/nodes/nodes_part.c \
  machine/nodes/probe.c \
  machine/nodes/report.c \
  machine/observe.c \
  machine/owner.h \
  machine/part.h \
  machine/state_table.h \
  machine/parts.def \
  machine/pe.h \
  machine/pe/backpressure.c \
  machine/pe/backpressure.h \
  machine/pe/coordinator.c \
  machine/pe/coordinator.def \
  machine/pe/coordinator.h \
  machine/pe/counted_units.c \
  machine/pe/counted_units.def \
  machine/pe/counted_units.h \
  machine/pe/discipline.c \
  machine/pe/discipline.h \
  machine/pe/graph_copy.c \
  machine/pe/graph_copy.def \
  machine/pe/graph_copy.h \
  machine/pe/k_bound.c \
  machine/pe/k_bound.def \
  machine/pe/match.c \
  machine/pe/match.def \
  machine/pe/match.h \
  machine/pe/op_timing.c \
  machine/pe/op_timing.h \
  machine/pe/pe.c \
  machine/pe/place.c \
  machine/pe/resident.c \
  machine/pe/resident.def \
  machine/pe/resident.h \
  machine/pe/structure_memory.c \
  machine/pe/structure_memory.h \
  machine/pe/swap.c \
  machine/pe/swap.def \
  machine/pe/swap.h \
  machine/pe/swap_room.c \
  machine/pe/swap_room.h \
  machine/pe/swap_served.c \
  machine/pe/swap_served.h \
  machine/pe/tag_manager.c \
  machine/pe/tag_manager.def \
  machine/pe/tag_manager.h \
  machine/pe/tensor_memory.c \
  machine/pe/tensor_memory.def \
  machine/pe/tensor_memory.h \
  machine/pe/tensor_unit.c \
  machine/pe/tensor_unit.def \
  machine/pe/tensor_unit.h \
  machine/placement/capability.c \
  machine/placement/capability.h \
  machine/placement/functions.c \
  machine/placement/functions.h \
  machine/placement/policy.c \
  machine/placement/policy.h \
  machine/ports.c \
  machine/ports.h \
  machine/presets.h \
  machine/rows.def \
  machine/rows_end.def \
  machine/result.c \
  machine/result.h \
  machine/settings.c \
  machine/settings.def \
  machine/settings.h \
  machine/simgrid/carrier.h \
  machine/simgrid/carrier_native.c \
  machine/simgrid/carrier_simgrid.c \
  machine/simgrid/grid.c \
  machine/simgrid/grid.h \
  machine/simgrid/grid_part.c \
  machine/simgrid/library.c \
  machine/simgrid/library.h \
  machine/simgrid/platform.c \
  machine/simgrid/platform.h \
  machine/simgrid/platform_ask.c \
  machine/simgrid/platform_internal.h \
  machine/simgrid/platform_kept.c \
  machine/simgrid/plugin.h \
  machine/simgrid/ready.c \
  machine/simgrid/ready.h \
  machine/simgrid/refused.c \
  machine/state.c \
  machine/state.h \
  machine/token_values.h \
  machine/tokens/batches.c \
  machine/tokens/batches.h \
  machine/tokens/queue.c \
  machine/tokens/queue.h \
  machine/tokens/set.c \
  machine/tokens/set.h \
  machine/tokens/wheel.c \
  machine/tokens/wheel.h \
  machine/topologies.h \
  machine/traffic/bounds.c \
  machine/traffic/bounds.h \
  machine/traffic/pattern.c \
  machine/traffic/pattern.h \
  machine/traffic/traffic_source.c \
  machine/traffic/traffic_source.h \
  machine/verify.h \
  machine/verify/frames.c \
  machine/verify/memory.c \
  machine/verify/verify.c \
  machine/verify/verify_counts.h

# Embedded in the program.
machine_presets = \
  machine/presets/default.yaml \
  machine/presets/ideal.yaml \
  machine/presets/tf-cluster.yaml \
  machine/presets/tf-executor.yaml

nodist_libinternal_a_SOURCES += machine/presets_data.c
CLEANFILES += machine/presets_data.c
EXTRA_DIST += machine/embed.sh $(machine_presets)

machine/presets_data.c: $(machine_presets) machine/embed.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SHELL) $(srcdir)/machine/embed.sh \
	  machine/presets.h machine_preset_text machine_preset_texts \
	  $(addprefix $(srcdir)/,$(machine_presets)) > $@.tmp && mv $@.tmp $@

# SimGrid's module, which alone is C++ and linked with it. It stands beside the program in the build, and is
# opened when a run needs it (machine/simgrid/library.h).
EXTRA_DIST += machine/simgrid/plugin.cpp
modulesdir = $(pkglibdir)
if HAVE_SIMGRID
modules_DATA = hiaton-simgrid.so
CLEANFILES += hiaton-simgrid.so
endif
hiaton-simgrid.so: machine/simgrid/plugin.cpp machine/simgrid/plugin.h
	$(AM_V_GEN)$(CXX) -std=gnu++17 -O2 -g1 -Wall -Wextra -fPIC -shared \
	  -fvisibility=hidden -I$(top_srcdir) -o $@.tmp $(srcdir)/machine/simgrid/plugin.cpp -lsimgrid && mv $@.tmp $@
