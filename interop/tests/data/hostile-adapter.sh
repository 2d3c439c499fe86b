#!/bin/sh
# An adapter with one fault, for tests: hostile-adapter.sh FAULT FOLDER
# It says that it verifies ML-DSA-44 and finds every signature valid. FOLDER is where it notes what it has done.
fault=$1
folder=$2

ability='"operations":["keygen","sign","verify"],"keys":["raw:seed","raw:public"],"hedged":true'
version=1

say() { printf '%s\n' "$1"; }

hello() {
  say "{\"id\":$1,\"protocol\":1,\"name\":\"hostile\",\"version\":\"$version\",\"lineage\":\"hostile\",\"algorithms\":{\"ML-DSA-44\":{$ability}}}"
}

result() {
  case $2 in
    *'"op":"verify"'*) say "{\"id\":$1,\"valid\":true}" ;;
    *'"op":"sign"'*) say "{\"id\":$1,\"signature\":\"00ff\"}" ;;
    *) say "{\"id\":$1,\"private\":{\"form\":\"raw:seed\",\"bytes\":\"00\"},\"public\":{\"form\":\"raw:public\",\"bytes\":\"01\"}}" ;;
  esac
}

echo $$ >"$folder/pid"
echo started >>"$folder/starts"
starts=$(wc -l <"$folder/starts")
requests=0

case $fault in
  mute) exec sleep 60 ;;
  dead) echo 'it needs mylib 2' >&2; exit 1 ;;
  misspelt) ability="$ability,\"hegded\":true" ;;
  other-form) ability='"operations":["verify"],"keys":["pem"]' ;;
  new-identity) version=$starts ;;
  dies-for-good) [ "$starts" -eq 1 ] || exit 9 ;;
esac

while IFS= read -r line; do
  id=${line#*\"id\":}
  id=${id%%,*}
  case $line in
    *'"op":"hello"'*)
      hello "$id"
      [ "$fault" != deaf ] || exec sleep 60
      continue ;;
  esac
  requests=$((requests + 1))
  case $fault in
    never) exec sleep 60 ;;
    garbage) say 'Traceback (most recent call last):' ;;
    no-object) say "[$id]" ;;
    other-id) result $((id + 1)) "$line" ;;
    no-newline) tr '\0' 'x' </dev/zero | head -c 1073741824 ;;
    torn) printf '{"id":%s,"val' "$id"; exit 3 ;;
    new-identity | dies-for-good) exit 0 ;;
    crashes) echo 'mylib: assertion failed' >&2; kill -SEGV $$ ;;
    every-second) [ "$requests" -lt 2 ] || exit 7; result "$id" "$line" ;;
    complains) head -c 10000000 /dev/zero | tr '\0' '\n' >&2; echo 'the last word' >&2; exit 1 ;;
    unsupported) say "{\"id\":$id,\"error\":{\"kind\":\"unsupported\",\"reason\":\"not today\"}}" ;;
    refuses) say "{\"id\":$id,\"error\":{\"kind\":\"refused\",\"reason\":\"a bad key\"}}" ;;
    fails) say "{\"id\":$id,\"error\":{\"kind\":\"failed\",\"reason\":\"out of memory\"}}" ;;
    odd-kind) say "{\"id\":$id,\"error\":{\"kind\":\"tired\",\"reason\":\"\"}}" ;;
    odd-types) say "{\"id\":$id,\"valid\":\"true\",\"signature\":\"xyz\",\"private\":7,\"public\":7}" ;;
    odd-forms) say "{\"id\":$id,\"private\":{\"form\":\"spki\",\"bytes\":\"\"},\"public\":{\"form\":\"spki\",\"bytes\":\"\"}}" ;;
    *) result "$id" "$line" ;;
  esac
done
echo ended >"$folder/ended"
