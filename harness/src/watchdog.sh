# Starts processes, such as the servers of one cluster, and ends them and their folder when the harness ends.
#
# The harness holds the other end of standard input. Whatever ends it, SIGKILL included, closes that pipe; then the
# processes are killed and the folder is removed. Each line asked is answered by one line:
#
#   start NAME           runs the words of NAME.command, each ended by a NUL, in a process group of its own, its output
#                        in NAME.log
#   signal NAME SIGNAL   sends it to the group; after KILL the answer waits until the process is gone
#   alive NAME           yes or no
set -m
# A Ctrl-C is for the harness, and an answer that nobody reads must not end the watchdog.
trap '' HUP INT QUIT TERM PIPE
folder=$1
cd "$folder" || exit 1
declare -A process

start() {
  [ -e "$1.log" ] && mv -f "$1.log" "$1.before.log"
  mapfile -d '' words <"$1.command"
  (trap - HUP INT QUIT TERM PIPE && exec "${words[@]}") </dev/null >"$1.log" 2>&1 &
  process[$1]=$!
}

signal() {
  kill -s "$2" -- "-${process[$1]}"
  # Not `wait -f`: bash 5.2 never returns from it when it has lost its record of a process that is gone.
  while [ "$2" = KILL ] && kill -0 "${process[$1]}"; do wait "${process[$1]}"; done
}

while read -r verb name argument; do
  case $verb in
    start) start "$name"; echo started ;;
    signal) signal "$name" "$argument"; echo sent ;;
    alive) if kill -0 "${process[$name]}"; then echo yes; else echo no; fi ;;
  esac
done

for name in "${!process[@]}"; do signal "$name" KILL; done
cd / || exit 1
# A killed process may have children that write files while they end.
for _ in 1 2 3 4 5; do rm -rf "$folder" && break; sleep 0.2; done
