#!/bin/sh
# Makes a fresh Debian 12 or 13 or Ubuntu 24.04 a judge host. Run it as root. Standard input holds the settings, one NAME=value
# a line: SERVER_URL, the address of the judge, and one secret, RUNNER_TOKEN or RUNNER_REGISTRATION_TOKEN. Without input, the
# settings of an earlier run stay. Run it again to repair what is missing and to renew Node and the service.
set -eu

NODE=24.21.0
NODE_SHA256_X64=fd8e59d5a511510f6a298afb548f18c7d2b1be404d8b4a27d94fbe49f56cb2d6
NODE_SHA256_ARM64=6ad1325edbdb5649c379b75a237147a666c95d4f9ae8d340fef2d1575d289ad2
PACKAGES='ca-certificates curl xz-utils
@packages@
'
APP=/opt/coursejudge
SETTINGS=/etc/coursejudge/runner.env

die() {
  echo "install.sh: $1" >&2
  exit 1
}

# Runs apt-get once no other apt-get runs, such as that of a new machine's automatic updates. DPkg::Lock::Timeout waits for
# the locks of dpkg only, so this function waits for the locks of the lists and of the downloads.
apt() {
  waited=0
  until said=$(LC_ALL=C apt-get -qq -o DPkg::Lock::Timeout=300 "$@" 2>&1); do
    echo "$said" | grep -q 'Could not get lock' || die "apt-get $1 failed:
$said"
    [ "$waited" -lt 300 ] || die "another apt-get is still at work after 5 minutes; run this again when it is done:
$said"
    [ "$waited" -gt 0 ] || echo 'install.sh: another apt-get is at work; waiting for it, 5 minutes at most' >&2
    sleep 2
    waited=$((waited + 2))
  done
}

[ "$(id -u)" = 0 ] || die 'run this as root: sudo -i first'
# shellcheck source=/dev/null
system=$(. /etc/os-release && echo "$ID $VERSION_ID")
case $system in
  'debian 12' | 'debian 13' | 'ubuntu 24.04') ;;
  *) die "this is $system; it must be Debian 12 or 13 or Ubuntu 24.04" ;;
esac
case $(uname -m) in
  x86_64) arch=x64 sum=$NODE_SHA256_X64 ;;
  aarch64) arch=arm64 sum=$NODE_SHA256_ARM64 ;;
  *) die "this is a $(uname -m); it must be an x86_64 or aarch64 machine" ;;
esac

# Only root may read the settings, because they hold the secret.
given=
[ -t 0 ] || given=$(cat)
if [ -n "$given" ]; then
  printf '%s\n' "$given" | grep -Evq '^([A-Z][A-Z0-9_]*=.*|#.*|)$' && die 'standard input holds a line that is not NAME=value'
  install -D -m 0600 /dev/null "$SETTINGS.new"
  printf '%s\n' "$given" > "$SETTINGS.new"
  mv "$SETTINGS.new" "$SETTINGS"
fi
grep -Eqs '^SERVER_URL=https?://' "$SETTINGS" || die "SERVER_URL is missing in $SETTINGS"
grep -Eqs '^RUNNER_(REGISTRATION_)?TOKEN=.' "$SETTINGS" || die "RUNNER_TOKEN or RUNNER_REGISTRATION_TOKEN is missing in $SETTINGS"

# shellcheck disable=SC2086 # several packages
if ! dpkg -s $PACKAGES > /dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  apt update
  apt install -y --no-install-recommends $PACKAGES
fi

if [ "$("$APP/node" --version 2> /dev/null)" != "v$NODE" ]; then
  folder=$(mktemp -d)
  name=node-v$NODE-linux-$arch
  curl -fsS --retry 3 -o "$folder/node.tar.xz" "https://nodejs.org/dist/v$NODE/$name.tar.xz"
  echo "$sum  $folder/node.tar.xz" | sha256sum --check --status || die 'Node did not arrive as it was published; try again'
  tar -xJf "$folder/node.tar.xz" -C "$folder" --strip-components=2 "$name/bin/node"
  install -D -m 0755 "$folder/node" "$APP/node"
  rm -r "$folder"
fi

id coursejudge > /dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin coursejudge
# Ubuntu forbids ordinary users to make user namespaces, which the sandbox needs.
if [ -e /proc/sys/kernel/apparmor_restrict_unprivileged_userns ]; then
  echo 'kernel.apparmor_restrict_unprivileged_userns = 0' > /etc/sysctl.d/60-coursejudge.conf
  sysctl -q -p /etc/sysctl.d/60-coursejudge.conf
fi

cat > "$APP/update.new" << 'END'
@update.sh@
END
chmod 0755 "$APP/update.new"
mv "$APP/update.new" "$APP/update"
cat > /etc/systemd/system/coursejudge-runner.service << 'END'
@coursejudge-runner.service@
END

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl -q enable coursejudge-runner
  systemctl restart coursejudge-runner
  echo 'This host judges as soon as its log says "ready": journalctl -fu coursejudge-runner'
else
  echo 'Installed. There is no systemd here to start it.'
fi
