#!/bin/sh
# Judges a submission with isolate. isolate-pipeline.sh LANGUAGE FOLDER CASES BOXES
# The folder holds source.<language>, input and expected. BOXES is `fresh`, as judges that use isolate do (one box for compiling
# and one for each case), or `kept` (one for all, which keeps what earlier cases left). Prints the number of accepted cases.
set -eu
language=$1 folder=$2 cases=$3 boxes=$4
export PATH=/usr/local/bin:/usr/bin:/bin

# Box 0 is the other benchmark's.
open_box() { box=$(isolate --box-id=1 --cg --init)/box; }
close_box() { isolate --box-id=1 --cg --cleanup; }
trap close_box EXIT

renew_box() {
  [ "$boxes" = kept ] && return
  close_box
  open_box
}

in_box() {
  isolate --box-id=1 --cg --silent --cg-mem=262144 --time=10 --wall-time=20 --processes=32 --full-env --meta="$folder/meta" \
    --dir=/source="$folder" --dir=/program="$folder/program" "$@"
}

mkdir -p "$folder/program"
open_box
case $language in
  c) in_box --run -- /usr/bin/gcc -O2 -w -o main /source/source.c -lm ;;
  cpp) in_box --run -- /usr/bin/g++ -O2 -std=gnu++20 -w -o main /source/source.cpp ;;
  py3) in_box --run -- /usr/bin/python3 -c 'compile(open("/source/source.py3").read(), "main.py", "exec")' ;;
esac
case $language in
  py3) set -- /usr/bin/python3 /source/source.py3 ;;
  *) mv "$box/main" "$folder/program/main" && set -- /program/main ;;
esac

accepted=0
for _ in $(seq "$cases"); do
  renew_box
  in_box --stdin=/source/input --stdout=output --run -- "$@"
  cmp -s "$box/output" "$folder/expected" && accepted=$((accepted + 1))
done
echo "$accepted"
