#!/bin/sh
# Rents as many judge hosts as the queue needs and gives one back when nothing waits. Run it each minute, from cron. It prints what it
# would do; with --go it does it. While a rented host is silent it rents no more. PROVIDER is hcloud or doctl, which is signed in
# already. USER_DATA is the cloud-init file with a RUNNER_REGISTRATION_TOKEN, API_TOKEN a token with only the scope “Length of the queue”
# (docs/operating-runners.md).
set -eu
: "${SERVER_URL:?}" "${API_TOKEN:?}" "${USER_DATA:?}" "${PROVIDER:?hcloud or doctl}"
MOST=${MOST:-10}
# Minutes without a report after which a host counts as silent. A new host first reports after some three.
SILENT_MINUTES=${SILENT_MINUTES:-15}
# A file for each host. Its modification time is that of the host's last report; before the first, that of its start.
STATE=${STATE:-${HOME:?}/.coursejudge-autoscale}
NAME=coursejudge-host
GO=${1:-}

run() {
  if [ "$GO" = --go ]; then "$@"; else echo "would run: $*"; fi
}

case $PROVIDER in
  hcloud)
    list() { hcloud server list -l pool=$NAME -o noheader -o columns=name; }
    rent() { run hcloud server create --name "$1" --label pool=$NAME --type "${SIZE:-ccx13}" --image debian-12 --user-data-from-file "$USER_DATA"; }
    return_host() { run hcloud server delete "$1"; }
    ;;
  doctl)
    list() { doctl compute droplet list --tag-name $NAME --format Name --no-header; }
    rent() { run doctl compute droplet create "$1" --tag-name $NAME --size "${SIZE:-c-2}" --image debian-12-x64 --user-data-file "$USER_DATA"; }
    return_host() { run doctl compute droplet delete "$1" --force; }
    ;;
  *) echo "PROVIDER is $PROVIDER; it must be hcloud or doctl" >&2 && exit 1 ;;
esac

queue=$(curl -fsS -H "Authorization: Bearer $API_TOKEN" "$SERVER_URL/api/runners/queue")
field() { echo "$queue" | grep -o "\"$1\":[0-9]*" | cut -d: -f2; }
wanted=$(field wantedRunners) pending=$(field pending)
[ "$wanted" -le "$MOST" ] || wanted=$MOST
hosts=$(list | sort -V)
present=$(echo "$hosts" | grep -c . || true)
echo "$pending submissions wait: $wanted hosts wanted, $present here"

mkdir -p "$STATE"
for file in "$STATE/$NAME"-*; do
  echo "$hosts" | grep -qxF "${file##*/}" || rm -f "$file"
done
silent=
for host in $hosts; do
  # The answer's livingHosts names the host, or the host is new.
  if echo "$queue" | grep -qF "\"$host\"" || [ ! -e "$STATE/$host" ]; then touch "$STATE/$host"; fi
  [ -z "$(find "$STATE/$host" -mmin "+$SILENT_MINUTES")" ] || silent="$silent $host"
done
if [ -n "$silent" ]; then
  echo "These hosts have not reported for $SILENT_MINUTES minutes, so no more are rented:$silent" >&2
  echo "After an update of the server USER_DATA needs its new cloud-init file; a host says more in /var/log/cloud-init-output.log" >&2
fi

number=1
while [ -z "$silent" ] && [ "$present" -lt "$wanted" ]; do
  if ! echo "$hosts" | grep -qx "$NAME-$number"; then
    rent "$NAME-$number"
    present=$((present + 1))
  fi
  number=$((number + 1))
done
# Only one host goes at a time, because the next exercise may be handed in soon. Silent hosts go first.
if [ "$present" -gt "$wanted" ] && [ "$pending" = 0 ]; then
  for host in $hosts $silent; do last=$host; done
  return_host "$last"
fi
[ -z "$silent" ]
