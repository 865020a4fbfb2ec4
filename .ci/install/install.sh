#!/bin/sh
# Installs reprise for the current user, and removes it again. Nothing else is changed.
#
#   curl -fsSL https://github.com/reprise/reprise/releases/latest/download/install.sh | sh
#   sh install.sh --version 0.1.0 --prefix ~/.local
#   sh install.sh --remove
#
# Needs curl or wget, tar, sha256sum or shasum, and ssh-keygen to check the signature.
set -eu

# The release script puts the address and the public key of the releases here.
address=${REPRISE_RELEASES:-@ADDRESS@}
key='@KEY@'
version=latest
prefix=${HOME:+$HOME/.local}
remove=false

fail() {
  printf 'Cannot install reprise: %s\n' "$1" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --version | --prefix) [ $# -gt 1 ] || fail "$1 needs a value" ;;
  esac
  case $1 in
    --version) version=$2 && shift ;;
    --prefix) prefix=$2 && shift ;;
    --remove) remove=true ;;
    *) fail "unknown option \"$1\"; it takes --version, --prefix and --remove" ;;
  esac
  shift
done
[ -n "$prefix" ] || fail "set HOME, or give --prefix"

# Where each file of the archive goes.
places="reprise:bin/reprise
reprise.1:share/man/man1/reprise.1
reprise.bash:share/bash-completion/completions/reprise
_reprise:share/zsh/site-functions/_reprise
reprise.fish:share/fish/vendor_completions.d/reprise.fish"

if $remove; then
  removed=false
  for place in $places; do
    file=$prefix/${place#*:}
    if [ -e "$file" ]; then
      rm -f "$file" || fail "$file cannot be removed"
      removed=true
    fi
  done
  if ! $removed; then fail "nothing to remove in $prefix; give --prefix as you installed it"; fi
  echo "Removed reprise from $prefix. Sessions stay; the cache can go: rm -r ~/.cache/reprise"
  exit 0
fi

case $(uname -s)-$(uname -m) in
  Linux-x86_64 | Linux-amd64) target=x86_64-unknown-linux-gnu ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
  Darwin-x86_64) target=x86_64-apple-darwin ;;
  Darwin-arm64) target=aarch64-apple-darwin ;;
  *) fail "there is no executable for $(uname -s) on $(uname -m); use npm: npm install -g @reprise/reprise" ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 3 -o "$folder/$1" "$from/$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$folder/$1" "$from/$1"
  else
    fail "curl or wget is needed"
  fi || fail "$from/$1 cannot be downloaded"
}

if [ "$version" = latest ]; then from=$address/latest/download; else from=$address/download/v${version#v}; fi
archive=reprise-$target.tar.gz
fetch SHA256SUMS
fetch SHA256SUMS.sig
fetch "$archive"

command -v ssh-keygen >/dev/null 2>&1 ||
  fail "ssh-keygen is needed to check the signature; install OpenSSH"
printf 'reprise %s\n' "$key" >"$folder/signers"
ssh-keygen -Y verify -f "$folder/signers" -I reprise -n reprise-release \
  -s "$folder/SHA256SUMS.sig" <"$folder/SHA256SUMS" >/dev/null 2>&1 ||
  fail "the signature of SHA256SUMS is wrong; nothing was installed"

if command -v sha256sum >/dev/null 2>&1; then sum='sha256sum'; else sum='shasum -a 256'; fi
wanted=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$folder/SHA256SUMS")
got=$($sum "$folder/$archive" | cut -d ' ' -f 1)
if [ -z "$wanted" ] || [ "$wanted" != "$got" ]; then
  fail "the checksum of $archive is wrong; nothing was installed"
fi

mkdir "$folder/files"
tar -xzf "$folder/$archive" -C "$folder/files" || fail "$archive cannot be unpacked"
chmod 755 "$folder/files/reprise"
"$folder/files/reprise" --version >/dev/null || fail "the program does not run on this system"
for place in $places; do
  name=${place%%:*}
  file=$prefix/${place#*:}
  [ -e "$folder/files/$name" ] || continue
  mkdir -p "${file%/*}" || fail "${file%/*} cannot be made; give another --prefix"
  # Renamed into place: a reprise that runs now goes on.
  if ! cp "$folder/files/$name" "$file.new" || ! mv "$file.new" "$file"; then
    rm -f "$file.new"
    fail "$file cannot be written; give another --prefix"
  fi
done

echo "Installed reprise $("$prefix/bin/reprise" --version) in $prefix/bin"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "Add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
echo "Start with: reprise"
