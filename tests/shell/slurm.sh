#!/bin/sh
# A job array on a real Slurm: a controller, a node and munge of our own, on the loopback
# interface. One of four shards fails the first time, and is submitted again; merged, the
# results are those of one process. Skipped, and said so, without Slurm or without root.
set -u
LC_ALL=C
export LC_ALL

HIATON=${HIATON:?the program to test}
case $HIATON in */*) HIATON=$(cd "$(dirname "$HIATON")" && pwd)/${HIATON##*/} ;; esac
PATH=$PATH:/usr/sbin:/sbin
for tool in slurmctld slurmd munged sbatch sinfo; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is not installed (Debian packages slurmctld slurmd munge)" >&2
        exit 77
    fi
done
if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: not root, and Slurm wants to be" >&2
    exit 77
fi

scratch=$(mktemp -d)
chmod 755 "$scratch"
cd "$scratch" || exit 1
daemons=

# shellcheck disable=SC2086 # a list of processes
stop() {
    [ -z "$daemons" ] || kill $daemons 2>/dev/null
    wait
    rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "FAILED: $*"
    tail -n 20 ./*.log out err 2>/dev/null
    exit 1
}

# --- a cluster of one node -----------------------------------------------------------

port=$((20000 + $$ % 10000 * 2))
node=$(hostname -s)
mkdir state spool
cat >slurm.conf <<TEXT
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SchedulerTimeSlice=5
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=short Nodes=$node Default=YES MaxTime=INFINITE State=UP
TEXT
SLURM_CONF=$scratch/slurm.conf
export SLURM_CONF

head -c 128 /dev/urandom >munge.key
chmod 400 munge.key
munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.socket" \
    --pid-file="$scratch/munge.pid" --log-file="$scratch/munge.log" \
    --seed-file="$scratch/munge.seed" >munged.out 2>&1 &
daemons=$!

# until_true SECONDS COMMAND...
until_true() {
    left=$(($1 * 5))
    shift
    until "$@" >out 2>err; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || return 1
        sleep 0.2
    done
}
until_true 20 test -S munge.socket || fail "munged does not start"
slurmctld -D -i >slurmctld.out 2>&1 &
daemons="$daemons $!"
slurmd -D >slurmd.out 2>&1 &
daemons="$daemons $!"
is_idle() { sinfo -h -o %t | grep -qx idle; }
until_true 60 is_idle || fail "the cluster does not come up"

# --- an experiment --------------------------------------------------------------------

cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >work.yaml <<TEXT
program: fib.df
settings: {pe.count: [1, 2, 4, 8]}
inputs.n: {range: [5, 9]}
sites:
  here:
    shards: 4
    partition: short
    time: 00:05:00
    hiaton: $HIATON
    setup: '[ "\$SLURM_ARRAY_TASK_ID" -ne 3 ] || [ -e again ] || { touch again; exit 1; }'
TEXT
"$HIATON" sweep run -q work.yaml -o direct.db --csv direct.csv || fail "sweep run"
"$HIATON" sweep emit slurm work.yaml -o work.slurm || fail "sweep emit"

sbatch --wait work.slurm >out 2>err && fail "shard 3 did not fail"
[ -s work.4-of-4.db ] || fail "shard 4 failed as well"
[ ! -e work.3-of-4.db ] || fail "shard 3 has results"
sbatch --wait --array=3 work.slurm >out 2>err || fail "shard 3 fails again"
sbatch --wait --array=0 work.slurm >out 2>err || fail "the merge fails"
"$HIATON" results csv work.db >work.csv || fail "no merged results"
cmp work.csv direct.csv || fail "the merged results are others"

# As the script says: the array, and behind it the merge.
rm -f work.db work.*-of-4.db
id=$(sbatch --parsable work.slurm) || fail "sbatch --parsable"
sbatch --wait --dependency=afterok:"$id" --array=0 work.slurm >out 2>err ||
    fail "the merge after the array fails"
"$HIATON" results csv work.db >work.csv || fail "no merged results"
cmp work.csv direct.csv || fail "the merged results are others"
